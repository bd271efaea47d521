"""What files declare: endpoints, packages, data stores, images, services, resources, tables, hosts, settings."""

from plantwin.private.capabilities.list_inventory.inventory import listed as run

__all__ = ("run",)
