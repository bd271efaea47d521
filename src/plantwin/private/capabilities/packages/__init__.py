"""Packages that a project is built from: manifests, lock files, images, actions."""
