#!/usr/bin/env bash
# Cut a host off from everything but the response network, and snapshot its memory first.
set -euo pipefail

host="${1:?usage: contain.sh HOST CASE}"
case_no="${2:?usage: contain.sh HOST CASE}"
response_net="10.8.250.0/24"

echo "memory image of $host"
ssh "responder@$host" "sudo avml /var/tmp/case-$case_no.lime"
scp "responder@$host:/var/tmp/case-$case_no.lime" "/evidence/$case_no/"

echo "isolating $host"
ssh "responder@$host" sudo nft -f - <<EOF
flush ruleset
table inet contain {
  chain input { type filter hook input priority 0; policy drop; ip saddr $response_net accept; }
  chain output { type filter hook output priority 0; policy drop; ip daddr $response_net accept; }
}
EOF
logger -t contain "case $case_no host $host isolated by $USER"
