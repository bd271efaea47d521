"""Contracts of interfaces: whether they are sound, what a new version breaks, and whether code keeps them."""
