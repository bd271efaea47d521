import sys
from collections import defaultdict


def dist(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        prev, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            prev, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, prev + (x != y))
    return row[-1]


ref, hyp = (open(f, encoding="utf-8").read().splitlines() for f in sys.argv[1:3])
if len(ref) != len(hyp):
    sys.exit(f"{len(ref)} references, {len(hyp)} hypotheses")

err, n = defaultdict(int), defaultdict(int)
for r, h in zip(ref, hyp):
    key, _, r = r.partition("\t")
    h = h.partition("\t")[2]
    for g in ("all", key.split("-")[0]):
        err[g] += dist(r.split(), h.split())
        n[g] += len(r.split())

for g in sorted(n):
    print(f"{g:12} {n[g]:7}  wer {100 * err[g] / n[g]:5.2f}")
