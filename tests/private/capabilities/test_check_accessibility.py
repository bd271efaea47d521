"""Pages with known barriers, and accessible twins; single rules are tested by their examples."""

from __future__ import annotations

import pytest
from capability_inputs import Run, found, given

PAGE = (
    '<!doctype html>\n<html lang="en">\n<head><title>A</title></head>\n<body><main><h1>A</h1>\n{}\n</main></body>\n'
    "</html>\n"
)


@pytest.mark.parametrize(
    "part",
    [
        '<img src="a.png" alt="A red fox"><img src="b.png" alt=""><img src="c" role="presentation">',
        '<label for="q">Q</label><input id="q"><label>R <input type="checkbox"></label><input type="submit">',
        '<button aria-label="Close"><svg></svg></button><button><img src="x" alt="Save"></button>',
        '<a href="/a">Fox</a><a href="/b"><img src="x" alt="Home"></a><a name="x"></a>',
        "<table><thead><tr><th>a<th>b<tbody><tr><td>1<td>2</table><ul><li>a<li>b<ul><li>c</ul></ul>",
        '<video src="a"><track kind="captions" src="b"></video><video src="a" muted autoplay loop></video>',
        '<p style="color: #595959; background: #fff">dark</p><p style="color:#ccc; background: url(x.png)">unknown</p>',
        '<div role="button" tabindex="0" onclick="a()" onkeydown="b()">Go</div><div hidden><img src="x"><input></div>',
        '<div role="heading" aria-level="2">x</div><p id="d">d</p><input aria-label="x" aria-describedby="d">',
        '<audio src="a.mp3" autoplay controls></audio><a href="t.html">Transcript</a>',
        '<audio src="a.mp3#t=8,10" autoplay></audio>',
        '<label style="color: #888; background: #fff">Name <input disabled></label>',
        '<fieldset disabled style="color: #888; background: #fff"><legend>a</legend><label>B<input></label></fieldset>',
        '<button style="color: #666; background: #000" aria-label="Close">X</button>',
        '<p style="color: #000; background: #737373; text-shadow: white 0 0 3px">text</p>',
        '<div lang="invalid"><img src="a.png" alt=""></div>',
        '<a href="/a"><img src="a.png" aria-labelledby="n"></a><div id="n">Home</div>',
        '<input type="image" src="a.png" aria-labelledby="n"><div id="n">Home</div>',
        '<img src="a.png" title="Logo">',
        '<button aria-controls="later">Open</button><div role="textbox" aria-errormessage="e" aria-label="a"></div>',
        '<div aria-hidden="true"><a href="/" style="display: none">a</a></div>',
        '<ul><div role="listitem">a</div></ul><a href="#">Top</a><canvas></canvas>',
        '<object role="presentation" data="a.png"></object><div role="combobox" style="display: none"></div>',
        '<p>1 < 2 &amp; 3 > 2 <!-- <img> --></p><script>document.write("<img>")</script>',
    ],
)
def test_what_is_accessible_is_left_alone(run: Run, part: str) -> None:
    assert found(run("check_accessibility", given("a.html", PAGE.format(part)))) == set()


def test_the_page_itself(run: Run) -> None:
    text = (
        '<html>\n<head><meta name="viewport" content="width=device-width, user-scalable=no">\n'
        '<meta http-equiv="refresh" content="30"></head>\n<body>\n'
        '<p>a</p><p>b</p><h2 id="x">c</h2><i id="x">d</i></body></html>'
    )
    assert found(run("check_accessibility", given("a.html", text))) == {
        (1, "A11Y-HTML-LANG"),
        (2, "A11Y-PAGE-TITLE"),
        (2, "A11Y-ZOOM-DISABLED"),
        (3, "A11Y-META-REFRESH"),
        (5, "A11Y-HEADING-H1"),
        (5, "A11Y-ID-DUPLICATE"),
    }


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


JSX = """\
import Image from "next/image";
export function Login({ items, ...rest }: Props) {
  const a = items.length < 3 && items[0] > 1;
  return (
    <>
      <img src={items[0].src} />
      <input type="email" placeholder="Email" onChange={(e) => set(e.target.value)} />
      <label htmlFor="p">P</label>
      <input id="p" type="text" {...rest} />
      <div onClick={() => go()}>Go</div>
      <button onClick={go}><CloseIcon /></button>
      <button onClick={go}>{items.label}</button>
      <a href="/x">{items.map((i) => <span key={i}>{i}</span>)}</a>
      <Image src="/a.png" width={1} />
      <li>{a}</li>
      <Card onClick={go} />
    </>
  );
}
"""
JSX_FOUND = {
    (6, "A11Y-IMG-ALT"),
    (7, "A11Y-PLACEHOLDER"),
    (7, "A11Y-AUTOCOMPLETE"),
    (10, "A11Y-CLICK-KEYBOARD"),
    (11, "A11Y-CONTROL-NAME"),
    (14, "A11Y-IMG-ALT"),
}
VUE = """\
<script setup>
const a = "<img>"
</script>
<template>
  <img :src="a">
  <img :src="a" :alt="b">
  <span @click="go">Go</span>
  <button @click="go">{{ label }}</button>
  <input v-model="x" :aria-label="y">
  <button v-text="z"></button>
</template>
<style>
.a:focus { outline: none }
</style>
"""
SVELTE = """\
<script>
  let a = 1 < 2;
</script>
<img src={a}>
<img {src} alt={b}>
{#if a > 1}
<div on:click={() => go()}>x</div>
{/if}
<button on:click={go}>{label}</button>
<input bind:value={v} aria-label="x">
"""
JINJA = """\
{% extends "base.html" %}
{% block body %}
<img src="{{ a }}">
<img src="{{ a }}" alt="{{ b }}">
<a href="{{ url }}">{{ title }}</a>
<label for="{{ f.id }}">x</label><input id="{{ f.id }}">
<button>{% trans "x" %}</button>
<button {{ attrs }}></button>
{% endblock %}
"""


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("Login.tsx", JSX, JSX_FOUND),
        ("Login.jsx", JSX.replace(": Props", ""), JSX_FOUND),
        ("A.vue", VUE, {(5, "A11Y-IMG-ALT"), (7, "A11Y-CLICK-KEYBOARD"), (13, "A11Y-FOCUS-VISIBLE")}),
        ("A.svelte", SVELTE, {(4, "A11Y-IMG-ALT"), (7, "A11Y-CLICK-KEYBOARD")}),
        ("a.html.j2", JINJA, {(3, "A11Y-IMG-ALT")}),
        ("a.html.erb", '<% if a > b %>\n<img src="<%= a %>">\n<a href="x"><%= l %></a>\n', {(2, "A11Y-IMG-ALT")}),
        ("a.hbs", "{{#if a}}\n<img src='{{x}}'>\n<button>{{> icon}}</button>\n{{/if}}\n", {(2, "A11Y-IMG-ALT")}),
    ],
)
def test_components_and_templates(run: Run, name: str, text: str, expected: set[tuple[int, str]]) -> None:
    assert found(run("check_accessibility", given(name, text))) == expected


def test_the_shop(run: Run) -> None:
    result = run("check_accessibility", "web/index.html")
    assert found(result, least="high") == {
        (2, "A11Y-HTML-LANG"),
        (9, "A11Y-IMG-ALT"),
        (12, "A11Y-PLACEHOLDER"),
        (13, "A11Y-PLACEHOLDER"),
    }
    assert result.outcome["tags"] == ["missing_text", "page_structure", "missing_part"]
    assert "Perceivable" in result.text
