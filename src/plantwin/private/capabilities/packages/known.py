"""Versions with a published weakness. A small table for work without a network: dated, and far from complete.

A row: ecosystem, package, what is affected, its identifier, its severity, and what it is about. What is affected is
`<1.2` (everything before), `>=1.0 <1.2`, several of them joined by `|`, exact versions after `=`, or `*`.
"""

# ruff: noqa: E501 (one weakness, one row)

from __future__ import annotations

from datetime import date
from functools import cache
from typing import NamedTuple

from plantwin.private.capabilities.packages.entry import normal, version

AS_OF = date(2025, 12, 10)
"""Of the youngest row. What was published later is not in here."""
SOURCE = "entered by hand from general knowledge of published advisories: look a finding up before acting on it"

_TABLE = """
pypi aiohttp | <3.9.2 | CVE-2024-23334 | high | static files can be left through `..`
pypi bleach | <3.3.0 | CVE-2021-23980 | medium | cross-site scripting
pypi celery | <5.2.2 | CVE-2021-23727 | high | commands from a result backend
pypi certifi | <2023.7.22 | CVE-2023-37920 | high | trusts removed authorities
pypi cryptography | <3.3.2 | CVE-2020-36242 | critical | buffer overflow
pypi cryptography | >=38.0.0 <42.0.4 | CVE-2024-26130 | high | crash on a crafted file
pypi ctx | =0.1.2,0.2.2,0.2.6 | malware | critical | taken over; sends environment variables away
pypi django | >=2.2 <2.2.28 / >=3.2 <3.2.13 / >=4.0 <4.0.4 | CVE-2022-28346 | critical | SQL injection
pypi ecdsa | * | CVE-2024-23342 | medium | timing of signatures; will not be mended
pypi fastapi | <0.109.1 | CVE-2024-24762 | high | hangs on a crafted form
pypi flask | <2.2.5 / >=2.3.0 <2.3.2 | CVE-2023-30861 | high | a proxy may hand out session cookies
pypi gunicorn | <22.0.0 | CVE-2024-1135 | high | request smuggling
pypi h11 | <0.16.0 | CVE-2025-43859 | critical | request smuggling
pypi httplib2 | <0.19.0 | CVE-2021-21240 | high | hangs on a crafted header
pypi idna | <3.7 | CVE-2024-3651 | medium | hangs on a crafted name
pypi jinja2 | <2.11.3 | CVE-2020-28493 | medium | hangs on crafted text
pypi jinja2 | >=3.0.0 <3.1.5 | CVE-2024-56201 | high | leaves its sandbox
pypi lxml | <4.6.5 | CVE-2021-43818 | high | cross-site scripting
pypi mlflow | <2.2.1 | CVE-2023-1177 | critical | reads any file
pypi paramiko | <1.17.6 / >=1.18 <1.18.5 / >=2.0 <2.0.8 / >=2.1 <2.1.5 / >=2.2 <2.2.3 / >=2.3 <2.3.2 / >=2.4 <2.4.1 | CVE-2018-7750 | critical | sign-in can be skipped
pypi pillow | <9.0.0 | CVE-2022-22817 | critical | runs code of an expression
pypi pillow | >=9.0.0 <10.0.1 | CVE-2023-4863 | high | overflow in WebP
pypi pillow | >=10.0.1 <10.2.0 | CVE-2023-50447 | critical | runs code of an expression
pypi protobuf | <4.25.8 / >=5.26.0 <5.29.5 / >=6.30.0 <6.31.1 | CVE-2025-4565 | high | deep messages crash it
pypi pycrypto | * | CVE-2013-7459 | critical | overflow; not maintained since 2013, use pycryptodome
pypi pyjwt | <1.5.1 | CVE-2017-11424 | high | keys can be confused
pypi pyjwt | >=1.5.1 <2.4.0 | CVE-2022-29217 | high | keys can be confused
pypi python-jose | <3.4.0 | CVE-2024-33663 | high | keys can be confused
pypi python-multipart | <0.0.18 | CVE-2024-53981 | high | hangs on a crafted form
pypi pyyaml | <5.4 | CVE-2020-14343 | critical | loads run code
pypi requests | <2.20.0 | CVE-2018-18074 | high | sends credentials to others
pypi requests | >=2.20.0 <2.31.0 | CVE-2023-32681 | medium | sends proxy credentials to others
pypi requests | >=2.31.0 <2.32.0 | CVE-2024-35195 | medium | a session goes on without verification
pypi setuptools | <65.5.1 | CVE-2022-40897 | medium | hangs on a crafted page
pypi setuptools | >=65.5.1 <78.1.1 | CVE-2025-47273 | high | writes files anywhere
pypi sqlalchemy | <1.2.18 / >=1.3.0b1 <1.3.0b3 | CVE-2019-7164 | critical | SQL injection
pypi starlette | <0.40.0 | CVE-2024-47874 | high | a form fills the memory
pypi torch | <2.6.0 | CVE-2025-32434 | critical | loading weights runs code
pypi tornado | <6.4.2 | CVE-2024-52804 | high | hangs on crafted cookies
pypi transformers | <4.36.0 | CVE-2023-6730 | high | loading a model runs code
pypi ultralytics | =8.3.41,8.3.42,8.3.45,8.3.46 | malware | critical | published by an attacker
pypi urllib3 | <1.26.5 | CVE-2021-33503 | high | hangs on a crafted address
pypi urllib3 | >=1.26.5 <1.26.17 / >=2.0.0 <2.0.6 | CVE-2023-43804 | high | sends cookies to others
pypi werkzeug | <2.2.3 | CVE-2023-25577 | high | a form fills the memory
pypi werkzeug | >=2.2.3 <3.0.3 | CVE-2024-34069 | high | the debugger can be reached
pypi zipp | <3.19.1 | CVE-2024-5569 | medium | hangs on a crafted archive
npm ansi-regex | >=3.0.0 <3.0.1 / >=4.0.0 <4.1.1 / >=5.0.0 <5.0.1 / >=6.0.0 <6.0.1 | CVE-2021-3807 | high | hangs on crafted text
npm ansi-styles | =6.2.2 | malware | critical | published by an attacker
npm axios | <0.21.2 | CVE-2021-3749 | high | hangs on crafted text
npm axios | >=1.0.0 <1.8.2 / >=0.21.2 <0.30.0 | CVE-2025-27152 | high | sends credentials to others
npm body-parser | <1.20.3 | CVE-2024-45590 | high | hangs on a crafted form
npm braces | <3.0.3 | CVE-2024-4068 | high | crafted text fills the memory
npm chalk | =5.6.1 | malware | critical | published by an attacker
npm coa | =2.0.3,2.0.4,2.1.1,2.1.3,3.0.1,3.1.3 | malware | critical | published by an attacker
npm colors | =1.4.1,1.4.2,1.4.44-liberty-2 | sabotage | high | loops for ever
npm cross-spawn | <6.0.6 / >=7.0.0 <7.0.5 | CVE-2024-21538 | high | hangs on crafted text
npm debug | =4.4.2 | malware | critical | published by an attacker
npm ejs | <3.1.7 | CVE-2022-29078 | critical | runs code of an option
npm eslint-scope | =3.7.2 | malware | critical | steals tokens
npm event-stream | =3.3.6 | malware | critical | steals wallets
npm express | <4.17.3 | CVE-2022-24999 | high | hangs on a crafted query
npm express | >=4.17.3 <4.19.2 | CVE-2024-29041 | medium | open redirect
npm faker | =6.6.6 | sabotage | high | emptied by its author
npm flatmap-stream | * | malware | critical | steals wallets
npm follow-redirects | <1.15.6 | CVE-2024-28849 | medium | sends credentials to others
npm glob-parent | <5.1.2 | CVE-2020-28469 | high | hangs on crafted text
npm handlebars | <4.7.7 | CVE-2021-23369 | critical | templates run code
npm ip | * | CVE-2024-29415 | high | takes private addresses for public; not mended
npm jquery | <3.5.0 | CVE-2020-11022 | medium | cross-site scripting
npm json5 | <1.0.2 / >=2.0.0 <2.2.2 | CVE-2022-46175 | high | prototype pollution
npm jsonwebtoken | <9.0.0 | CVE-2022-23539 | high | weak keys are accepted
npm loader-utils | <1.4.1 / >=2.0.0 <2.0.3 | CVE-2022-37601 | critical | prototype pollution
npm lodash | <4.17.12 | CVE-2019-10744 | critical | prototype pollution
npm lodash | >=4.17.12 <4.17.21 | CVE-2021-23337 | high | templates run commands
npm micromatch | <4.0.8 | CVE-2024-4067 | medium | hangs on crafted text
npm minimist | <0.2.4 / >=1.0.0 <1.2.6 | CVE-2021-44906 | critical | prototype pollution
npm moment | >=2.18.0 <2.29.4 | CVE-2022-31129 | high | hangs on a crafted date
npm next | >=11.1.4 <12.3.5 / >=13.0.0 <13.5.9 / >=14.0.0 <14.2.25 / >=15.0.0 <15.2.3 | CVE-2025-29927 | critical | authorization can be skipped
npm node-fetch | <2.6.7 / >=3.0.0 <3.1.1 | CVE-2022-0235 | high | sends credentials to others
npm node-ipc | =10.1.1,10.1.2 | CVE-2022-23812 | critical | overwrites files
npm path-to-regexp | <0.1.10 / >=1.0.0 <1.9.0 / >=2.0.0 <3.3.0 / >=4.0.0 <6.3.0 | CVE-2024-45296 | high | hangs on a crafted path
npm qs | <6.2.4 / >=6.3.0 <6.3.3 / >=6.4.0 <6.4.1 / >=6.5.0 <6.5.3 / >=6.6.0 <6.6.1 / >=6.7.0 <6.7.3 / >=6.8.0 <6.8.3 / >=6.9.0 <6.9.7 / >=6.10.0 <6.10.3 | CVE-2022-24999 | high | hangs on a crafted query
npm rc | =1.2.9,1.3.9,2.3.9 | malware | critical | published by an attacker
npm react-server-dom-webpack | =19.0.0,19.1.0,19.1.1,19.2.0 | CVE-2025-55182 | critical | requests run code
npm request | * | CVE-2023-28155 | medium | reaches internal hosts; not maintained since 2020
npm semver | <5.7.2 / >=6.0.0 <6.3.1 / >=7.0.0 <7.5.2 | CVE-2022-25883 | high | hangs on crafted text
npm serialize-javascript | <3.1.0 | CVE-2020-7660 | high | runs code of an object
npm strip-ansi | =7.1.1 | malware | critical | published by an attacker
npm tar | <4.4.18 / >=5.0.0 <5.0.10 / >=6.0.0 <6.1.9 | CVE-2021-37713 | high | writes files anywhere
npm tar | >=6.1.9 <6.2.1 | CVE-2024-28863 | medium | crafted archives fill the memory
npm tough-cookie | <4.1.3 | CVE-2023-26136 | medium | prototype pollution
npm ua-parser-js | =0.7.29,0.8.0,1.0.0 | malware | critical | published by an attacker
npm underscore | >=1.3.2 <1.12.1 | CVE-2021-23358 | high | templates run code
npm word-wrap | <1.2.4 | CVE-2023-26115 | medium | hangs on crafted text
npm ws | >=7.0.0 <7.5.10 / >=8.0.0 <8.17.1 | CVE-2024-37890 | high | crashes on many headers
npm y18n | <3.2.2 / >=4.0.0 <4.0.1 / >=5.0.0 <5.0.5 | CVE-2020-7774 | high | prototype pollution
maven com.alibaba:fastjson | <1.2.83 | CVE-2022-25845 | critical | loads run code
maven com.fasterxml.jackson.core:jackson-databind | <2.12.6.1 / >=2.13.0 <2.13.2.1 | CVE-2020-36518 | high | deep documents crash it
maven com.h2database:h2 | >=1.1.100 <2.0.206 | CVE-2021-42392 | critical | its console runs code
maven commons-collections:commons-collections | >=3.0 <3.2.2 | CVE-2015-7501 | critical | loads run code
maven log4j:log4j | * | CVE-2019-17571 | critical | loads run code; not maintained since 2015
maven org.apache.commons:commons-text | >=1.5 <1.10.0 | CVE-2022-42889 | critical | texts run code
maven org.apache.logging.log4j:log4j-core | >=2.0 <2.3.1 / >=2.4 <2.12.2 / >=2.13.0 <2.15.0 | CVE-2021-44228 | critical | messages run code
maven org.apache.logging.log4j:log4j-core | >=2.15.0 <2.16.0 | CVE-2021-45046 | critical | messages run code
maven org.apache.logging.log4j:log4j-core | >=2.16.0 <2.17.0 | CVE-2021-45105 | high | a message crashes it
maven org.apache.struts:struts2-core | <2.5.33 / >=6.0.0 <6.3.0.2 | CVE-2023-50164 | critical | uploads run code
maven org.postgresql:postgresql | <42.2.28 / >=42.3.0 <42.3.9 / >=42.4.0 <42.4.4 / >=42.5.0 <42.5.5 / >=42.6.0 <42.6.1 / >=42.7.0 <42.7.2 | CVE-2024-1597 | critical | SQL injection
maven org.springframework:spring-beans | <5.2.20 / >=5.3.0 <5.3.18 | CVE-2022-22965 | critical | requests run code
maven org.yaml:snakeyaml | <2.0 | CVE-2022-1471 | high | loads run code
go github.com/dgrijalva/jwt-go | * | CVE-2020-26160 | high | audience is not checked; not maintained, use golang-jwt
go github.com/gogo/protobuf | <1.3.2 | CVE-2021-3121 | high | crashes on a crafted message
go github.com/golang-jwt/jwt/v4 | <4.5.2 | CVE-2025-30204 | high | a crafted token fills the memory
go golang.org/x/crypto | <0.17.0 | CVE-2023-48795 | medium | SSH messages can be dropped
go golang.org/x/crypto | >=0.17.0 <0.31.0 | CVE-2024-45337 | critical | SSH keys can be confused
go golang.org/x/net | <0.17.0 | CVE-2023-39325 | high | rapid resets exhaust a server
go gopkg.in/yaml.v2 | <2.2.4 | CVE-2022-3064 | high | hangs on a crafted document
cargo regex | <1.5.5 | CVE-2022-24713 | high | hangs on a crafted pattern
cargo smallvec | >=0.6.3 <0.6.14 / >=1.0.0 <1.6.1 | CVE-2021-25900 | critical | buffer overflow
cargo time | >=0.1.0 <0.2.0 / >=0.2.7 <0.2.23 | CVE-2020-26235 | medium | may crash with threads
rubygems bootstrap-sass | =3.2.0.3 | malware | critical | published by an attacker
rubygems rack | <2.0.9.1 / >=2.1.0 <2.1.4.1 / >=2.2.0 <2.2.3.1 | CVE-2022-30123 | critical | log lines run commands
rubygems rest-client | =1.6.10,1.6.11,1.6.12,1.6.13 | CVE-2019-15224 | critical | published by an attacker
rubygems strong_password | =0.0.7 | CVE-2019-13354 | critical | published by an attacker
packagist dompdf/dompdf | <2.0.2 | CVE-2023-23924 | critical | pages run code
packagist phpmailer/phpmailer | <5.2.18 | CVE-2016-10033 | critical | a sender's name runs commands
packagist phpunit/phpunit | <4.8.28 / >=5.0.0 <5.6.3 | CVE-2017-9841 | critical | requests run code
packagist twig/twig | >=1.0.0 <1.44.7 / >=2.0.0 <2.15.3 / >=3.0.0 <3.4.3 | CVE-2022-39261 | high | reads any file
actions tj-actions/changed-files | <46.0.1 | CVE-2025-30066 | high | its tags were moved to code that prints secrets
actions reviewdog/action-setup | =1 | CVE-2025-30154 | high | its tag was moved to code that prints secrets
"""


