"""The files below are exam material, not tests of this project: never collected."""

collect_ignore_glob = ["*"]
