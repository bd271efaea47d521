terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 5.0"
    }
  }
}

resource "aws_db_instance" "thornbury" {
  identifier              = "pg-thornbury"
  engine                  = "postgres"
  engine_version          = "12.17"
  instance_class          = "db.t4g.medium"
  allocated_storage       = 50
  username                = "shop"
  password                = var.database_password
  storage_encrypted       = false
  backup_retention_period = 1
  publicly_accessible     = true
  skip_final_snapshot     = true
}

resource "aws_s3_bucket" "exports" {
  bucket = "fernhill-exports"
}

resource "aws_security_group" "database" {
  name = "thornbury"
  ingress {
    from_port   = 5432
    to_port     = 5432
    protocol    = "tcp"
    cidr_blocks = ["0.0.0.0/0"]
  }
}

variable "database_password" {
  type      = string
  sensitive = true
}
