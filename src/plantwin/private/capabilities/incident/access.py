"""What a secret opens, how grave that is, and how it is replaced: by its type, else by the name of its key."""

# ruff: noqa: E501 (one system, one row)

from __future__ import annotations

import re
from typing import NamedTuple

from plantwin.vocabulary import Severity


class Access(NamedTuple):
    """One sort of system that a secret opens."""

    word: str
    severity: Severity
    opens: str
    replace: str


STORE = Access(
    "secret store",
    Severity.CRITICAL,
    "every secret that is kept there",
    "revoke the token, read the store's audit log, then replace what it could read",
)
CLOUD = Access(
    "cloud",
    Severity.CRITICAL,
    "the cloud account or cluster, as far as its permissions reach",
    "make a new key, switch over, deactivate and delete the old one; read the account's audit trail",
)
DATABASE = Access(
    "database",
    Severity.CRITICAL,
    "the rows of a database",
    "change the password in the database and in every holder at once; look for unknown connections",
)
PAYMENT = Access(
    "payment",
    Severity.CRITICAL,
    "payments: charges, refunds, customers' payment data",
    "roll the key at the provider, check recent charges and payouts, tell who handles payments",
)
CODE = Access(
    "code",
    Severity.HIGH,
    "source code, packages or builds: others could be changed through it",
    "revoke the token, check pushes, releases and workflow runs since it leaked",
)
SIGN_IN = Access(
    "sign-in",
    Severity.HIGH,
    "sessions and tokens: whoever has it can sign in as anybody",
    "replace the signing key and end all sessions; tokens that were issued become invalid",
)
MACHINE = Access(
    "machine",
    Severity.HIGH,
    "machines, networks or encrypted traffic",
    "make a new pair, remove the old public key from every machine, replace certificates",
)
MESSAGES = Access(
    "messages",
    Severity.MEDIUM,
    "messages in the owner's name: mail, chat, calls",
    "roll the key at the provider and look at what was sent",
)
SERVICE = Access(
    "paid service",
    Severity.MEDIUM,
    "a service that is paid by use",
    "roll the key, set a spending limit, look at the use",
)
MONITORING = Access("monitoring", Severity.MEDIUM, "measurements, logs or alerts", "roll the key at the provider")
UNKNOWN = Access(
    "unknown",
    Severity.HIGH,
    "a system that neither its type nor its name tells",
    "find out who issued it, then replace it there",
)

_TYPES: tuple[tuple[Access, str], ...] = (
    (STORE, r"vault_|doppler|infisical|onepassword|bitwarden|akeyless|secure_string"),
    (PAYMENT, r"stripe|adyen|paypal|square_|braintree|razorpay|checkout_key|paddle|mercadopago|mercury|gocardless|plaid|paystack|flutterwave|wise_|ramp_|coinbase|pagarme|asaas|crypto_private|wallet_seed|extended_private"),
    (CODE, r"github|gitlab|bitbucket|git_credentials|gitea|npm_|pypi|rubygems|nuget|cratesio|docker|artifactory|jfrog|packagist|circleci|travis|jenkins|buildkite|drone|teamcity|harness|octopus|azure_devops|sonar|codecov|bundler|gradle|clojars|launchpad|sourcegraph|snyk"),
    (DATABASE, r"connection_password|sql_|pgpass|mongodb|planetscale|neon_|supabase|upstash|clickhouse|cloudant|aiven|xata|kafka|oracle_address|pinecone|airtable"),
    (CLOUD, r"aws_|azure_|gcp_|google_hmac|google_api_key|alibaba|digitalocean|hetzner|linode|vultr|scaleway|ibm_cloud|ovh|tencent|huawei|cloudflare|heroku|flyio|vercel|netlify|render_|railway|kube|openshift|rancher|terraform|pulumi|spacelift|scalr|backblaze|wasabi|softlayer|yandex|volcengine|northflank"),
    (SIGN_IN, r"jwt|session_|signed_token|okta|auth0|clerk|stytch|ory_|django_key|laravel_key|iron_seal|paseto|fernet|jwk|oauth|client_secret|installation_salt|directory_password|kerberos"),
    (MACHINE, r"private_key|ssh2|putty|netrc|device_password|wireguard|tailscale|zerotier|wifi|htpasswd|ftp_|age_secret|key_file|keystore|truenas|command_password|curl_user"),
    (MESSAGES, r"sendgrid|mail|postmark|slack|discord|telegram|teams_|twilio|brevo|mandrill|sparkpost|resend|messagebird|plivo|vonage|telnyx|chat_webhook|webhook|pushover|ntfy|matrix|webex|zendesk|intercom|line_token|courier|knock"),
    (MONITORING, r"datadog|newrelic|sentry|grafana|honeycomb|dynatrace|splunk|rollbar|bugsnag|pagerduty|opsgenie|logzio|axiom|betterstack|posthog|segment|amplitude|codeclimate|airbrake|logfire"),
    (SERVICE, r"openai|anthropic|cohere|mistral|groq|gemini|huggingface|replicate|deepgram|elevenlabs|perplexity|xai_|deepseek|openrouter|mapbox|algolia|maxmind|openweather|_key$"),
)  # fmt: skip
_NAMES: tuple[tuple[Access, str], ...] = (
    (STORE, r"vault"),
    (PAYMENT, r"stripe|pay(?:ment|pal)?|card|gateway|billing|merchant|checkout"),
    (CLOUD, r"aws|azure|gcp|cloud|s3|bucket|kube|terraform"),
    (DATABASE, r"database|(?:^|_)db|pg|postgres|mysql|mariadb|redis|mongo|sql|rabbit|amqp|kafka|elastic"),
    (CODE, r"git|npm|pypi|docker|registry|deploy|(?:^|_)ci(?:_|$)"),
    (SIGN_IN, r"jwt|session|secret_?key|signing|cookie|csrf|oauth|client_?secret|salt|pepper|auth|encryption|app_?key"),
    (MESSAGES, r"smtp|mail|sms|slack|twilio|webhook|push"),
    (MACHINE, r"ssh|root|admin|sudo|ldap|vpn|tls|ssl|cert"),
    (MONITORING, r"sentry|datadog|grafana|metric|log"),
)  # fmt: skip
_types = tuple((access, re.compile(pattern)) for access, pattern in _TYPES)
_names = tuple((access, re.compile(pattern, re.IGNORECASE)) for access, pattern in _NAMES)


def access_of(kind: str, key: str = "") -> Access:
    """What a secret opens. `kind` is the detector's type, `key` the name that it is kept under."""
    found = next((access for access, pattern in _types if pattern.search(kind)), None)
    if found is not None:
        return found
    return next((access for access, pattern in _names if key and pattern.search(key)), UNKNOWN)


_CLASSES = {
    "payment_module": PAYMENT,
    "authentication_module": SIGN_IN,
    "data_access": DATABASE,
    "messaging_module": MESSAGES,
}


def access_near(access: Access, semantic_class: str) -> Access:
    """Where nothing else tells: by the class of the object that holds or uses the secret."""
    return _CLASSES.get(semantic_class, UNKNOWN) if access is UNKNOWN else access
