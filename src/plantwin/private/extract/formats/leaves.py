"""The leaves of a settings tree: keys, flattened settings, and what single settings show on their own."""

from __future__ import annotations

import re
from typing import TypeGuard

from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.words import words

Tree = dict[str, object]

MAX_LEAVES = 2000
MAX_DEPTH = 24

ENVIRONMENTS = words(
    "default local development dev test testing ci qa uat integration staging stage sandbox preprod preproduction "
    "production prod live canary dr"
)

_KEYS: dict[str, str] = {
    word: feature
    for feature, words in {
        "hyperparameter": "lr learningrate learningratemultiplier epochs numepochs maxepochs numtrainepochs batchsize "
        "trainbatchsize perdevicetrainbatchsize evalbatchsize dropout droprate weightdecay warmupsteps warmupratio "
        "optimizer optim lrscheduler lrschedulertype momentum hiddensize hiddendim hiddenunits numlayers nlayers "
        "numhiddenlayers numattentionheads nheads nestimators maxdepth minsamplessplit minsamplesleaf subsample "
        "colsamplebytree gradientaccumulationsteps maxgradnorm gradclip earlystopping embeddingdim nembd "
        "validationsplit numleaves regalpha reglambda minchildweight kfolds nfolds temperature topk topp maxseqlength "
        "loraalpha lorarank loradropout numclasses imagesize imgsz labelsmoothing",
        "retention": "retention retentiondays retentionindays retentionperiod backupretentionperiod expirationindays "
        "noncurrentversionexpirationindays logretentiondays keepdays historylimit retentionpolicy maxbackups "
        "successfuljobshistorylimit failedjobshistorylimit revisionhistorylimit purgeafterdays deleteafterdays",
        "schedule": "cron schedule crontab cronexpression scheduleexpression scheduleinterval fixedrate",
        "resource_limit": "replicas minreplicas maxreplicas memlimit cpus memoryreservation memorysize memorymb "
        "desiredcount maxcapacity instancecount minsize maxsize",
        "health_check": "healthcheck livenessprobe readinessprobe startupprobe healthcheckpath",
        "secret_ref": "secretkeyref secretref secretname existingsecret imagepullsecrets valuefromsecret "
        "secretarn keyvaultid passwordsecret tokensecretref",
    }.items()
    for word in words.split()
}

_PROTECTIONS = words(
    "tls ssl https encryption encrypted encrypt storageencrypted verify verifyssl sslverify sslverification "
    "tlsverify verifycertificates checkcertificate rejectunauthorized logging accesslogging auditlogging audit "
    "enablelogging backup backups authentication authenticationenabled auth authenabled requireauth csrf "
    "csrfprotection enablecsrf deletionprotection enablelogfilevalidation versioning validatecerts strictssl "
    "xpacksecurityenabled blockpublicacls blockpublicpolicy restrictpublicbuckets"
)
_WEAKENINGS = words(
    "insecure insecureskipverify skiptlsverify tlsskipverify insecuretls disablessl disableauth "
    "disableauthentication allowinsecure noverify skipverify skipfinalsnapshot trustservercertificate "
    "allowanonymous nocheckcertificate permitrootlogin permitemptypasswords"
)
_PUBLIC = words("public publiclyaccessible publicaccess ispublic publicread allowpublicaccess")
_GRANTS = words(
    "action actions notaction resource resources verbs apigroups principal aws permissions roles scopes "
    "alloworigins allowedorigins allowedhosts corsorigins origin origins allowmethods allowheaders "
    "accesscontrolalloworigin"
)
_PRIVILEGES = words("privileged allowprivilegeescalation hostnetwork hostpid hostipc runasroot")
_FLAG_GROUPS = words("features feature featureflags featureflag flags flag toggles featuretoggles experiments switches")

