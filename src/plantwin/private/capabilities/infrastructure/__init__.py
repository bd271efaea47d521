"""Checks of configuration and infrastructure files: one module per technology.

Each technology has `audit` (security rules, `rules/<topic>.toml`) and `validate` (validity rules,
`rules/<topic>_validity.toml`), as far as it has rules of the kind. `technologies` recognizes a file and dispatches.
audit_infrastructure runs the audits, validate_config the validations, security_audit the audits whose tags it declares;
lint reads the findings of `validity`.
"""
