"""Relations between objects, and the components they form."""
