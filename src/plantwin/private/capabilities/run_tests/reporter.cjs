// A reporter for mocha, jest, vitest and node --test: one line of JSON as a test begins, and one as it ends.
// It is written at once, so that a test that hangs is known by its name when its runner is stopped.
"use strict";
const fs = require("node:fs");
const { PLANTWIN_RUNNER: kind, PLANTWIN_REPORT: target } = process.env;
const write = (row) => fs.appendFileSync(target, JSON.stringify(row) + "\n");
const begin = (name, file) => write({ begin: true, name, file });
const end = (name, file, outcome, ms, text, line) => write({ name, file, outcome, ms, text, line });
const said = (error, depth = 0) => {
  if (!error || depth > 3) return "";
  const own = error.stack || error.stackStr || error.message || String(error);
  const stated = error.message && !own.includes(error.message) ? `${error.message}\n` : "";
  return [stated + own, said(error.cause, depth + 1)].filter(Boolean).join("\n").slice(0, 8000);
};

class Reporter {
  constructor(runner) {
    if (kind !== "mocha") return;
    const ended = (outcome) => (test, error) => end(test.fullTitle(), test.file, outcome, test.duration, said(error));
    runner.on("test", (test) => begin(test.fullTitle(), test.file));
    runner.on("pass", ended("passed")).on("fail", ended("failed")).on("pending", ended("skipped"));
  }
  // jest
  onTestCaseStart(test, info) {
    begin(info.fullName ?? [...info.ancestorTitles, info.title].join(" "), test.path);
  }
  onTestResult(test, result) {
    if (!result.testResults.length && result.failureMessage)
      end(test.path, test.path, "error", 0, result.failureMessage);
  }
  // vitest 1 and 2
  onTestRunStart() {
    this.newer = true;
  }
  onCollected(files = []) {
    if (this.newer) return;
    this.tasks ??= new Map();
    const index = (task, file, names) => {
      const name = [...names, task.name].join(" ");
      this.tasks.set(task.id, { name, file, line: task.location?.line, suite: task.type === "suite" });
      for (const inner of task.tasks ?? []) index(inner, file, [...names, task.name]);
    };
    for (const file of files) {
      begin(file.filepath, file.filepath);
      if (file.result?.errors?.length)
        end(file.filepath, file.filepath, "error", 0, file.result.errors.map((each) => said(each)).join("\n"));
      this.tasks.set(file.id, { name: file.filepath, file: file.filepath, whole: true });
      for (const task of file.tasks ?? []) index(task, file.filepath, []);
    }
  }
  onTaskUpdate(packs) {
    if (this.newer) return;
    for (const [id, result] of packs) {
      const task = this.tasks?.get(id);
      const state = result?.state;
      if (!task || !state || task.ended) continue;
      if (state === "run") {
        begin(task.name, task.file);
        continue;
      }
      task.ended = true;
      const outcome = task.whole || task.suite ? "" : { pass: "passed", fail: "failed" }[state] ?? "skipped";
      end(task.name, task.file, outcome, result.duration, (result.errors ?? []).map((each) => said(each)).join("\n"), task.line);
    }
  }
  // vitest 3 and later
  onTestModuleStart(module) {
    begin(module.moduleId, module.moduleId);
  }
  onTestCaseReady(test) {
    begin(test.fullName, test.module.moduleId);
  }
  onTestModuleEnd(module) {
    const errors = module.errors();
    end(module.moduleId, module.moduleId, errors.length ? "error" : "", 0, errors.map((each) => said(each)).join("\n"));
  }
  // both
  onTestCaseResult(test, result) {
    if (kind === "jest") {
      const text = result.failureMessages.join("\n") + (result.failureDetails ?? []).map((each) => said(each?.cause)).join("\n");
      return end(result.fullName, test.path, result.status, result.duration, text, result.location?.line);
    }
    const { state, errors = [] } = test.result();
    const place = test.location?.line;
    end(test.fullName, test.module.moduleId, state, test.diagnostic()?.duration, errors.map((each) => said(each)).join("\n"), place);
  }
}

async function* events(source) {
  const errors = {};
  for await (const { type, data } of source) {
    const file = data?.file;
    if (type === "test:stderr") errors[file] = ((errors[file] ?? "") + data.message).slice(0, 8000);
    if (!file || data.details?.type === "suite") continue;
    const whole = data.name === file || file.endsWith(`/${data.name}`);
    if (type === "test:dequeue" && !whole) begin(data.name, file);
    if (type !== "test:pass" && type !== "test:fail") continue;
    const error = data.details?.error;
    const skipped = data.skip !== undefined || data.todo !== undefined || error?.failureType === "subtestsFailed";
    const outcome = skipped || (whole && type === "test:pass") ? "" : type === "test:pass" ? "passed" : "failed";
    const text = [said(error?.cause), said(error), whole ? errors[file] : ""].filter(Boolean).join("\n");
    end(whole ? file : data.name, file, data.skip !== undefined ? "skipped" : outcome, data.details?.duration_ms, text, data.line);
  }
}

module.exports = kind === "node" ? events : Reporter;
