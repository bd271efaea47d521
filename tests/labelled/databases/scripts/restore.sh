#!/usr/bin/env bash
# Restore the latest backup into a scratch database and check that it is usable.
set -euo pipefail
target="${1:-clinic_restore}"

latest=$(ls -1t /backups/clinic_*.sql | head -n1)
dropdb --if-exists "$target"
createdb "$target"
psql --quiet --set ON_ERROR_STOP=1 --dbname "$target" --file "$latest"

rows=$(psql -At -d "$target" -c "select count(*) from patients")
if (( rows < 1000 )); then
  echo "only $rows patients in $latest" >&2
  exit 1
fi
echo "restored $latest into $target ($rows patients)"
