#!/usr/bin/env bash
set -euo pipefail

usage() { echo "usage: $0 staging|production VERSION" >&2; exit 64; }
[[ $# -eq 2 ]] || usage
env="$1" version="$2"
[[ "$env" == staging || "$env" == production ]] || usage

if [[ "$env" == production ]]; then
  read -r -p "Really deploy $version to production? [y/N] " answer
  [[ "$answer" == y ]] || exit 1
fi

helm upgrade --install relay ./chart \
  --namespace "relay-$env" \
  --values "chart/values.yaml" \
  --values "environments/$env.yaml" \
  --set "image.tag=$version" \
  --atomic --timeout 5m

kubectl -n "relay-$env" rollout status deploy/relay --timeout=120s
curl -fsS "https://relay-$env.example.com/readyz" > /dev/null
echo "relay $version is live on $env"
