resource "aws_db_instance" "booking" {
  identifier              = "marlin-db-1"
  engine                  = "postgres"
  engine_version          = "11.22"
  instance_class          = "db.m6g.large"
  allocated_storage       = 400
  username                = "booking_rw"
  password                = "{{secret:db_password}}"
  publicly_accessible     = true
  storage_encrypted       = false
  backup_retention_period = 0
  skip_final_snapshot     = true
  deletion_protection     = false
  vpc_security_group_ids  = [aws_security_group.database.id]
}
