"""What data should look like: schemas of several languages, and data against them."""