_CONFIDENTIAL = r"(?:secret|password|passwd|passphrase|token|api_?key|credential|private_?key)"
_VALUE = re.compile(
    r"(?P<secret_ref>\$\{\{\s*secrets\.|\{\{resolve:(?:secretsmanager|ssm-secure)|^arn:aws:secretsmanager:|^vault:"
    r"|^op://|^(?:ref\+)?awssm://|^projects/[\w-]{1,80}/secrets/|^azurekeyvault:|^ENC\[|^!vault|^sops:|/run/secrets/"
    rf"|\$\{{?\w{{0,60}}{_CONFIDENTIAL}\w{{0,60}}\}}?|\{{\{{[^{{}}]{{0,80}}{_CONFIDENTIAL})"
    r"|(?P<public_exposure>^(?:0\.0\.0\.0|::|\[::\])(?:/0)?(?::\d+)?$|^0\.0\.0\.0/0|^LoadBalancer$|^internet-facing$"
    r"|^0\.0\.0\.0:\d)"
    r"|(?P<open_permission>^0?0?777$|^public-read|^allUsers$|^allAuthenticatedUsers$|^cluster-admin$"
    r"|^AdministratorAccess$|:policy/AdministratorAccess$)"
    r"|(?P<placeholder>^(?:<[^<>]{1,60}>|change[-_ ]?me\S{0,20}|your[-_ ][\w -]{1,50}|x{3,}|replace[-_ ]?(?:me"
    r"|this)\S{0,30}"
    r"|todo|tbd|fixme|dummy|placeholder|fill[-_ ]?(?:me|in)\S{0,20}|__[A-Z_]{2,40}__|\.\.\.)$)"
    r"|(?P<schedule>^(?:cron|rate)\([^()]{1,60}\)$|^@(?:hourly|daily|weekly|monthly|yearly)$"
    r"|^(?:[\d*/,-]{1,20} ){4,5}[\d*/,?LA-Za-z#-]{1,20}$)"
    r"|(?P<host_literal>^(?:https?|postgres(?:ql)?|mysql|redis|amqps?|mongodb(?:\+srv)?|kafka|tcp|wss?)://[^/\s${}]"
    r"|^(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5})?$"
    r"|^[a-z0-9][a-z0-9-]{0,62}(?:\.[a-z0-9-]{1,62}){0,5}\.(?:com|net|org|io|dev|internal|local|corp|lan|cloud|example)"
    r"(?::\d{1,5})?$)"
    r"|(?P<path_literal>^/(?:[\w.-]{1,80}/){1,12}[\w.-]{0,80}$|^[A-Z]:\\[\w\\ .-]{1,120}$)",
    re.IGNORECASE,
)
_VARIABLE = re.compile(r"\$\{([A-Za-z_]\w{1,80})(?::?[-?][^{}]{0,80})?\}|^\$([A-Z_][A-Z0-9_]{1,80})$")
_FLAG_NAME = re.compile(r"(?:enable|use|feature|ff|toggle|allow)[_-]?\w|\w[_-]enabled$|Enabled$")
_LIMIT_NAME = re.compile(
    r"(?:max|min|limit|threshold)(?:$|[_A-Z-])|(?:^|[_-]|[a-z])(?:threshold|limit|quota|timeout)$", re.I
)
_NUMBER = re.compile(r"[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")

_TRUE = frozenset({"true", "yes", "on", "True", "TRUE", "enabled"})
_FALSE = frozenset({"false", "no", "off", "False", "FALSE", "disabled", "none", "None", "disable"})


def is_tree(value: object) -> TypeGuard[Tree]:
    """A mapping of a decoded document (its keys are always strings)."""
    return type(value) is dict


def trees(value: object) -> list[Tree]:
    """The mappings of a list, or a mapping's mappings."""
    if type(value) is list:
        return [each for each in value if type(each) is dict]
    if type(value) is dict:
        return [each for each in value.values() if type(each) is dict]
    return []


def strings(value: object) -> list[str]:
    """A string, or the strings of a list."""
    if type(value) is str:
        return [value]
    return [each for each in value if type(each) is str] if type(value) is list else []


def text_of(value: object) -> str:
    """A scalar as a file would write it; nothing for what is not a scalar."""
    kind = type(value)
    if kind is str:
        return value  # type: ignore[return-value]
    if kind is bool:
        return "true" if value else "false"
    if kind is int or kind is float:
        return str(value) if kind is float or -(1 << 63) <= value < 1 << 64 else ""  # type: ignore[operator]
    return ""


def truth(value: object) -> bool | None:
    """True or false where a setting says so in any spelling."""
    if type(value) is bool:
        return value
    if type(value) is str:
        return True if value in _TRUE else False if value in _FALSE else None
    return None


