"""Pages with known barriers, and accessible twins."""

# ruff: noqa: E501 (one case, one row)

from __future__ import annotations

import pytest
from capability_inputs import Run, given
from named_rules import checked, found, rules

PAGE = '<!doctype html>\n<html lang="en">\n<head><title>A</title></head>\n<body><main><h1>A</h1>\n{}\n</main></body>\n</html>\n'
AT = 5
"""The line of what is put into the page."""


@pytest.mark.parametrize(
    ("part", "rule"),
    [
        ('<img src="a.png">', "WCAG 1.1.1"),
        ('<img src="a.png" alt="a.png">', "WCAG 1.1.1"),
        ('<input type="image" src="a.png">', "WCAG 1.1.1"),
        ('<svg role="img"><path d=""/></svg>', "WCAG 1.1.1"),
        ('<video src="a.mp4"></video>', "WCAG 1.2.2"),
        ('<input type="text" name="q">', "WCAG 1.3.1"),
        ('<input type="text" placeholder="Name">', "WCAG 3.3.2"),
        ("<select><option>1</option></select>", "WCAG 1.3.1"),
        ('<label for="nope">A</label>', "WCAG 1.3.1"),
        ("<table><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>", "WCAG 1.3.1"),
        ("<h3>b</h3>", "WCAG 1.3.1 headings"),
        ("<h2></h2>", "WCAG 1.3.1"),
        ('<input type="email" aria-label="a">', "WCAG 1.3.5"),
        ('<p style="color: #999; background: #fff">pale</p>', "WCAG 1.4.3"),
        ('<p style="color: rgb(200, 200, 200)">pale</p>', "WCAG 1.4.3"),
        ('<div onclick="go()">Go</div>', "WCAG 2.1.1"),
        ('<div role="button" tabindex="0" onclick="go()">Go</div>', "WCAG 2.1.1"),
        ('<a href="/a" tabindex="3">a</a>', "WCAG 2.4.3"),
        ('<input aria-label="a" autofocus>', "WCAG 3.2.1"),
        ('<a href="/a"></a>', "WCAG 2.4.4"),
        ('<a href="/a"><img src="x" alt=""></a>', "WCAG 2.4.4"),
        ('<a href="/a">click here</a>', "WCAG 2.4.4"),
        ("<button><i class=icon></i></button>", "WCAG 4.1.2"),
        ('<iframe src="/a"></iframe>', "WCAG 4.1.2"),
        ('<button aria-hidden="true">x</button>', "WCAG 4.1.2"),
        ('<div role="buton">x</div>', "WCAG 4.1.2 ARIA"),
        ('<p aria-lable="x">x</p>', "WCAG 4.1.2 ARIA"),
        ('<p aria-hidden="yes">x</p>', "WCAG 4.1.2 ARIA"),
        ('<p aria-describedby="nope">x</p>', "WCAG 4.1.2 ARIA"),
        ('<div role="checkbox" tabindex="0">x</div>', "WCAG 4.1.2 ARIA"),
        ('<a href="/a"><button>x</button></a>', "WCAG 4.1.2 nesting"),
        ("<marquee>x</marquee>", "WCAG 2.2.2"),
        ('<audio src="a" autoplay></audio>', "WCAG 1.4.2"),
        ('<input aria-label="a" onpaste="return false">', "WCAG 3.3.8"),
        ("<style>a:focus { outline: none }</style>", "WCAG 2.4.7"),
    ],
)  # fmt: skip
def test_one_barrier_each(run: Run, part: str, rule: str) -> None:
    result = checked("check_accessibility", run("check_accessibility", given("a.html", PAGE.format(part))))
    assert (AT, rule) in found(result)


