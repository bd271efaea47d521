data "aws_ami" "debian" {
  most_recent = true
  owners      = ["amazon"]
  filter {
    name   = "name"
    values = ["debian-12-arm64-*"]
  }
}

resource "aws_launch_template" "worker" {
  name_prefix   = "relay-worker-"
  image_id      = data.aws_ami.debian.id
  instance_type = "c7g.large"
  user_data     = filebase64("${path.module}/files/worker.sh")
}

resource "aws_autoscaling_group" "worker" {
  name                = "relay-worker"
  min_size            = 1
  max_size            = 20
  vpc_zone_identifier = module.network.private_subnet_ids

  launch_template {
    id      = aws_launch_template.worker.id
    version = "$Latest"
  }
}
