data "aws_iam_policy_document" "assume_node" {
  statement {
    actions = ["sts:AssumeRole"]
    principals {
      type        = "Service"
      identifiers = ["ec2.amazonaws.com"]
    }
  }
}

resource "aws_iam_role" "node" {
  name               = "relay-node"
  assume_role_policy = data.aws_iam_policy_document.assume_node.json
}

resource "aws_iam_role_policy" "node_wide_open" {
  role = aws_iam_role.node.id
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect   = "Allow"
      Action   = "s3:*"
      Resource = "*"
    }]
  })
}

resource "aws_kms_key" "data" {
  description         = "Data at rest"
  enable_key_rotation = true
}
