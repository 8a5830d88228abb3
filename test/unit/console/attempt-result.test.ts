/** What the console says of a message to the AEAT, from the result that is kept with it. */
import { expect, test } from "vitest";
import { shownAttempt } from "../../../src/console/invoices/view.ts";

const ATTEMPT = {
  ...{ id: "1", from: 4, to: 15, incident: false, resend: false },
  ...{ startedAt: 1_795_000_000_000, requestSha256: "0".repeat(64) },
};

const COUNTS = { state: "ParcialmenteCorrecto", lines: 12, accepted: 8, acceptedWithErrors: 1, rejected: 3 };

test.each([
  ["no result yet", undefined, { came: "under_way" }],
  [
    "an answer with what was not accepted as it is",
    { result: "answered", ...COUNTS },
    { came: "answered", rejected: 3, acceptedWithErrors: 1 },
  ],
  [
    "an answer without counts",
    { result: "answered", state: "Correcto" },
    { came: "answered", rejected: 0, acceptedWithErrors: 0 },
  ],
  [
    "a refused message",
    { result: "fault", fault: { side: "ours", code: 4102, text: "El XML no cumple el esquema" } },
    { came: "refused", code: 4102, text: "El XML no cumple el esquema" },
  ],
  ["none from the authority", { result: "no_answer", reason: "timeout" }, { came: "no_answer" }],
])("%s", (_, result, shown) => {
  const attempt = { ...ATTEMPT, ...(result ? { result: JSON.stringify(result) } : {}) };
  expect(shownAttempt(attempt)).toEqual({
    ...{ id: "1", from: 4, to: 15, incident: false, resend: false, startedAt: "2026-11-18T11:06:40.000Z" },
    ...shown,
  });
});
