/** Every kind of leak in a log would be found. */
import { expect, test } from "vitest";
import { findingsIn, givenAway } from "../../support/log-scan/findings.ts";
import { knownToTests } from "../../support/log-scan/local.ts";
import { newLogScan, PLANTED } from "../../support/log-scan/scan.ts";

const KNOWN = knownToTests();

const LINE = {
  request_id: "7ffd04ac-357a-400a-b62b-6ff900092f63",
  connection_id: "cn0008andwt8kgkwtxsg9",
  route: "/api/v1/invoice/{external_id}",
  method: "POST",
  status: 422,
  error_code: "validation_failed",
  duration_ms: 12,
  d1_trips: 2,
};

function found(change: object): string[] {
  return findingsIn(JSON.stringify({ ...LINE, ...change }), KNOWN);
}

const KEY = "ck_live_cn0008andwt8kgkwtxsg9_0123456789abcdefghjkmnpqrstvwxyz_0123456789abcdef0123456789abcdef";
const TOKEN = "mJ4".repeat(40);

test.each<[string, object]>([
  ["a line of a request", {}],
  ["an alarm", { level: "alarm", alarm: "d1_failed", error: "D1_ERROR: Network connection lost." }],
  ["where an error was", { error_name: "TypeError", frames: "serve (src/ledger/a.ts:4:1) < worker.js:23:7" }],
  ["a caller's ULID", { request_id: "01JDVX3W0Q8R5T7Y9ZABCDEFGH" }],
  ["a caller's trace", { request_id: "4bf92f3577b34da6a3ce929d0e0e4736" }],
  ["a delivery", { event: "webhook_called", delivery: "msg_rbxcwwjbr64qa9gw7v4qnq83nc", attempt: 2 }],
])("%s gives nothing away", (_, change) => {
  expect(found(change)).toEqual([]);
});

test.each<[string, object, string]>([
  ["a key in a cause", { cause: KEY }, "an API key"],
  ["a key in a caller's id", { request_id: KEY }, "an API key"],
  ["a viewer URL for a route", { route: `/v/${TOKEN}` }, "a viewer token"],
  ["a token in a cause", { cause: TOKEN }, "a viewer token"],
  ["a signing secret", { cause: `whsec_${"A".repeat(32)}` }, "a signing secret"],
  ["an e-mail address", { cause: "to ana@correo.example" }, "an e-mail address"],
  ["a NIF", { error_name: "12345678Z" }, "a NIF"],
  ["a NIF of a company", { request_id: "B12345674" }, "a NIF"],
  ["a name", { error_name: "Lucía" }, "somebody's name or address"],
  ["an address", { cause: "calle_de Alfareros" }, "somebody's name or address"],
  ["a password", { cause: "siete gatos en la azotea" }, "a password"],
  ["a cookie", { cause: "better-auth.session_token=x" }, "a session"],
  ["a secret of the deployment", { cause: "session-secret-of-the-tests" }, "the secret of the tests"],
])("%s is found", (_, change, what) => {
  expect(found(change)).toContain(what);
});

test.each<[string, object, string]>([
  ["a member that no line has", { external_id: "e1" }, "external_id: a member that no line has"],
  ["the path instead of its pattern", { route: "/api/v1/invoice/Pedido 7" }, "route: not in its form"],
  ["words for a code", { error_code: "no such invoice" }, "error_code: not in its form"],
  ["an object for a code", { cause: { of: "x" } }, "cause: not in its form"],
  ["what an error quotes", { error: 'D1_ERROR: near "x"' }, "error: not in its form"],
  ["words for a place", { frames: "at home (calle de Alfareros 3)" }, "frames: not in its form"],
  ["a caller's own words", { request_id: "order-77/2" }, "request_id: not in its form"],
  ["a name for an id", { connection_id: "tienda" }, "connection_id: not in its form"],
])("%s has no place in the log", (_, change, what) => {
  expect(found(change)).toContain(what);
});

test("only lines of the log are logged", () => {
  expect(findingsIn("Something happened", KNOWN)).toEqual(["no line of the log"]);
  expect(findingsIn("[1]", KNOWN)).toEqual(["no line of the log"]);
});

test("what the runtime writes may say anything but that", () => {
  expect(givenAway("uncaught exception; exception = jsg.Error: broken.outputGateBroken", KNOWN)).toEqual([]);
  expect(givenAway("uncaught exception; jsg.Error: no client 87654321X", KNOWN)).toEqual(["a NIF"]);
});

test("every person in the tests is known", () => {
  for (const word of ["Ferrer", "Comercial", "Salamanca", "Žluťoučký"]) expect(KNOWN.words).toContain(word);
  expect(KNOWN.phrases).toContain("cuatro lunas de marzo");
});

test("a leak is reported without its content, and a planted one is counted only", () => {
  const scan = newLogScan(KNOWN);
  scan.hear(JSON.stringify({ ...LINE, cause: "siete gatos en la azotea" }), "here");
  scan.hear(JSON.stringify({ ...LINE, name: PLANTED }), "there");
  expect(scan.leaks).toEqual([
    `here: a password; cause: not in its form in ${JSON.stringify({ ...LINE, cause: "[string]" })}`,
  ]);
  expect(scan.planted).toBe(1);
});

test.each<[string, string, string]>([
  [
    "an address",
    "no mail to ana-m@correo.example at all",
    "here: no line of the log; an e-mail address in no mail to [an e-mail address] at all",
  ],
  [
    "a NIF and a name",
    "of Ferrer, 12345678Z",
    "here: no line of the log; a NIF; somebody's name or address in of [a name], [a NIF]",
  ],
  ["a key", `with ${KEY}`, "here: no line of the log; an API key; a viewer token in with [an API key]"],
])("a line with %s is shown without it", (_, line, told) => {
  const scan = newLogScan(KNOWN);
  scan.hear(line, "here");
  const [leak = ""] = scan.leaks;
  const parts = (text: string) =>
    text.replace(/^here: (.*) in /, (_all, found) => `${found.split("; ").sort()} in `);
  expect(parts(leak)).toBe(parts(told));
});
