import { test } from "vitest";
import { issueAll } from "../../support/direct-invoicing.ts";
import { aRequest, A_RECIPIENT } from "../../support/requests.ts";
test("x", () => {
  const r = issueAll([aRequest("e1", { recipient: { ...A_RECIPIENT, vatNumber: "ES12345678Z", country: "FR" } })]);
  throw new Error(JSON.stringify(r.outcomes).slice(0, 300));
});
