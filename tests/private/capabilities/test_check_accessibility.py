"""Pages with known barriers, and accessible twins; single rules are tested by their examples."""

from __future__ import annotations

from capability_inputs import Run, found, given

PAGE = (
    '<!doctype html>\n<html lang="en">\n<head><title>A</title></head>\n<body><main><h1>A</h1>\n{}\n</main></body>\n'
    "</html>\n"
)


def test_contrast_from_style_sheets(run: Run) -> None:
    style = (
        "<style>:root { --pale: #aaa } body { background: #fff } .note { color: var(--pale) }"
        " .dark { background: #222 } .dark .note { color: #eee } #x { color: gray }</style>"
    )
    text = PAGE.format(
        f'{style}\n<p class="note">a</p>\n<div class="dark"><p class="note">b</p></div>\n'
        '<p id="x">c</p><p id="x" class="y" style="color:#000">d</p>'
    )
    result = run("check_accessibility", given("a.html", text))
    pale = {finding.line: finding.message for finding in result.findings if finding.rule == "A11Y-CONTRAST"}
    assert pale.keys() == {6, 8}
    assert "2.32:1" in pale[6]


def test_style_sheets_beside_the_page(run: Run) -> None:
    page = (
        '<!doctype html>\n<html lang="en"><head><title>A</title><link rel="stylesheet" href="css/a.css"></head>\n'
        '<body><main><h1>A</h1>\n<p class="n">x</p></main></body></html>'
    )
    sheet = ".n { color: #ccc;\n background-color: #fff }\n.m { color: #000 }\na:focus { outline: 0 }\n"
    alone = run("check_accessibility", given("a.html", page))
    assert found(alone) == set(), "colours of a sheet that is not at hand are unknown"
    both = run("check_accessibility", given("a.html", page), given("css/a.css", sheet))
    places = {(finding.name, finding.line) for finding in both.findings}
    assert places == {("a.html", 4), ("css/a.css", 1), ("css/a.css", 4)}
