"""What a single setting shows on its own: by its key, by its value, or by both."""

from __future__ import annotations

import re

from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.leaves import is_number, plain, truth
from plantwin.private.extract.formats.words import words

_KEYS: dict[str, str] = {
    word: feature
    for feature, words in {
        "hyperparameter": "lr learningrate learningratemultiplier epochs numepochs maxepochs numtrainepochs batchsize "
        "trainbatchsize perdevicetrainbatchsize evalbatchsize dropout droprate weightdecay warmupsteps warmupratio "
        "optimizer optim lrscheduler lrschedulertype momentum hiddensize hiddendim hiddenunits numlayers nlayers "
        "numhiddenlayers numattentionheads nheads nestimators maxdepth minsamplessplit minsamplesleaf subsample "
        "colsamplebytree gradientaccumulationsteps maxgradnorm gradclip earlystopping embeddingdim nembd "
        "validationsplit numleaves regalpha reglambda minchildweight kfolds nfolds temperature topk topp maxseqlength "
        "maxnewtokens numbeams lengthpenalty norepeatngramsize repetitionpenalty bostokenid eostokenid padtokenid "
        "decoderstarttokenid vocabsize maxpositionembeddings intermediatesize hiddenact layernormeps initializerrange "
        "torchdtype tokenizerclass numkeyvalueheads ropetheta dmodel modelmaxlength unktoken bostoken eostoken"
        " padtoken "
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
FLAG_GROUPS = words("features feature featureflags featureflag flags flag toggles featuretoggles experiments switches")

_CONFIDENTIAL = r"(?:secret|password|passwd|passphrase|token|api_?key|credential|private_?key)"
_INSIDE = re.compile(
    rf"\$\{{\{{\s*secrets\.|\$\{{?\w{{0,60}}?{_CONFIDENTIAL}|\{{\{{[^{{}}]{{0,80}}?{_CONFIDENTIAL}"
    r"|\{\{resolve:(?:secretsmanager|ssm-secure)",
    re.IGNORECASE,
)
"""References to secrets anywhere in a value: looked for only where it holds an expression."""
_NUMERIC = re.compile(
    r"(?P<public_exposure>0\.0\.0\.0(?:/0|:\d{1,5})?$|::(?:/0)?$)"
    r"|(?P<host_literal>(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5})?$)"
    r"|(?P<schedule>(?:[\d*/,-]{1,20} ){4,5}[\d*/,?LA-Za-z#-]{1,20}$)"
)
_ADDRESS = re.compile(
    r"(?P<secret_ref>arn:aws:secretsmanager:|vault:|op://|(?:ref\+)?awssm://|azurekeyvault:|sops:)"
    r"|(?P<open_permission>arn:aws:iam::aws:policy/AdministratorAccess$)"
    r"|(?P<host_literal>(?:https?|postgres(?:ql)?|mysql|redis|amqps?|mongodb(?:\+srv)?|kafka|tcp|wss?)://[^/\s${}]"
    r"|[a-z0-9][a-z0-9-]{0,62}(?:\.[a-z0-9-]{1,62}){0,5}"
    r"\.(?:com|net|org|io|dev|internal|local|corp|lan|cloud|example)(?::\d{1,5})?$)"
    r"|(?P<path_literal>[A-Z]:\\[\w\\ .-]{1,120}$)",
    re.IGNORECASE,
)
_PATH = re.compile(r"(?P<secret_ref>/run/secrets/)|(?P<path_literal>/(?:[\w.-]{1,80}/){1,12}[\w.-]{0,80}$)")
_WORD = re.compile(
    r"(?P<placeholder><[^<>]{1,60}>$|change[-_ ]?me\S{0,20}$|your[-_ ][\w -]{1,50}$|x{3,60}$"
    r"|replace[-_ ]?(?:me|this)\S{0,30}$|fill[-_ ]?(?:me|in)\S{0,20}$|__[A-Z_]{2,40}__$"
    r"|(?:todo|tbd|fixme|dummy|placeholder)$)"
    r"|(?P<schedule>(?:cron|rate)\([^()]{1,60}\)$|@(?:hourly|daily|weekly|monthly|yearly)$)"
    r"|(?P<open_permission>public-read|(?:allUsers|allAuthenticatedUsers|cluster-admin|AdministratorAccess)$)"
    r"|(?P<public_exposure>(?:LoadBalancer|internet-facing|PublicRead)$)"
    r"|(?P<secret_ref>projects/[\w-]{1,80}/secrets/|ENC\[|!vault)",
    re.IGNORECASE,
)
_WORD_FIRST = frozenset("<cyxrf_tdpCYXRFTDP@aAlLiIeE!")
_VARIABLE = re.compile(r"\$\{([A-Za-z_]\w{1,80})(?::?[-?][^{}]{0,80})?\}|^\$([A-Z_][A-Z0-9_]{1,80})$")
_FLAG_NAME = re.compile(r"(?:enable|use|feature|ff|toggle|allow)[_-]?\w|\w[_-]enabled$|Enabled$")
_LIMIT_NAME = re.compile(
    r"(?:max|min|limit|threshold)(?:$|[_A-Z-])|(?:^|[_-]|[a-z])(?:threshold|limit|quota|timeout)$", re.I
)
BLOCKS = frozenset({"healthcheck", "livenessProbe", "readinessProbe", "startupProbe", "secretKeyRef", "secretRef"})
"""Blocks whose presence says something, whatever they hold."""


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
    shown = _shown(value)
    if shown and shown != feature:
        draft.add(shown)
    if "$" in value:
        for match in _VARIABLE.finditer(value):
            draft.refer("env_key", match[1] or match[2], "configures")


def _shown(value: str) -> str:
    """The feature that a value shows; its first character decides which expressions can match."""
    first = value[0]
    if ("$" in value or "{{" in value) and _INSIDE.search(value):
        return "secret_ref"
    if first in "0123456789*:":
        found = _NUMERIC.match(value)
    elif first == "/":
        found = _PATH.match(value)
    else:
        found = _WORD.match(value) if first in _WORD_FIRST else None
        if found is None and ("." in value or ":" in value):
            found = _ADDRESS.match(value)
    return (found.lastgroup or "") if found else ""


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
