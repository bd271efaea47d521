resource "aws_vpc" "marlin" {
  cidr_block = "10.61.0.0/16"
  tags       = { Name = "marlin" }
}

resource "aws_security_group" "bastion" {
  name   = "bastion"
  vpc_id = aws_vpc.marlin.id

  ingress {
    description = "ssh, temporary for the migration"
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
  vpc_id = aws_vpc.marlin.id

  ingress {
    description = "postgres"
    from_port   = 5432
    to_port     = 5432
    protocol    = "tcp"
    cidr_blocks = ["10.61.0.0/16", "0.0.0.0/0"]
  }
}
