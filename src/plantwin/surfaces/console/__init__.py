"""The web console: a folder, its sessions and what planners were told, for its owner in a browser."""
