"""What imported packages, called names, decorators and bases tell about code: tables shared by all languages."""
