import { expect, test } from "vitest";
import { type ActingInvoice, documentStatus } from "../../../src/domain/invoice/rectifiable.ts";

function actedOn(kind: ActingInvoice["kind"], inForce = true) {
  const acting = { invoiceId: "i2", externalId: "", number: "API-1-2026-000002", kind, taken: [], inForce };
  return { cancelled: false, groups: [], actedOnBy: [{ ...acting, actedOnBy: [] }] };
}

test.each([
  ["a ticket is replaced by its F3", "F2", actedOn("replacement"), "replaced"],
  ["an F3 is undone by the F3 of its opposite", "F3", actedOn("replacement"), "undone"],
  ["an F3 that is issued again by substitution is replaced", "F3", actedOn("substitution"), "replaced"],
  ["a ticket of an undone F3 is free again", "F2", actedOn("replacement", false), "issued"],
] as const)("%s", (_, invoiceType, acted, expected) => {
  expect(documentStatus({ invoiceType, ...acted }).is).toBe(expected);
});
