"""Mails to members, through the provider's HTTP interface."""

import json
import urllib.request

PROVIDER = "https://mail-relay.quillmere.internal/v3/mail/send"
API_KEY = "{{secret:mail_key}}"


def send(to, subject, body):
    """Send one mail; True where the relay took it."""
    data = json.dumps({"to": to, "from": "perks@quillmere.example", "subject": subject, "html": body}).encode()
    request = urllib.request.Request(PROVIDER, data, {"Authorization": f"Bearer {API_KEY}"})
    with urllib.request.urlopen(request, timeout=5) as answer:
        return answer.status == 202


def expiry_notice(member, points, day):
    """Thirty days before points lapse."""
    return f"<p>Dear {member['name']},</p><p>{points} of your points lapse on {day:%d %B %Y}.</p>"
