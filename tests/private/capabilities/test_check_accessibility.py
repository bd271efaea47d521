"""Pages with known barriers, and accessible twins; single rules are tested by their examples."""

from __future__ import annotations

from capability_inputs import Run, found, given

PAGE = (
    '<!doctype html>\n<html lang="en">\n<head><title>A</title></head>\n<body><main><h1>A</h1>\n{}\n</main></body>\n'
    "</html>\n"
)


def test_contrast_of_colours_that_are_stated_together(run: Run) -> None:
    style = (
        "<style>:root { --pale: #aaa }\n.note { color: var(--pale); background: #fff }\n.dark { color: #222 }</style>"
    )
    text = PAGE.format(
        f'{style}\n<p class="note">a</p>\n<p style="color:#777;background-color:#888">b</p><p style="color:#777">c</p>'
    )
    result = run("check_accessibility", given("a.html", text))
    pale = {finding.line: finding.message for finding in result.findings if finding.rule == "A11Y-CONTRAST"}
    assert pale.keys() == {6, 9}
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
    assert places == {("css/a.css", 1), ("css/a.css", 4)}
