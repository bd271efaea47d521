"""Lines that programs print: log records, stack traces, builds, traces, counters."""

from __future__ import annotations

import re

_TIME = (
    rb"(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d|\d{1,2}[-/]\d{1,2}[-/]\d{2,4},?[T ]\d{1,2}:\d\d"
    rb"|\d\d-(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)-\d{4} \d\d:\d\d"
    rb"|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]\d \d\d:\d\d:\d\d"
    rb"|\d\d/(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)/\d{4}:\d\d|\d\d:\d\d:\d\d[.,]\d{3}"
    rb"|\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}|\d\d\.\d\d\.\d{4} \d\d:\d\d)"
)
LOG = re.compile(
    rb"^(?:(?:[DIWEF], )?[\[(<]?[\"']?" + _TIME + rb"|\[ {0,5}\d{1,7}\.\d{6}\] |<\d{1,3}>|[IWEF]\d{4} \d\d:\d\d:\d\d"
    rb"|\S{1,60} \S{1,40} \S{1,60} \[\d\d/\w{3}/\d{4}:|\[?(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL"
    rb"|TRACE)\]?[: ]"
    rb"|\d{10}(?:\.\d{1,6})?[ \t]|(?:date|time)=\"?\d{4}-|ts=\d{4}-|level=\w|\[[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d\d:"
    rb"|type=[A-Z_]{3,30} msg=audit\(\d|\d{1,2} \d{12} eni-| {0,8}\d{1,7} {1,6}\d{1,7}\.\d{4,9}"
    rb" {1,20}[0-9a-f.:]{3,45} |[a-z_]{2,30}=[^\s=]{1,200}(?: [a-z_.]{1,40}=[^\s=]{0,300}){4})"
)
TIMED = re.compile(_TIME)
LOG_HEADERS = (b"#separator ", b"#fields\t", b"#Software: ", b"#Version: 1.0", b"__CURSOR=", b"__REALTIME_TIMESTAMP=")
"""How files of network monitors and web servers open that name their fields first; exports of a journal."""
LEVELLED = re.compile(
    rb"^(?:[\[(\"]?(?:Information|Warning|Error|Critical|Verbose|INFO|WARN|ERROR|DEBUG)[\])\"]?[\s,;|])[^\n]{0,20}"
    + _TIME
)
FRAME = re.compile(
    rb"^(?:Traceback \(most recent|\s{1,8}File \"[^\"]{1,300}\", line \d|\s{1,8}at [\w$.<>/]{3,200}[\s(]"
    rb"|[\w/.*()-]{2,120}\((?:0x[0-9a-f]{1,16}|\.{3}|\{)|\t/\S{1,200}:\d{1,6} \+0x|created by \S{1,120}|Stack"
    rb" trace:|\s{2,4}thrown in "
    rb"|\S{1,80}:\d{1,6} (?:Uncaught |GET |POST )|Uncaught (?:\w{1,40}Error|\(in promise\))|Caused by: |goroutine"
    rb" \d|\s{1,8}from \S{1,200}:\d{1,6}:in |thread '[^'\n]{1,80}' panicked at |stack backtrace:"
    rb"|\s{1,8}\d{1,3}: [\w<>{}$]{1,80}(?:::[\w<>{}$]{1,80}){1,12}|\s{4,20}at \.{0,2}/\S{1,200}:\d"
    rb"|==\d{1,8}==|\"[^\"\n]{1,100}\" #\d{1,6} |\s{1,8}java\.lang\.Thread\.State|Thread \d{1,4} (?:Crashed|name)"
    rb"|Exception (?:Type|Codes): "
    rb"|\d{1,3} {1,4}\S{1,80}\s{1,40}0x[0-9a-f]{6,16} "
    rb"|\s{0,8}#\d{1,3} {1,4}(?:0x[0-9a-f]{2,16} |/\S{1,200}\(\d{1,6}\): |[\w.]{1,80} \()|\[?\d{1,3}\]?"
    rb" \S{1,200}\+0x[0-9a-f]{1,8}"
    rb"|Unhandled exception|Exception in thread \"|(?:fatal|panic): )"
)
"""A line of a stack trace."""
BUILT = re.compile(
    rb"^\s{0,8}(?:\[Pipeline\] |Started by |Finished: (?:SUCCESS|FAILURE|ABORTED|UNSTABLE)|> Task :|BUILD"
    rb" (?:SUCCESS|FAILED)"
    rb"|\[(?:INFO|ERROR|WARNING)\] (?:---|BUILD|Tests run|Building|Compiling|Scanning)|PLAY (?:\[|RECAP)|TASK \["
    rb"|RUNNING HANDLER"
    rb"|(?:ok|changed|skipping|fatal|failed): \[|={4,} (?:test session|\d{1,6} (?:passed|failed)|FAILURES|ERRORS"
    rb"|short test)"
    rb"|={2,60} .{1,60} ={2,60}$"
    rb"|collected \d{1,6} items|(?:PASSED|FAILED|PASS|FAIL|ok|not ok|--- (?:PASS|FAIL):|=== RUN)[\s:]{1,4}\S"
    rb"|Epoch:? ?\[?\d"
    rb"|\d{1,3}%\|.{0,60}\| {0,4}\d{1,9}/\d|.{0,40}\b(?:val_|train_)?(?:loss|acc|accuracy)['\"]?[:=] {0,2}\d"
    rb"|\[rank ?\d{1,4}\]"
    rb"|(?:Collecting|Downloading|Installing collected|Successfully (?:installed|built|tagged)"
    rb"|Requirement already) ?\S"
    rb"|npm (?:ERR!|WARN|warn|error|notice)|added \d{1,6} packages|yarn (?:run|install) v|(?:make|gmake"
    rb"|ninja)(?:\[\d{1,3}\])?: "
    rb"|\[ {0,2}\d{1,3}%\] (?:Building|Linking|Built)|\[\d{1,6}/\d{1,6}\] |(?:cc|gcc|g\+\+|clang|javac|rustc|go"
    rb" build) -"
    rb"|\s{0,4}(?:Compiling|Finished|Running|Checking|Updating|Fetching|Linking|Bundling|Building|Pushing|Pulling)"
    rb" [\w\x60.-]{1,80}"
    rb"|Step \d{1,3}/\d|#\d{1,3} (?:\[|DONE|CACHED|sha256)| ?--->|Sending build context|\S{1,80}: (?:Refreshing"
    rb" state|Creating|"
    rb"Creation complete|Still creating|Destroying|Modifying|Reading|Read complete|Pulling from|Pull complete"
    rb"|Pushed|Preparing)"
    rb"|# \S{1,120} (?:will|must) be |[~+-]/?[+-]? resource \"|[~+-] [\w.-]{1,80} {1,40}= |Plan: \d|Apply"
    rb" complete!|Terraform (?:will|used|has)|Release \S{1,60} has been"
    rb"|deployment \"?\S{1,80} (?:successfully|created)"
    rb"|\S{1,80}/\S{1,80} (?:created|configured|unchanged)$|##\[|::(?:group|error|warning|endgroup)|\$ \S|\+{1,3}"
    rb" (?:\./|[a-z]{2,12} )"
    rb"|[\w./+-]{1,120}:\d{1,6}(?::\d{1,5})?: (?:fatal )?(?:error|warning|note):"
    rb"|[\w./-]{1,120}\(\d{1,6},\d{1,5}\): (?:error|warning)"
    rb"|Cloning into|HEAD is now at|remote: |Resolving deltas|\* \[new (?:tag|branch)\]|saving (?:model"
    rb"|checkpoint)|Saving checkpoint)",
    re.I,
)
"""A line as builds, test runs, deployments and trainings write them, without a time."""
OUTCOME = re.compile(
    rb"^\s{0,8}(?:\[\w{1,8}\] )?(?:BUILD (?:SUCCESS|FAIL)|FAILURE: Build|Test Suites: {1,8}\d|Tests: {1,10}\d"
    rb"|Tests run: ?\d"
    rb"|Test Files {1,4}\d|\d{1,6} (?:passing|failing|passed|failed|examples?, \d|tests?, \d"
    rb"|scenarios? \(|specs?, \d)"
    rb"|test result: (?:ok|FAILED)|Build (?:succeeded|FAILED|complete)|Test Run (?:Successful|Failed)"
    rb"|(?:Passed|Failed)! {1,4}-"
    rb"|\*\* (?:BUILD|TEST|ARCHIVE) (?:SUCCEEDED|FAILED)|\d{1,3}% tests passed|Ran \d{1,6} tests? in "
    rb"|OK \(\d{1,6} tests?"
    rb"|(?:ok|FAIL) {0,4}\t\S{1,120}\s|webpack \d[\w. ]{0,40}compiled|(?:webpack )?Compiled (?:successfully|with)"
    rb"|error: could not compile|error:? Command failed with|Process completed with exit code"
    rb"|make(?:\[\d{1,3}\])?: \*\*\*"
    rb"|Found \d{1,6} errors?|\d{1,6} actionable tasks?|Done in \d|Time Elapsed \d|Executed \d{1,6} (?:tests?|out of)"
    rb"|INFO: Build completed|ERROR: Job failed|Job succeeded|npm ERR! |built in \d|\(Run Finished\))",
    re.M,
)
"""A line with which a build or a test run sums up."""
WORKED = re.compile(
    "^\\s{0,12}(?:[✓✔✗✘✖√×●❯⨯] ?\\S|[┌│└├┐┘]|\\((?:Run|Screenshots|Video|Results|Tests)\\b|Running: "
    "|Snapshots: |Time: {1,10}\\d"
    "|Starting a Gradle|\\* (?:What went wrong|Try|Where|Exception is|Get more help)|[we]: (?:file:/)?/|> \\S"
    "|\\w{0,40}Error: "
    "|(?:test|tests?::)\\S{0,4} ?\\S{1,160} \\.{3} |running \\d{1,6} tests?|(?:error"
    "|warning)(?:\\[\\w{1,12}\\])?: |-{2,3}> \\S"
    "|\\d{0,6} {1,4}\\| |> \\d{1,6} \\||\\| {1,60}\\^|asset \\S|(?:modules|assets) by |(?:ERROR|WARNING) in "
    "|Expected|Received"
    "|Determining projects|Restored |Restoring |\\S{1,80} -> \\S{1,200}\\.(?:dll|exe)|\\d{1,6} (?:Warning"
    "|Error)\\(s\\)|Test Case '"
    "|Test Suite '|(?:CompileC|CompileSwift|Ld|CodeSign|ProcessInfoPlistFile) |//\\S{1,120}:\\S{1,80} "
    "|Loading: |Analyzing: "
    "|\\?? {1,4}\\t\\S|\\d{1,4}/\\d{1,4} Test {1,4}#|Finished in |Randomized with seed|Failures?:$|rspec \\./"
    "|\\S{1,120} {1,20}[\\d.,]{1,9}"
    " [kKM]i?B\\b|Deprecated Gradle|Run with --|at \\S{1,160}[ (:])".encode()
)
"""What stands between such sums; alone it could as well be a list that a person wrote."""
HANDLED = re.compile(
    rb"^(?:Started (?:GET|POST|PUT|PATCH|DELETE|HEAD) \"/|Processing by \S{1,120}#\w|Completed \d{3} [A-Z]"
    rb"|\s{2}(?:Parameters: \{|Render(?:ed|ing) \S|\S{1,80} (?:Load|Create|Update|Exists\?) \())"
)
"""A line of how a framework handled a request."""
TRACED = re.compile(
    rb"^(?:\[pid {1,6}\d{1,8}\] )?(?:[a-z_0-9]{2,30}\(.{0,300}\) {1,20}= (?:-?\d|0x|\?)|[<>*{}] ?(?:$|\S)"
    rb"|.{0,200}\b0x[0-9a-f]{4,16}\b"
    rb"|\[\d{1,7}\.\d{3}s\]|.{0,120}\b\d{1,9}(?:\.\d{1,6})? ?(?:ms|us|ns|secs?)\b)"
)
"""A line of a trace: system calls, a conversation over the wire, addresses, durations."""
METERED = re.compile(
    rb"^(?:# (?:HELP|TYPE) \w|[a-zA-Z_:][\w:]{2,120}(?:\{[^{}]{0,300}\})? [-+]?\d[\d.e+-]{0,30}(?: \d{10,13})?$"
    rb"|[^\s;]{1,200}(?:;[^;]{1,200}){1,99} \d{1,12}$"
    rb"|(?:TN|SF|DA|LF|LH|FN|FNDA|BRDA|BRF|BRH):|end_of_record)"
)
"""A line of measurements: counters as they are scraped, folded stacks, lines covered."""


def summed_up(first: bytes, last: bytes, lines: list[bytes]) -> bool:
    """Whether a build or a test run sums up at the end, and much of what stands before it are its lines."""
    if not OUTCOME.search(first) and not OUTCOME.search(last):
        return False
    own = sum(1 for line in lines if worked(line))
    told = sum(1 for line in lines if line.endswith((b".", b"?", b"!")) and line.count(b" ") >= 8)
    return own * 5 >= len(lines) * 2 and told * 4 <= len(lines)


def worked(line: bytes) -> bool:
    """Whether a line is one of a build or a test run that sums up elsewhere."""
    return bool(BUILT.match(line) or WORKED.match(line) or OUTCOME.match(line))
