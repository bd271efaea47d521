"""Settings and declarations as trees in which every part knows its line."""
