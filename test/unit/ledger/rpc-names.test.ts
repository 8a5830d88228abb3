/** A deploy runs two versions at once: a name that leaves, or is spelled anew, breaks calls of the other one. */
import { expect, test } from "vitest";
import { CALLS, CONNECTOR_CALLS, type ConnectorCalls, callsBy } from "../../../src/ledger/rpc.ts";

test("the names of the object's calls stay as published", () => {
  expect(Object.keys(CALLS)).toEqual([
    ...["admit", "issueInvoice", "previewInvoice", "cancelInvoice", "readInvoice", "readIssued"],
    ...["listInvoices", "emailInvoice", "reportShop"],
    ...[
      "submitOrder",
      "submitEvents",
      "readOrder",
      "listOrders",
      "findAvailable",
      "admitCustomers",
      "openAccess",
      "receiveDelivery",
      "viewInvoices",
    ],
    ...["act", "answerOrder", "answerTogether", "previewOrder", "decideAgain"],
    ...["correctRecord", "mailInvoice", "rectifyInvoice", "rectifyLines", "issueByHand", "resendRecords"],
    "readCorrections",
    ...["makeFacturae", "testShop"],
    ...["readSubmission", "readAttempts", "verifyBooks", "exportRecords", "exportInvoices"],
    ...["listWebhooks", "listWebhookDeliveries"],
  ]);
});

test("calls made from the names pass their values on under their own name", async () => {
  const sent: unknown[] = [];
  const calls = callsBy<ConnectorCalls>(CONNECTOR_CALLS, (name) => async (...given) => {
    sent.push([name, ...given]);
  });
  const caller = { connectionId: "cn1", keyHash: "hash", requestId: "request" };
  await calls.readInvoice(caller, "a");
  expect(Object.keys(calls)).toEqual(Object.keys(CONNECTOR_CALLS));
  expect(sent).toEqual([["readInvoice", caller, "a"]]);
});
