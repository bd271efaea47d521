"""Outlines of JavaScript, TypeScript, JSX, Vue and Svelte."""

from __future__ import annotations

import pytest

from plantwin.private.classify.languages import outline_code
from plantwin.private.facts import Outline

FORM = b"""// import fake from "commented"
/* import fake2 from "blocked" */
import React, { useState, useEffect as ue } from 'react';
import Stripe from "stripe";
import {
  a,
  b,
} from "./lib/util";
import * as api from "@/api/client";
import "./styles.css";
const express = require("express");
const { Pool } = require('pg');
const lazy = () => import("./Lazy");
export { x } from "./x";
export * from './y';
const text = "import z from 'fake3'";
const tpl = `import q from "fake4" ${a}`;
const pattern = /["']import x from "fake5"/;
export default function LoginForm({ onSubmit }) {
  const [v, setV] = useState("");
  useEffect(() => { fetch("/api/x").then(r => r.json()); }, []);
  return (
    <form onSubmit={onSubmit}>
      <label htmlFor="user">User</label>
      <input id="user" type="text" value={v} onChange={e => setV(e.target.value)} />
      <input type="password" />
      <img src="a.png" />
      <img src="b.png" alt="B" />
      <div dangerouslySetInnerHTML={{ __html: v }} />
    </form>
  );
}
const app = express();
app.get("/users", async (req, res) => {
  const r = await pool.query("SELECT * FROM accounts");
  console.log(`token ${token}`);
  try { eval(x) } catch (e) { }
});
class Foo extends React.Component { render() { return null; } }
export const helper = async (x) => x + 1;
app.listen(3000);
"""


def targets(outline: Outline, how: str = "javascript") -> list[str]:
    return [each.target for each in outline.references if each.how == how]


@pytest.mark.parametrize("format", ["jsx", "javascript", "tsx"])
def test_component(format: str) -> None:
    outline = outline_code(format, FORM, "src/LoginForm.jsx")
    assert outline.parsed
    assert sorted(targets(outline)) == sorted(
        ["react", "stripe", "./lib/util", "@/api/client", "./styles.css", "./x", "./y", "express", "pg", "./Lazy"]
    )
    assert ("table", "accounts", "reads") in outline.references
    assert set(outline.names) == {"lazy", "LoginForm", "render", "helper", "Foo"}
    features = outline.features
    assert features["form"] == 1
    assert features["password_input"] == 1
    assert features["input_unlabelled"] == 1
    assert features["image_without_text"] == 1
    assert features["reexport"] == 2
    assert features["sensitive_log"] == 1
    assert features["insecure_call"] == 2
    assert features["route"] == 1
    assert features["payment_call"] == 1
    assert features["component"] >= 2
    assert features["hook"] == 2


def test_rest_of_a_long_file() -> None:
    filler = b"".join(b"let value%d = %d;\n" % (number, number) for number in range(400))
    source = (
        filler
        + b"""
import {
  late,
} from "./late";
const text = 'import { x } from "fake"';
const { sign } = require("jsonwebtoken");
export * from "./again";
export class Store extends Base {
  async load(id) {
    return sign(id);
  }
}
export const make = (a, b) => a;
export function build() {}
export interface Thing {}
"""
    )
    outline = outline_code("typescript", source, "x.ts")
    assert targets(outline) == ["./late", "./again", "jsonwebtoken"]
    assert {"Store", "load", "make", "build", "Thing"} <= set(outline.names)
    assert outline.features["auth_call"] == 2


def test_minified_bundle_is_bounded() -> None:
    outline = outline_code("javascript", b"!function(){var a=b(c)};" * 200_000, "dist/app.min.js")
    assert len(outline.calls) <= 200
    assert outline.references == []
