/** A body, or a member of one, that should be an object and is not gives that problem alone. */
import { describe, expect, test } from "vitest";
import { ENDPOINTS } from "../../../src/api/endpoints.ts";
import { ORDER_EXAMPLE } from "../../../src/api/wire/order-examples.ts";
import { aBody, anEdge, postOf } from "../../support/worlds/http-edge.ts";

const BODIES = ENDPOINTS.flatMap(({ path, doc }) => (doc.body ? [path.replace(/\{\w+\}/, "order-1")] : []));

async function detailsOf(path: string, body: unknown) {
  const { app, asked } = anEdge();
  const response = await app.request(path, postOf(JSON.stringify(body)));
  const answer = JSON.parse(await response.text());
  const details: readonly { readonly path: string; readonly code: string; readonly message: string }[] =
    answer.details ?? [];
  // Whether customers may see anything outranks the shape of the request.
  const calls = path.endsWith("invoice-access") ? 1 : 0;
  expect([response.status, answer.error_code, asked.length]).toEqual([422, "validation_failed", calls]);
  return details;
}

test("ten routes take a body", () => {
  expect(BODIES.length).toBe(10);
});

describe.each(BODIES)("%s", (path) => {
  test.each([[[]], [[1]], [[{}]], ["x"], [""], [5], [0], [true], [null]])(
    "%j is one problem",
    async (body) => {
      expect(await detailsOf(path, body)).toEqual([
        { path: "", code: "object_expected", message: "The body must be an object, in braces; send one." },
      ]);
    },
  );
});

test.each([
  ["a line of an order", { ...ORDER_EXAMPLE, breakdown: [[]], total: 1 }, "breakdown.0"],
  ["a discount", { ...ORDER_EXAMPLE, discounts: [[]] }, "discounts.0"],
  ["an unmapped total", { ...ORDER_EXAMPLE, unmapped_totals: ["x"] }, "unmapped_totals.0"],
  ["an event", { ...ORDER_EXAMPLE, correction_events: [[]] }, "correction_events.0"],
  [
    "a line of an event",
    { ...ORDER_EXAMPLE, correction_events: [{ id_external_event: "r-1", lines: [[]] }] },
    "correction_events.0.lines.0",
  ],
  ["a refund", { ...ORDER_EXAMPLE, refunds: [[]] }, "refunds.0"],
  ["a client that is a list", { ...ORDER_EXAMPLE, client: [1] }, "client"],
])("an order with %s that is no object is refused with its place", async (_, body, path) => {
  expect((await detailsOf("/api/v1/order", body)).map((each) => `${each.path} ${each.code}`)).toEqual([
    `${path} object_expected`,
  ]);
});

test.each([
  ["a line", { lines: [[]] }, "lines.0"],
  ["a recipient", { recipient: [] }, "recipient"],
  ["a withholding", { withholding: 15 }, "withholding"],
  [
    "a cited invoice",
    { invoice_type: "R5", rectification_method: "difference", rectifies: [[]] },
    "rectifies.0",
  ],
])("an invoice with %s that is no object is refused with its place", async (_, change, path) => {
  expect(
    (await detailsOf("/api/v1/invoice", aBody(change))).map((each) => `${each.path} ${each.code}`),
  ).toEqual([`${path} object_expected`]);
});

test("a store and a status that are no objects are refused with their place", async () => {
  expect(await detailsOf("/v1/inventory", { stores: [[]] })).toMatchObject([
    { path: "stores.0", code: "object_expected" },
  ]);
  expect(await detailsOf("/api/v1/status", { statuses: ["2"] })).toMatchObject([
    {
      path: "statuses.0",
      code: "object_expected",
      message: "“statuses.0” must be an object, in braces; correct it.",
    },
  ]);
});
