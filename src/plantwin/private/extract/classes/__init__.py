"""Rule tables of classification, one per family: adding a class is adding rows."""
