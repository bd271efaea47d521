"""Sort a directory of collected artefacts by how odd they are."""
import argparse
import hashlib
import math
import pathlib
import sys
from collections import Counter


def entropy(data):
    if not data:
        return 0.0
    total = len(data)
    return -sum(n / total * math.log2(n / total) for n in Counter(data).values())


def main(argv=None):
    p = argparse.ArgumentParser(prog="triage", description=__doc__)
    p.add_argument("root", type=pathlib.Path)
    p.add_argument("--known", type=pathlib.Path, help="file with one sha256 per line to leave out")
    p.add_argument("-n", type=int, default=40)
    args = p.parse_args(argv)
    known = set(args.known.read_text().split()) if args.known else set()
    rows = []
    for path in args.root.rglob("*"):
        if not path.is_file():
            continue
        data = path.read_bytes()
        digest = hashlib.sha256(data).hexdigest()
        if digest not in known:
            rows.append((entropy(data[:65536]), digest[:12], path))
    for score, digest, path in sorted(rows, reverse=True)[: args.n]:
        print(f"{score:5.2f}  {digest}  {path}")
    return 0 if rows else 1


if __name__ == "__main__":
    sys.exit(main())