@pytest.mark.parametrize(
    "part",
    [
        '<img src="a.png" alt="A red fox"><img src="b.png" alt=""><img src="c" role="presentation">',
        '<label for="q">Q</label><input id="q"><label>R <input type="checkbox"></label><input aria-label="s"><input type="hidden"><input type="submit">',
        '<button aria-label="Close"><svg></svg></button><button><img src="x" alt="Save"></button><button title="x"></button>',
        '<a href="/a">Fox</a><a href="/b"><img src="x" alt="Home"></a><a href="/c" aria-label="Read more about foxes">more</a><a name="x"></a>',
        '<table><thead><tr><th>a<th>b<tbody><tr><td>1<td>2</table><table role="presentation"><tr><td>1<td>2<tr><td>3<td>4</table>',
        '<video src="a"><track kind="captions" src="b"></video><video src="a" muted autoplay loop></video>',
        '<h2>b</h2><h3>c</h3><h2>d</h2>',
        '<p style="color: #595959; background: #fff">dark</p><p style="color: #949494; background: white; font-size: 24px">large</p><p style="color:#ccc; background: url(x.png)">unknown</p>',
        '<div role="button" tabindex="0" onclick="a()" onkeydown="b()">Go</div><div onclick="event.stopPropagation()">x</div><label onclick="a()">b <input></label>',
        '<ul><li>a<li>b<ul><li>c</ul></ul>',
        '<div role="heading" aria-level="2">x</div><p id="d">d</p><input aria-label="x" aria-describedby="d"><div aria-live="polite"></div>',
        '<p>1 < 2 &amp; 3 > 2 <!-- <img> --></p><script>document.write("<img>")</script>',
        '<div hidden><img src="x"><input></div>',
        "<style>button:focus { outline: none; box-shadow: 0 0 2px blue }</style>",
    ],
)  # fmt: skip
def test_what_is_accessible_is_left_alone(run: Run, part: str) -> None:
    result = checked("check_accessibility", run("check_accessibility", given("a.html", PAGE.format(part))))
    assert found(result) == set()


def test_the_page_itself(run: Run) -> None:
    text = '<html>\n<head><meta name="viewport" content="width=device-width, user-scalable=no">\n<meta http-equiv="refresh" content="30"></head>\n<body>\n<p>a</p><p>b</p><h2 id="x">c</h2><i id="x">d</i></body></html>'
    result = checked("check_accessibility", run("check_accessibility", given("a.html", text)))
    assert found(result) == {
        (1, "WCAG 3.1.1"),
        (2, "WCAG 2.4.2"),
        (2, "WCAG 1.4.4"),
        (3, "WCAG 2.2.1"),
        (4, "WCAG 1.3.1 landmarks"),
        (5, "WCAG 2.4.6"),
        (5, "HTML ids"),
    }


def test_contrast_from_style_sheets(run: Run) -> None:
    style = "<style>:root { --pale: #aaa } body { background: #fff } .note { color: var(--pale) } .dark { background: #222 } .dark .note { color: #eee } #x { color: gray }</style>"
    text = PAGE.format(
        f'{style}\n<p class="note">a</p>\n<div class="dark"><p class="note">b</p></div>\n<p id="x">c</p><p id="x" class="y" style="color:#000">d</p>'
    )
    result = run("check_accessibility", given("a.html", text))
    assert {each for each in found(result) if each[1] == "WCAG 1.4.3"} == {(6, "WCAG 1.4.3"), (8, "WCAG 1.4.3")}
    assert "2.32:1" in next(each.message for each in result.findings if each.line == 6)


def test_style_sheets_beside_the_page(run: Run) -> None:
    page = '<!doctype html>\n<html lang="en"><head><title>A</title><link rel="stylesheet" href="css/a.css"></head>\n<body><main><h1>A</h1>\n<p class="n">x</p></main></body></html>'
    sheet = ".n { color: #ccc;\n background-color: #fff }\n.m { color: #000; background-color: #fff }\na:focus { outline: 0 }\n"
    alone = run("check_accessibility", given("a.html", page))
    assert rules(alone) == set(), "colours of a sheet that is not at hand are unknown"
    both = checked("check_accessibility", run("check_accessibility", given("a.html", page), given("css/a.css", sheet)))
    assert {(each.name, each.line) for each in both.findings} == {("a.html", 4), ("css/a.css", 1), ("css/a.css", 4)}


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


