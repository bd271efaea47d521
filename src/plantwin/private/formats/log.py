"""How records of logs begin."""

from __future__ import annotations

import re

START = re.compile(
    r"(?:(?P<system><\d{1,3}>(?:1 )?"
    r"|(?:<\d{1,3}>)?[A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2}(?: \d{4})? [\w.:-]{1,100} "
    r"[\w./ ()-]{1,60}(?:\[\d{1,8}\])?: "
    r"|\[ {0,8}\d{1,7}\.\d{6}\] "
    r"|\d{4}-\d\d-\d\dT[\d:.]{8,15}[+-]\d\d:\d\d [\w.-]{1,80} [\w./-]{1,60}(?:\[\d{1,8}\])?: )"
    r"|(?P<access>\S{1,100} \S{1,60} \S{1,100} \[\d{2}/[A-Z][a-z]{2}/\d{4}:)"
    r"|(?P<klog>[IWEF]\d{4} \d{2}:\d{2}:\d{2}\.\d)|(?P<json>\{\s{0,4}\")|(?P<logfmt>(?:time|ts|level|lvl|msg|at"
    r"|timestamp)=\S|[a-z_]{2,30}=[^\s=]{1,200}(?: [a-z_.]{1,40}=[^\s=]{0,300}){4})"
    r"|(?P<journal>__REALTIME_TIMESTAMP=\d)|(?P<audit>type=[A-Z_]{3,30} msg=audit\(\d)|(?P<network>1\d{9}\.\d{6}\t"
    r"|\d{1,2} \d{12} eni-"
    r"| {0,8}\d{1,7} {1,6}\d{1,7}\.\d{4,9} {1,20}[0-9a-f.:]{3,45} |\d{2}:\d{2}:\d{2}\.\d{6} (?:IP6?|ARP) )"
    r"|(?P<stamp>(?:[DIWEFA], )?[\[(\"'<|]{0,2}(?:\d{4}[-/.]\d{2}[-/.]\d{2}(?:[T _]|, )\d{2}:\d{2}"
    r"|\d{2}/[A-Z][a-z]{2}/\d{4}[: ]|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2}"
    r"|[A-Z][a-z]{2} [ \d]\d,? (?:\d{4},? )?\d{1,2}:\d{2}:\d{2}|\d{1,2}[/-]\d{1,2}[/-]\d{2,4},? \d{1,2}:\d{2}"
    r"|\d{2}-[A-Z][a-z]{2}-\d{4} |\d{6} \d{6} |1\d{9}(?:\.\d{1,9}|\d{3})?[\s\],]|\d{8}T\d{6}"
    r"|\d{2}:\d{2}:\d{2}(?:[.,]\d{1,6})?[\s\])|]|\d{4}-\d{2}-\d{2} ))|(?P<level>[\[(<]?(?:DEBUG|INFO|WARN|WARNING"
    r"|ERROR|FATAL|CRITICAL|TRACE|NOTICE)[\])>:]{1,2}\s|(?:INFO|ERROR|WARN|DEBUG)\s{1,4}[\[\w]"
    r"|[\w./-]{1,60}[ |]{1,4}[\[|(]?\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}))"
)
"""How a record of a log begins; the group says of which sort it is."""
