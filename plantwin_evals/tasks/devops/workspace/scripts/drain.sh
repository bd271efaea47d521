#!/usr/bin/env bash
set -euo pipefail
# Move everything off a node before maintenance.
node="${1:?usage: drain.sh NODE}"
kubectl cordon "$node"
kubectl drain "$node" --ignore-daemonsets --delete-emptydir-data --timeout=10m
echo "drained $node"
