"""A file's format: the name proposes, the bytes may object."""

from __future__ import annotations

import time

import pytest

from plantwin.private.classify.identify import identify
from plantwin.private.formats.text import narrow, wide
from tables import cases

PNG = b"\x89PNG\r\n\x1a\n" + bytes(64)
PYTHON = b"import os\nimport sys\n\n\ndef main():\n    return os.getcwd()\n\n\nif __name__ == '__main__':\n    main()\n"
LOG = b"".join(b"2024-03-01 10:00:%02d INFO worker started job %d\n" % (i, i) for i in range(20))


@cases("path", "format")
def test_an_empty_file_has_the_format_of_its_name(path: str, format: str) -> None:
    assert identify(path, b"") == format


@pytest.mark.parametrize(
    ("path", "head", "format"),
    [
        ("main.py", PNG, "opaque"),
        ("main.py", b"\x7fELF\x02\x01\x01" + bytes(60), "opaque"),
        ("notes.txt", PYTHON, "python"),
        ("notes.txt", b"Dear all,\n\nthe meeting is on Monday.\n", "text"),
        ("data.txt", LOG, "log"),
        ("payload.txt", b'{"a": 1, "b": [1, 2]}\n', "json"),
        ("table.txt", b"id,name,score\n1,ann,3\n2,bob,4\n3,cy,5\n", "csv"),
        ("deploy", b"#!/usr/bin/env bash\nset -e\necho hi\n", "shell"),
        ("tool", b"#!/usr/bin/python3.11 -u\nprint(1)\n", "python"),
        ("runner", b"#!/usr/bin/env -S node --no-warnings\n1\n", "javascript"),
        ("server.txt", b"-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----\n", "pem"),
        ("page.txt", b"<!DOCTYPE html>\n<html lang='en'><body></body></html>", "html"),
        ("feed", b"<?xml version='1.0'?>\n<rss></rss>", "xml"),
        ("records.json", b'{"a": 1}\n{"a": 2}\n{"a": 3}\n', "jsonl"),
        ("analysis.json", b'{"cells": [], "metadata": {}, "nbformat": 4}', "notebook"),
        ("script.py", b"<!DOCTYPE html><html></html>", "html"),
        ("script.py", b'{"name": "x", "version": 1}', "json"),
        ("shop.db", b"SQLite format 3\0" + bytes(84), "sqlite"),
        ("cache.db", b"\x00\x01\x02binary", "opaque"),
        ("weights.h5", b"\x89HDF\r\n\x1a\n" + bytes(20), "model"),
        ("weights.pt", b"PK\x03\x04" + bytes(20), "model"),
        ("weights.pt", b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "model"),
        ("weights.pt", PYTHON, "python"),
        ("site.conf", b"server {\n    listen 80;\n    location / {\n        root /srv;\n    }\n}\n", "nginx"),
        ("app.conf", b"[main]\nname = x\nport = 80\n", "ini"),
        ("vars", b"DB_HOST=localhost\nDB_PORT=5432\n# comment\nDEBUG=1\n", "env"),
        ("stack", b"version: 3\nservices:\n  web:\n    image: x\n    ports:\n      - 80\n", "yaml"),
        ("query", b"SELECT a, b\nFROM t\nWHERE a = 1;\n", "sql"),
        ("change", b"diff --git a/x b/x\n--- a/x\n+++ b/x\n", "diff"),
        ("cert.cer", b"\x30\x82\x03\x00" + bytes(40), "der"),
        ("report.docx", b"PK\x03\x04" + bytes(20), "office"),
        ("clip.ts", b"\x47\x40\x00\x10" + bytes(100), "opaque"),
        ("app.log", b'{"level": "info"}\n{"level": "warn"}\n', "log"),
        ("photo.png", PYTHON, "python"),
        ("x.bin", b"\x00" * 100, "opaque"),
        ("id", b"ssh-ed25519 AAAAC3Nza user@host\n", "pem"),
    ],
)
def test_content_that_contradicts_the_name_wins(path: str, head: bytes, format: str) -> None:
    assert identify(path, head) == format


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_wide_text_is_text(codec: str) -> None:
    head = ("import os\n" * 20).encode(codec)
    assert identify("a.py", head) == "python"
    assert wide(head)
    assert narrow(head, wide(head)) == b"import os\n" * 20


def test_prose_with_commas_is_no_table() -> None:
    prose = b"First, we met, then left.\nSecond, we ate, then slept.\nThird, we sang, then danced.\n"
    assert identify("story", prose) == "text"


@pytest.mark.parametrize(
    "head",
    [
        b"a" * 1_000_000,
        b"\n" * 1_000_000,
        b"[" * 1_000_000,
        b"{" * 1_000_000,
        b"\xff" * 100_000,
        b"- " * 400_000,
        b"a:" * 400_000,
    ],
    ids=["letters", "newlines", "brackets", "braces", "junk", "dashes", "colons"],
)
@pytest.mark.parametrize("path", ["x", "x.txt", "x.conf", "x.py", "x.json", "x.log"])
def test_identification_reads_a_bounded_part(path: str, head: bytes) -> None:
    start = time.process_time()
    assert identify(path, head)
    assert time.process_time() - start < 0.25


def test_broken_names_do_no_harm() -> None:
    for path in ("", ".", "..", "a/", "\udcff\udcfe", "a\nb.py\n", "." * 300, "x." + "y" * 10_000):
        assert identify(path, b"hello\n")


@pytest.mark.parametrize(
    ("path", "head", "format"),
    [
        ("audit.log.1", b"type=USER_LOGIN msg=audit(1700000000.100:7): pid=1 res=success\n", "log"),
        ("notes.md", LOG, "log"),
        ("tool.1", b".TH TOOL 1\n.SH NAME\ntool\n", "text"),
        ("dump", b"==12== Invalid read of size 4\n==12==    at 0x4005F4: main (a.c:9)\n==12== HEAP SUMMARY:\n", "log"),
        ("out", b"> Task :compileJava\n> Task :test FAILED\nBUILD FAILED in 3s\n", "log"),
        ("obs", b"day tmax tmin\n1 4.2 -1.0\n2 5.1 0.3\n3 3.9 -2.2\n", "tsv"),
        ("api", b'syntax = "proto3";\nmessage A { string id = 1; }\n', "proto"),
        ("steps", b"pipeline {\n  agent any\n  stages {\n    stage('A') { steps { sh 'x' } }\n  }\n}\n", "jenkinsfile"),
        ("all", b"all: app\n\napp: main.o\n\tcc -o app main.o\n\nclean:\n\trm -f app\n", "makefile"),
        ("zone", b"$TTL 60\n@ IN NS ns1.example.com.\nwww IN A 203.0.113.1\n", "netrules"),
        ("feed", b":20:START\n:25:1/2\n:61:2404110411D50,00\n", "interchange"),
        ("changes.bak", b"[one]\nuser=a\npass=b\n[two]\nuser=c\npass=d\n", "ini"),
        ("x.rng", b"<grammar><start/></grammar>\n", "xml"),
    ],
)
def test_a_name_that_says_nothing_leaves_it_to_the_lines(path: str, head: bytes, format: str) -> None:
    assert identify(path, head) == format
