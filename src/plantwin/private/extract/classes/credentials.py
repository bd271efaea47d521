"""Rows for the credentials family: keys, passwords, tokens, certificates."""

# fmt: off
from __future__ import annotations

from plantwin.private.extract.evidence import Row

KINDS = {
    "credentials_file": "secret_container",
    "private_key": "secret_container",
    "certificate": "secret_container config document structured_record",
}

ROWS = (
    Row("credentials_file", "format", "credentials env ini json yaml toml properties text xml hcl csv tsv",
        6.0, "kind=secret_container"),
    Row("credentials_file", "name", "password token secret credential api_key access_key client_secret", 0.8),
    Row("credentials_file", "path", "credential secret password token env netrc kubeconfig htpasswd vault", 2.0),
    Row("private_key", "feature", "private_key", 9.0),
    Row("private_key", "format", "keystore", 9.0),
    Row("private_key", "name", "rsa ec openssh private private_key", 1.0, "format=pem"),
    Row("private_key", "stem", "id_rsa id_dsa id_ecdsa id_ed25519", 3.0, "no=certificate,public_key"),
    Row("private_key", "file", "*.key *.ppk *.p8", 3.0, "no=certificate,public_key"),
    Row("private_key", "path", "private key keystore", 1.2),
    Row("certificate", "feature", "certificate public_key", 8.0, "no=private_key"),
    Row("certificate", "feature", "certificate public_key", 1.0, "has=private_key"),
    Row("certificate", "format", "der", 6.0),
    Row("certificate", "format", "pem", 2.0, "no=private_key"),
    Row("certificate", "file", "*.crt *.cer *.pub *.csr *.crl", 3.0, "no=private_key"),
    Row("certificate", "path", "cert certificate ca chain fullchain public pub", 1.5),
)
