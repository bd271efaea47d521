region            = "eu-north-1"
customer_prefixes = ["vesperine", "st-cuthwin", "orchardlea"]
admin_cidr        = "198.51.100.32/29"
# break-glass, see vault: nimbrel/breakglass
vault_token       = "{{secret:vault_token}}"
