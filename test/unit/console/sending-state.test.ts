import { expect, test } from "vitest";
import { sendingState } from "../../../src/web/pages/invoices/sending-state.ts";

const NOW = Date.parse("2026-11-27T11:40:00Z");
const FRESH = { unsent: 2, unsentSince: "2026-11-27T11:39:30Z" };
const LATE = { unsent: 2, unsentSince: "2026-11-27T11:36:00Z" };
const FAILING = { unsent: 1, unsentSince: "2026-11-27T11:39:50Z", incidentSince: "2026-11-27T11:39:55Z" };

test.each([
  ["no chain is done", [], { is: "done" }],
  ["nothing unsent is done", [{ unsent: 0 }], { is: "done" }],
  ["a record waits for its time", [FRESH], { is: "waiting", unsent: 2 }],
  ["after a minute it is an incident", [LATE], { is: "retrying", unsent: 2, since: LATE.unsentSince }],
  ["a failure is one at once", [FAILING], { is: "retrying", unsent: 1, since: FAILING.incidentSince }],
  ["the oldest counts", [FAILING, LATE, FRESH], { is: "retrying", unsent: 5, since: LATE.unsentSince }],
  [
    "a stopped chain outranks the others",
    [LATE, { ...FAILING, stopped: {} }],
    { is: "stopped", unsent: 3, since: FAILING.incidentSince },
  ],
  ["a stop without records is none", [{ unsent: 0, stopped: {} }], { is: "done" }],
])("%s", (_, chains, state) => {
  expect(sendingState(chains, NOW)).toEqual(state);
});