@pytest.mark.parametrize("name", ["Login.tsx", "Login.jsx"])
def test_components_of_react(run: Run, name: str) -> None:
    text = JSX if name.endswith("tsx") else JSX.replace(": Props", "")
    result = checked("check_accessibility", run("check_accessibility", given(name, text)))
    assert found(result) == {
        (6, "WCAG 1.1.1"),
        (7, "WCAG 3.3.2"),
        (7, "WCAG 1.3.5"),
        (10, "WCAG 2.1.1"),
        (11, "WCAG 4.1.2"),
        (14, "WCAG 1.1.1"),
    }


def test_vue_and_svelte(run: Run) -> None:
    vue = '<script setup>\nconst a = "<img>"\n</script>\n<template>\n  <img :src="a">\n  <img :src="a" :alt="b">\n  <span @click="go">Go</span>\n  <button @click="go">{{ label }}</button>\n  <input v-model="x" :aria-label="y">\n  <button v-text="z"></button>\n</template>\n<style>\n.a:focus { outline: none }\n</style>\n'
    assert found(run("check_accessibility", given("A.vue", vue))) == {
        (5, "WCAG 1.1.1"),
        (7, "WCAG 2.1.1"),
        (13, "WCAG 2.4.7"),
    }
    svelte = '<script>\n  let a = 1 < 2;\n</script>\n<img src={a}>\n<img {src} alt={b}>\n{#if a > 1}\n<div on:click={() => go()}>x</div>\n{/if}\n<button on:click={go}>{label}</button>\n<input bind:value={v} aria-label="x">\n'
    assert found(run("check_accessibility", given("A.svelte", svelte))) == {(4, "WCAG 1.1.1"), (7, "WCAG 2.1.1")}


def test_templates(run: Run) -> None:
    jinja = '{% extends "base.html" %}\n{% block body %}\n<img src="{{ a }}">\n<img src="{{ a }}" alt="{{ b }}">\n<a href="{{ url }}">{{ title }}</a>\n<label for="{{ f.id }}">x</label><input id="{{ f.id }}">\n<button>{% trans "x" %}</button>\n<button {{ attrs }}></button>\n{% endblock %}\n'
    assert found(run("check_accessibility", given("a.html.j2", jinja))) == {(3, "WCAG 1.1.1")}
    erb = '<% if a > b %>\n<img src="<%= a %>">\n<a href="x"><%= link %></a>\n<% end %>\n'
    assert found(run("check_accessibility", given("a.html.erb", erb))) == {(2, "WCAG 1.1.1")}
    bars = "{{#if a}}\n<img src='{{x}}'>\n<button>{{> icon}}</button>\n{{/if}}\n"
    assert found(run("check_accessibility", given("a.hbs", bars))) == {(2, "WCAG 1.1.1")}


def test_the_shop(run: Run) -> None:
    result = checked("check_accessibility", run("check_accessibility", "web/index.html"))
    assert found(result, least="high") == {(2, "WCAG 3.1.1"), (9, "WCAG 1.1.1"), (12, "WCAG 3.3.2"), (13, "WCAG 3.3.2")}
    assert result.outcome["tags"] == ["missing_text", "page_structure", "missing_part"]
    assert "Perceivable" in result.text


def test_what_is_no_page_fails_with_a_word(run: Run) -> None:
    result = checked("check_accessibility", run("check_accessibility", given("a.py", "x = 1\n")))
    assert result.outcome == {"status": "failed", "tags": ["unparsable"]}
    assert run("check_accessibility", given("a.ts", "const a = 1;\n")).outcome["status"] == "failed"
