import test from "node:test";
import assert from "node:assert/strict";
import { initials, money, shortDate } from "./format.mjs";

test("money has two digits", () => {
  assert.equal(money(12.5), "£12.50");
});

test("no number is no text", () => {
  assert.equal(money("12"), "");
});

test("dates are short", () => {
  assert.equal(shortDate("2026-12-24"), "24.12.2026");
});

test("a date that is missing does not throw", () => {
  assert.equal(shortDate(""), "");
});

test("initials ignore double spaces", () => {
  assert.equal(initials("Eluned  Mallorby"), "EM");
});
