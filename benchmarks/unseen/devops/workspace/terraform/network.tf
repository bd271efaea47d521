provider "aws" {
  region = "eu-north-1"
}

resource "aws_vpc" "radio" {
  cidr_block = "10.40.0.0/16"
}

resource "aws_subnet" "stream" {
  vpc_id                  = aws_vpc.radio.id
  cidr_block              = "10.40.1.0/24"
  map_public_ip_on_launch = true
}

resource "aws_security_group" "stream" {
  name   = "stream"
  vpc_id = aws_vpc.radio.id

  ingress {
    description = "listeners"
    from_port   = 443
    to_port     = 443
    protocol    = "tcp"
    cidr_blocks = ["0.0.0.0/0"]
  }

  # for the weekend of the move only
  ingress {
    description = "ssh"
    from_port   = 22
    to_port     = 22
    protocol    = "tcp"
    cidr_blocks = ["0.0.0.0/0"]
  }

  egress {
    from_port   = 0
    to_port     = 0
    protocol    = "-1"
    cidr_blocks = ["0.0.0.0/0"]
  }
}

resource "aws_security_group" "database" {
  name   = "database"
  vpc_id = aws_vpc.radio.id

  ingress {
    description = "postgres"
    from_port   = 5432
    to_port     = 5432
    protocol    = "tcp"
    cidr_blocks = ["0.0.0.0/0"]
  }
}

resource "aws_db_instance" "playlist" {
  identifier             = "playlist"
  engine                 = "postgres"
  engine_version         = "12.4"
  instance_class         = "db.t3.medium"
  allocated_storage      = 50
  publicly_accessible    = true
  storage_encrypted      = false
  skip_final_snapshot    = true
  deletion_protection    = false
  vpc_security_group_ids = [aws_security_group.database.id]
}
