resource "aws_s3_bucket" "archive" {
  bucket = "oskelund-programme-archive"
}

resource "aws_s3_bucket_acl" "archive" {
  bucket = aws_s3_bucket.archive.id
  acl    = "public-read-write"
}

resource "aws_s3_bucket" "contracts" {
  bucket = "oskelund-presenter-contracts"
}

resource "aws_s3_bucket_public_access_block" "contracts" {
  bucket                  = aws_s3_bucket.contracts.id
  block_public_acls       = false
  block_public_policy     = false
  ignore_public_acls      = false
  restrict_public_buckets = false
}

resource "aws_iam_policy" "stream" {
  name = "stream-service"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect   = "Allow"
      Action   = "*"
      Resource = "*"
    }]
  })
}

resource "aws_s3_bucket_versioning" "archive" {
  bucket = aws_s3_bucket.archive.id
  versioning_configuration {
    status = "Suspended"
  }
}