class Known(NamedTuple):
    """One published weakness."""

    identifier: str
    severity: str
    about: str
    affected: str


@cache
def table() -> dict[tuple[str, str], list[Known]]:
    """Weaknesses by ecosystem and package."""
    found: dict[tuple[str, str], list[Known]] = {}
    for row in _TABLE.strip().split("\n"):
        head, affected, identifier, severity, about = (each.strip() for each in row.split(" | "))
        ecosystem, _, name = head.partition(" ")
        found.setdefault((ecosystem, normal(ecosystem, name)), []).append(Known(identifier, severity, about, affected))
    return found


def weaknesses(ecosystem: str, name: str, held: str) -> list[Known]:
    """The known weaknesses of one version of a package."""
    return [each for each in table().get((ecosystem, normal(ecosystem, name)), ()) if _hit(each.affected, held)]


def _hit(affected: str, held: str) -> bool:
    if affected == "*":
        return True
    bare = held.strip().lstrip("v=")
    if affected.startswith("="):
        return bare in affected[1:].split(",")
    at = version(bare)
    return at is not None and any(_inside(each.split(), at) for each in affected.split("/"))


def _inside(bounds: list[str], at: tuple[int, ...]) -> bool:
    for each in bounds:
        bound = version(each.lstrip("<>="))
        if bound is None or (at < bound if each.startswith(">=") else at >= bound):
            return False
    return bool(bounds)