def is_number(value: object) -> bool:
    """A number, or a short string that writes one."""
    kind = type(value)
    if kind is int or kind is float:
        return True
    return isinstance(value, str) and 0 < len(value) < 25 and _NUMBER.fullmatch(value) is not None


_plain: dict[str, str] = {}


def plain(key: str) -> str:
    """A key without case, dashes, dots and underscores."""
    known = _plain.get(key)
    if known is None:
        known = key.lower().replace("_", "").replace("-", "").replace(".", "")
        if len(_plain) < 4096 and len(key) < 64:
            _plain[key] = known
    return known


def judge(draft: Draft, key: str, value: object, flags: bool = False) -> None:
    """Count what one setting shows: by its key, its value, or both."""
    word = plain(key)
    feature = _KEYS.get(word)
    if feature and value not in ("", None):
        draft.add(feature)
    state = truth(value)
    if state is not None:
        _judge_switch(draft, word, key, state, flags)
        return
    if type(value) is not str:
        if word not in _KEYS and is_number(value) and _LIMIT_NAME.search(key):
            draft.add("threshold")
        return
    if not value or len(value) > 500:
        return
    if value == "*" and word in _GRANTS:
        draft.add("open_permission")
        return
    if word in _WEAKENINGS and value in ("0", "1"):
        draft.add("disabled_protection", value == "1")
    elif is_number(value):
        if word not in _KEYS and _LIMIT_NAME.search(key):
            draft.add("threshold")
        elif value in ("777", "0777"):
            draft.add("open_permission")
        return
    found = _VALUE.search(value)
    if found and found.lastgroup and found.lastgroup != feature:
        draft.add(found.lastgroup)
    if "$" in value:
        for match in _VARIABLE.finditer(value):
            draft.refer("env_key", match[1] or match[2], "configures")


def _judge_switch(draft: Draft, word: str, key: str, state: bool, flags: bool) -> None:
    if word in _WEAKENINGS:
        draft.add("disabled_protection", state)
    elif word in _PROTECTIONS or (word.endswith("enabled") and word[:-7] in _PROTECTIONS):
        draft.add("disabled_protection", not state)
    elif word in _PUBLIC:
        draft.add("public_exposure", state)
    elif word in _PRIVILEGES:
        draft.add("open_permission", state)
    elif flags or _FLAG_NAME.match(key):
        draft.add("feature_flag")


def survey(draft: Draft, root: object, settings: bool = True) -> int:
    """Walk a tree once, bounded: keys, names, settings and single judgements. Returns the leaves met."""
    left = MAX_LEAVES
    stack: list[tuple[str, str, object, int, bool]] = [("", "", root, 0, False)]
    while stack and left > 0:
        left -= 1
        path, key, value, depth, flags = stack.pop()
        kind = type(value)
        if kind is dict:
            if depth < MAX_DEPTH:
                for name, child in reversed(list(value.items())[:MAX_LEAVES]):  # type: ignore[attr-defined]
                    inner = flags or (type(child) is dict and plain(name) in _FLAG_GROUPS)
                    stack.append((f"{path}.{name}" if path else name, name, child, depth + 1, inner))
            if key:
                draft.name(key)
                if key in _BLOCKS:
                    judge(draft, key, "{}")
        elif kind is list:
            if depth < MAX_DEPTH:
                for number, child in reversed(list(enumerate(value[:200]))):  # type: ignore[index]
                    stack.append((f"{path}.{number}", key, child, depth + 1, flags))
        else:
            draft.add("key")
            draft.name(key)
            judge(draft, key, value, flags)
            if settings:
                draft.setting(path, text_of(value))
    return MAX_LEAVES - left


_BLOCKS = frozenset({"healthcheck", "livenessProbe", "readinessProbe", "startupProbe", "secretKeyRef", "secretRef"})


def environment_sections(draft: Draft, tree: Tree) -> None:
    """Count sections named after environments: two make a set."""
    for level in (tree, *trees(tree)[:20]):
        found = [key for key, value in level.items() if key.lower() in ENVIRONMENTS and type(value) is dict]
        if len(found) >= 2:
            draft.add("env_section", len(found))
            return
