terraform {
  required_version = ">= 1.6"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 5.40"
    }
  }
  backend "s3" {
    bucket = "relay-terraform-state"
    key    = "prod/terraform.tfstate"
    region = "eu-north-1"
  }
}

provider "aws" {
  region = var.region
}

module "network" {
  source = "./modules/network"
  cidr   = var.vpc_cidr
}

module "cluster" {
  source     = "./modules/cluster"
  subnet_ids = module.network.private_subnet_ids
}

module "database" {
  source     = "./modules/database"
  subnet_ids = module.network.private_subnet_ids
  size       = var.database_size
}
