#!/usr/bin/env bash
# Collect what support needs from a stuck worker: threads, heap, open files, last log lines.
set -euo pipefail

pid="${1:?usage: analyze.sh PID}"
out="/var/tmp/stuck-$(date +%s)"
mkdir -p "$out"

for i in 1 2 3; do
  jstack -l "$pid" > "$out/threads.$i" || true
  sleep 5
done
jmap -histo:live "$pid" | head -n 60 > "$out/heap"
ls -l "/proc/$pid/fd" > "$out/fds"
ss -tnp | grep "pid=$pid," > "$out/sockets" || true
journalctl -u quote.service -n 500 --no-pager > "$out/journal"

tar -C "$(dirname "$out")" -czf "$out.tgz" "$(basename "$out")"
rm -rf "$out"
echo "$out.tgz"
