resource "aws_vpc" "this" {
  cidr_block           = var.cidr
  enable_dns_hostnames = true
}

resource "aws_subnet" "private" {
  for_each          = toset(["a", "b", "c"])
  vpc_id            = aws_vpc.this.id
  availability_zone = "${data.aws_region.current.name}${each.key}"
  cidr_block        = cidrsubnet(var.cidr, 4, index(["a", "b", "c"], each.key))
}

resource "aws_security_group" "edge" {
  name   = "edge"
  vpc_id = aws_vpc.this.id

  ingress {
    from_port   = 443
    to_port     = 443
    protocol    = "tcp"
    cidr_blocks = ["0.0.0.0/0"]
  }
}

resource "aws_route53_record" "relay" {
  zone_id = var.zone_id
  name    = "relay"
  type    = "A"
  alias {
    name                   = aws_lb.edge.dns_name
    zone_id                = aws_lb.edge.zone_id
    evaluate_target_health = true
  }
}
