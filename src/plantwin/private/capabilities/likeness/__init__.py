"""How like each other two objects of a folder are, from what is known of them without reading them."""
