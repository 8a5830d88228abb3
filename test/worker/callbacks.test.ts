import { expect, test } from "vitest";
import { messageSender } from "../../src/work/send-message.ts";
import { aSecret, judged, NOON, REFUSED, TAKEN } from "../support/builders/callbacks.ts";
import { manualTimers } from "../support/faults/manual-timers.ts";

test("addresses are read as plain Node reads them", () => {
  const hostile = REFUSED.flatMap(([code, texts]) => texts.map((text) => [text, code] as const));
  const expected = [...TAKEN, ...hostile];
  expect(expected.map(([text]) => [text, judged(text)])).toEqual(expected);
});

test("the runtime can make the call", async () => {
  const send = messageSender({
    fetch: (url, init) => fetch(url, init),
    after: manualTimers().after,
    userAgent: "Cuadre/1.0.0",
  });
  const message = {
    id: "msg_1",
    url: "https://tienda.es/pull?store_ids=1",
    body: "{}",
    secrets: { current: aSecret(1) },
    at: NOON,
  };
  // Every call to the outside in these tests ends here.
  expect(await send(message)).toEqual({
    outcome: { outcome: "failed", cause: "server_error", status: 599 },
  });
});
