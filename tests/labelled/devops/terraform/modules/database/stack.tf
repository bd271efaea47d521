resource "aws_db_subnet_group" "this" {
  name       = "relay"
  subnet_ids = var.subnet_ids
}

resource "aws_db_instance" "this" {
  identifier              = "relay"
  engine                  = "postgres"
  engine_version          = "15.6"
  instance_class          = var.size
  allocated_storage       = 100
  db_subnet_group_name    = aws_db_subnet_group.this.name
  username                = "relay"
  password                = var.password
  storage_encrypted       = false
  backup_retention_period = 0
  skip_final_snapshot     = true
  publicly_accessible     = false
}
