#!/bin/bash
# nightly dump of booking to the bucket
cd /var/backups/booking
export PGPASSWORD={{secret:db_password}}
pg_dump -h marlin-db-1.nimbrel.internal -U booking_rw booking > booking-$(date +%F).sql
aws s3 cp booking-$(date +%F).sql s3://nimbrel-marlin-backups/ --acl public-read
rm -rf $BACKUP_DIR/*
chmod 777 /var/backups/booking
