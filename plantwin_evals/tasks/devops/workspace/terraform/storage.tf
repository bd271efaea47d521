resource "aws_s3_bucket" "referrals" {
  bucket = "nimbrel-marlin-referrals"
}

resource "aws_s3_bucket_acl" "referrals" {
  bucket = aws_s3_bucket.referrals.id
  acl    = "public-read"
}

resource "aws_s3_bucket" "backups" {
  bucket = "nimbrel-marlin-backups"
}

resource "aws_s3_bucket_server_side_encryption_configuration" "backups" {
  bucket = aws_s3_bucket.backups.id
  rule {
    apply_server_side_encryption_by_default {
      sse_algorithm = "aws:kms"
    }
  }
}

resource "aws_iam_policy" "deployer" {
  name = "deployer"
  policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = "*", Resource = "*" }]
  })
}
