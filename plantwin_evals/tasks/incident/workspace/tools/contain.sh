#!/bin/sh
# Cut a host off and keep its memory. Run from the jump host, never from the host itself.
set -eu
HOST="$1"
ssh "root@$HOST" 'nft add table inet quarantine; nft add chain inet quarantine out "{ type filter hook output priority 0; policy drop; }"'
ssh "root@$HOST" 'nft add rule inet quarantine out ip daddr 10.40.9.5 accept'
ssh "root@$HOST" 'dd if=/proc/kcore bs=1M count=4096' > "/srv/evidence/$HOST.mem"
sha256sum "/srv/evidence/$HOST.mem" >> /srv/evidence/hashes.txt
curl -fsS -H "Authorization: Bearer {{secret:EDR_TOKEN}}" -X POST "https://edr.pellworth.internal/api/hosts/$HOST/isolate"
