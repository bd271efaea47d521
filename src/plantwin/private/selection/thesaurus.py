"""Words that mean much the same in the work that this is for: a goal says `login`, the code `authenticate`."""

from __future__ import annotations

from typing import Final

from plantwin.private.selection.stems import stem

_LINES: Final = """
login logon signin authenticate authentication auth session credential sso oauth password identity
authorize authorization permission role access acl privilege rbac grant policy
user account member customer person people profile subscriber client
payment pay billing charge checkout invoice card refund transaction settlement purchase stripe
price pricing cost amount fee discount coupon tariff money currency
order cart basket purchase shop store product item
email mail smtp message notification newsletter inbox sender
secret credential key token password apikey certificate private vault
encrypt encryption cipher crypto decrypt hash signature tls certificate
leak exposure disclose breach compromise
bug error failure exception crash fault defect traceback broken fail
outage incident downtime disruption alert postmortem
slow latency performance bottleneck timeout delay throughput speed
retry backoff attempt resend reconnect
cache caching memoize redis memcached ttl
queue worker job task broker celery kafka message consumer
schedule scheduler cron periodic timer nightly calendar
log logging logger trace audit record
metric monitoring telemetry dashboard statistic measure prometheus
deploy deployment release rollout publish ship delivery
container docker image kubernetes pod cluster helm compose
infrastructure terraform cloud provision server network firewall subnet
backup restore snapshot archive recovery dump
database sql table query postgres mysql sqlite schema
migration migrate schema upgrade alter
import ingest load loader extract fetch pull
export dump save write download
parse parser tokenize lexer grammar decode
serialize serialization marshal encode json pickle
validate validation check verify sanitize constraint
config configuration setting option preference environment
test testing unittest pytest spec fixture mock
dependency package requirement library lock version pinned
license licence copyright terms legal agreement
contract agreement clause obligation party lease
privacy gdpr personal anonymize pseudonymize consent pii redact
model training train neural network classifier weights checkpoint
dataset data sample corpus rows records csv
evaluate evaluation accuracy benchmark score metric
predict prediction inference forecast serving
picture image photo thumbnail graphic icon
draw plot chart graph render figure
screen page view layout component interface frontend
accessibility contrast aria wcag keyboard reader
form input field submit button checkbox
translate translation locale language i18n localization gettext
date time calendar timezone clock timestamp
file folder directory filesystem upload download
compress compression zip gzip archive tar
search find lookup index match
sort order rank ordering
download fetch request http client retrieve
endpoint route api handler controller rest url
upload multipart attachment
temperature weather sensor climate heat
health medical patient clinic hospital diagnosis
salary payroll employee wage staff hr
meeting minutes agenda notes
guide manual tutorial documentation readme howto instructions
runbook playbook procedure oncall escalation
changelog history news release
inventory stock warehouse supply
shipment shipping delivery courier tracking parcel
throttle throttling ratelimit limiter flood quota burst bucket limit abuse
bounce undeliverable delivered delivery suppress unsubscribe
toggle flag feature experiment rollout switch enabled
distance nearest closest location coordinate geo map route haversine
station stop pickup depot branch
nearby nearest closest
voucher coupon promotion discount rebate gift
signin login
signup register registration onboarding enroll
signout logout
pentest penetration tester weakness vulnerability finding exploit cve
thermometer temperature celsius thermostat sensor reading degrees freezing
french german spanish english locale translation
text string label message caption copy
drop discard filter exclude missing lost vanish disappear remove
duplicate repeated twice double idempotent dedupe
overdue late unpaid dunning reminder debt collection
cancel cancellation churn unsubscribe terminate quit leave
rent lease tenant landlord premises office
hire hiring recruit candidate applicant job
tax vat duty customs levy
round rounding decimal precision truncate
sale sales revenue turnover income earnings profit
expense spending budget cost reimbursement
conflict merge concurrent race lock deadlock
offline sync synchronize replicate replication
memory leak oom heap allocation garbage
disk full space storage volume quota
crawl spider scrape robots
intrusion attack brute attacker hacker break
jump bastion gateway proxy vpn
ssh remote shell terminal console
vulnerable unsafe insecure injection xss traversal
traversal escape symlink parent
archive zip tar unpack extract
webhook callback event subscription bus publish
event bus publish subscribe stream kafka topic
decision adr rationale architecture choice
minutes meeting board agenda action decided
vote poll election ballot survey
patient diagnosis clinical medical treatment study trial
measurement reading sample observation instrument
vehicle car fleet driver trip
flight booking reservation ticket hotel
student course lesson grade school teacher
recipe food restaurant menu kitchen
video audio stream codec media player
game player score level match
chat conversation bot assistant dialogue
recommend recommendation suggestion ranking personalize
fraud suspicious anomaly risk chargeback
address street postal city zip location
phone telephone mobile sms number
old stale obsolete deprecated outdated legacy unused
reverse proxy nginx edge ingress load balancer
redirect forward rewrite
certificate expiry tls ssl renew
purge delete cleanup retention expire remove
evict restart crash oomkilled probe limits
replica scale autoscale instances
compare difference diff drift
spreadsheet excel workbook sheet cell
pdf document print page
font glyph typography text
color colour palette theme
password passphrase hash bcrypt salt
upload attachment multipart blob
thread process worker pool concurrency parallel
network socket connection tcp port
random seed entropy nonce
statistics mean median average variance deviation
"""

MEANINGS: Final = tuple(tuple(line.split()) for line in _LINES.strip().splitlines())
"""Each line is one meaning; a word may have several."""


def alike() -> dict[str, frozenset[str]]:
    """By the stem of each word, the stems of those that mean much the same."""
    found: dict[str, set[str]] = {}
    for words in MEANINGS:
        stems = {stem(word) for word in words}
        for each in stems:
            found.setdefault(each, set()).update(stems - {each})
    return {each: frozenset(others) for each, others in found.items()}
