/** Invoices of every kind, issued by the API and read back from the books by their own id. */
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, test, vi } from "vitest";
import { issuedAnswer } from "../../src/api/wire/issued-response.ts";
import { writeUbl } from "../../src/domain/einvoice/ubl/write-ubl.ts";
import { electronicInvoiceOf } from "../../src/domain/einvoice/view.ts";
import type { InvoiceView } from "../../src/domain/invoice/invoice-view.ts";
import { prepareInvoice } from "../../src/domain/invoice/prepare.ts";
import type { Instruction } from "../../src/ledger/issue/instruction.ts";
import worker from "../../src/worker.ts";
import { issueAll } from "../support/builders/direct-invoicing.ts";
import { EVERY_KIND } from "../support/builders/every-kind.ts";
import { orderOf, postOrder } from "../support/worlds/http-calls.ts";
import { onTheDay } from "../support/worlds/old-years.ts";
import { aSentOrder } from "../support/worlds/order-calls.ts";
import { callerOf, ledgerStub, openShop, type Shop } from "../support/worlds/shop.ts";

afterEach(() => {
  vi.useRealTimers();
});

type Step = (typeof EVERY_KIND)[number][2][number];

async function carryOut(shop: Shop, step: Step): Promise<string> {
  const [stub, caller] = [ledgerStub(shop), callerOf(shop)];
  if (!("kind" in step)) return (await stub.issueInvoice(caller, prepareInvoice(step))).outcome;
  const { externalId, reason } = asCancellation(step);
  return (await stub.cancelInvoice(caller, { externalId, reason })).outcome;
}

function asCancellation(step: Instruction) {
  if (step.kind !== "cancel") throw new Error(`no step of kind ${step.kind}`);
  return step;
}

async function readBack(shop: Shop, externalId: string): Promise<InvoiceView> {
  const [stub, caller] = [ledgerStub(shop), callerOf(shop)];
  const found = await stub.readInvoice(caller, externalId);
  if (found.outcome !== "found") throw new Error(`${externalId}: ${found.outcome}`);
  const read = await stub.readIssued(caller, found.invoice.invoiceId);
  if (read.outcome !== "found") throw new Error(`${externalId}: ${read.outcome}`);
  return read.invoice;
}

/** Two shops differ in their NIF, which the QR names too, and in the ids of invoices. */
function comparable(view: InvoiceView) {
  const { issuer, qrUrl, correction, replaces, ...rest } = electronicInvoiceOf(view);
  const { nif: _, ...others } = issuer;
  const named = ({ invoiceId: _, ...cited }: (typeof replaces)[number]) => cited;
  return {
    ...rest,
    issuer: others,
    hasQr: qrUrl !== undefined,
    correction: correction && { ...correction, cited: correction.cited.map(named) },
    replaces: replaces.map(named),
  };
}

test.each(EVERY_KIND)(
  "%s: every kind is the same neutral view in the books as when it is decided",
  async (_, settings, steps) => {
    onTheDay("2026-11-27");
    const { territory = "peninsula", timeZone = "Europe/Madrid" } = settings;
    const shop = await openShop({ account: { territory, timeZone } });
    const { outcomes } = issueAll(steps, { settings });
    const told: string[] = [];
    for (const step of steps) told.push(await carryOut(shop, step));
    expect(told).toEqual(outcomes.map(({ outcome }) => outcome));
    const decided = new Map(
      outcomes.flatMap((outcome) =>
        "invoice" in outcome ? [[outcome.invoice.externalId, outcome.invoice]] : [],
      ),
    );
    expect(decided.size).toBeGreaterThanOrEqual(3);
    for (const [externalId, view] of decided) {
      expect([externalId, comparable(await readBack(shop, externalId))]).toEqual([
        externalId,
        comparable(view),
      ]);
    }
  },
);

async function get(shop: Shop, path: string): Promise<Response> {
  const request = new Request<unknown, IncomingRequestCfProperties>(`https://api.example${path}`, {
    headers: { "X-API-KEY": shop.key },
  });
  return worker.fetch(request, env, createExecutionContext());
}

test("an invoice of an order is read by its id, with its order, and its UBL is that of the neutral view", async () => {
  const shop = await openShop();
  const client = {
    ...{ company: "Cliente Ejemplo SL", vat_number: "B12345674", country: "ES" },
    ...{ address1: "Gran Vía 1", postcode: "28013", city: "Madrid" },
  };
  const order = orderOf(await postOrder(shop, aSentOrder("5001", { client })));
  const [{ invoice_id: id } = { invoice_id: "" }] = order.invoices;
  const answer: { readonly data: { readonly origin: string; readonly order_id: string } } = await (
    await get(shop, `/api/v1/invoices/${id}`)
  ).json();
  expect(issuedAnswer.safeParse(answer.data).error).toBeUndefined();
  expect([answer.data.origin, answer.data.order_id]).toEqual(["order", "5001"]);
  const read = await ledgerStub(shop).readIssued(callerOf(shop), id);
  if (read.outcome !== "found") throw new Error(read.outcome);
  const ubl = await get(shop, `/api/v1/invoices/${id}/ubl`);
  expect(await ubl.text()).toBe(
    writeUbl(electronicInvoiceOf(read.invoice), { version: "ubl-2.1", profile: "en16931" }),
  );
  expect((await get(shop, `/api/v1/invoices/${id}/pdf`)).status).toBe(200);
});
