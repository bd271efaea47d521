variable "region" {
  type    = string
  default = "eu-north-1"
}

variable "vpc_cidr" {
  description = "Address range of the network"
  type        = string
  default     = "10.20.0.0/16"
}

variable "database_size" {
  type    = string
  default = "db.t4g.medium"

  validation {
    condition     = startswith(var.database_size, "db.")
    error_message = "Must be a database instance class."
  }
}

variable "database_password" {
  type      = string
  sensitive = true
}
