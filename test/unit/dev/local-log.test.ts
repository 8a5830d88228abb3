/** The files that `npm start` keeps of its two Workers. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { productLine } from "../../../src/dev/servers.ts";
import { keepComplaint, keepLog, openState } from "../../../src/dev/state.ts";
import { knownToTests, logScanner } from "../../support/log-scan/local.ts";
import { newLogScan } from "../../support/log-scan/scan.ts";

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "cuadre-state-"));
});
afterEach(() => rmSync(dir, { recursive: true }));

test.each([
  ["a line of the only Worker", '{"level":"info"}', '{"level":"info"}'],
  ["a line of the API Worker", '[cuadre-api] {"level":"info"}', '{"level":"info"}'],
  ["a line of the owner Worker", '[cuadre-owner-api] {"level":"mail"}', '{"level":"mail"}'],
  ["wrangler's line of a request", "[wrangler:info] GET /health 200 OK (3ms)", undefined],
  ["a value of a binding, printed at the start", '  "name": "Cuadre",', undefined],
])("%s", (_, printed, line) => {
  expect(productLine(printed)).toBe(line);
});

test("the log holds the product's lines as they are, and wrangler's complaints as objects", () => {
  const state = openState(dir);
  keepLog(state, '{"level":"info"}');
  keepComplaint(state, "\u001b[31mbroken\u001b[0m\npipe\n");
  keepComplaint(state, "\n");
  expect(readFileSync(join(dir, "log.jsonl"), "utf8").split("\n")).toEqual([
    ...['{"level":"info"}', '{"level":"wrangler","complaint":"broken\\npipe"}', ""],
  ]);
});

test("each line of the log is scanned once, and a line that gives a key away is found", () => {
  const scan = newLogScan(knownToTests());
  const scanLog = logScanner(dir, scan);
  scanLog();
  keepLog(openState(dir), '{"level":"info","event":"job_done","email":"ana@correo.example"}');
  scanLog();
  scanLog();
  expect([scan.lines, scan.leaks.length]).toEqual([1, 1]);
});

test("the signer of the environment reaches the API Worker's file on one line, as JSON", () => {
  const signer = { key: "-----BEGIN PRIVATE KEY-----\nA'B\n", chain: "c" };
  const { secretsFile } = openState(join(dir, "signing"), JSON.stringify(signer, null, 2));
  const [, line = ""] = /^FACTURAE_SIGNER='(.*)'$/m.exec(readFileSync(secretsFile, "utf8")) ?? [];
  expect(JSON.parse(line)).toEqual(signer);
  openState(join(dir, "signing"), "");
  expect(readFileSync(secretsFile, "utf8")).not.toContain("FACTURAE_SIGNER");
});

test("two states have registries of their own, and secrets of their own in the API Worker's file", () => {
  const [one, other] = [openState(join(dir, "one")), openState(join(dir, "other"))];
  expect(one.registry).not.toBe(other.registry);
  expect([one.registry, other.registry].every((path) => path.startsWith(dir))).toBe(true);
  expect(readFileSync(one.secretsFile, "utf8")).not.toContain("SESSION_SECRET");
  expect(Object.keys(one.ownerSecrets)).toEqual(["API_KEY_SECRETS", "SESSION_SECRET"]);
});
