"""Services of the clinic."""
