import test from "node:test";
import assert from "node:assert/strict";
import { formatDay, parseDay, addDays, isWeekend } from "./dates.js";
import { ticketPrice } from "./price.js";

test("formats a day", () => {
  assert.equal(formatDay(new Date(2025, 4, 9)), "09/05/2025");
});

test("parses a day", () => {
  assert.equal(parseDay("09/05/2025").getMonth(), 4);
});

test("adding days leaves the first date alone", () => {
  const first = new Date(2025, 4, 9);
  addDays(first, 3);
  assert.equal(first.getDate(), 9);
});

test("Saturday is weekend", () => {
  assert.equal(isWeekend(new Date(2025, 4, 10)), true);
});

test("children under four swim free", () => {
  assert.equal(ticketPrice({ age: 3, pool: "weir", day: "09/05/2025" }), 0);
});

test("adults pay 5.40 on weekdays", () => {
  assert.equal(ticketPrice({ age: 30, pool: "weir", day: "09/05/2025" }), 5.4);
});
