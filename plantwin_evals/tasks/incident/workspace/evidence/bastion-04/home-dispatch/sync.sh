#!/bin/bash
# nightly manifest sync, G. Nuttall 2024
DAY=$1
KEY=$HOME/id_ed25519_dispatch
HOST=sftp-manifests.pellworth.internal
if [ -z $DAY ]; then DAY=$(date +%F); fi
scp -o StrictHostKeyChecking=no -i $KEY sync@$HOST:/out/manifest-$DAY.csv /tmp/
curl -k -u edi:Brine-Otter-42 -T /tmp/manifest-$DAY.csv https://dropbox.dunmarrow.example/in/
rm -rf /tmp/manifest-*
