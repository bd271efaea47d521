variable "region" {
  type    = string
  default = "eu-north-1"
}

variable "customer_prefixes" {
  description = "One bucket prefix for each chain of clinics."
  type        = list(string)
}

variable "admin_cidr" {
  type        = string
  description = "Where administrators come from."
}
