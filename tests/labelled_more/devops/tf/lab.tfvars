location     = "norwayeast"
group        = "rg-berth-lab"
db_sku       = "GP_Standard_D2s_v3"
web_count    = 1
allow_from   = ["10.60.12.0/24", "10.60.13.0/24"]
backup_days  = 3
dns_zone     = "lab.berth.internal"
tags = {
  owner = "platform"
  tier  = "lab"
}
