import { type Context, Hono } from "hono";
import * as z from "zod";
import { date, sentText } from "../../api/wire/values.ts";
import { type FormatReason, formatRefusals } from "../../domain/einvoice/formats.ts";
import { writeUbl } from "../../domain/einvoice/ubl/write-ubl.ts";
import { electronicInvoiceOf } from "../../domain/einvoice/view.ts";
import { REMEDIES } from "../../domain/invoice/decide-amendment.ts";
import { DOCUMENT_KINDS, isPlace, termsOf } from "../../domain/invoice/invoice-entry.ts";
import { newestRegistration, RECORD_STATES, recordsOf } from "../../domain/invoice/invoice-view.ts";
import { directInvoiceOf, rectificationOf } from "../../domain/invoice/owner-rectification.ts";
import { prepareInvoice } from "../../domain/invoice/prepare.ts";
import { ID_TYPES } from "../../domain/invoice/request.ts";
import {
  closeChain,
  closeExport,
  exportedRecord,
  openChain,
  openExport,
} from "../../domain/verifactu/xml/export-xml.ts";
import { recordXml } from "../../domain/verifactu/xml/record-xml.ts";
import type { OwnerCorrection } from "../../ledger/corrections/owner-correction.ts";
import { facturaeName } from "../../platform/facturae-file.ts";
import type { ConsoleEnv } from "../deps.ts";
import { actAt } from "../owner-verb.ts";
import { cursor, cursorOf } from "../pages.ts";
import { refuse, refuseAtGate, refuseByRule } from "../refuse.ts";
import { body, changeId, daysInOrder, freeText, idOf, listedDay, month, query } from "../shapes.ts";
import { shownLook } from "../shown-look.ts";
import type { InvoiceRead } from "./invoice-detail.ts";
import { type InvoicePage, type ListedInvoice, listInvoices } from "./list-invoices.ts";
import { issuedRectification, rectificationBody, rectificationFrom } from "./rectification.ts";
import { shownDetail, shownListed, shownListSums, viewInvoice } from "./view.ts";

const place = z.strictObject({ place: sentText(64).refine(isPlace), first: z.int().min(0) });

/** Filter of the invoice list; the cursor continues from one of its pages. */
export const invoicesQuery = z
  .strictObject({
    month: month.optional(),
    from: listedDay.optional(),
    to: listedDay.optional(),
    document: z.enum(DOCUMENT_KINDS).optional(),
    state: z.enum(RECORD_STATES).optional(),
    series: idOf(60).optional(),
    connection: idOf(64).optional(),
    search: freeText(200).optional(),
    cursor: cursor(place).optional(),
  })
  .superRefine(daysInOrder);

const recipient = z.strictObject({
  company: freeText(255),
  vat_number: freeText(40),
  country: freeText(2).optional(),
  id_type: z.enum(ID_TYPES).optional(),
});

/** An owner's correction of an invoice's records. */
export const correctionBody = z.discriminatedUnion("correction", [
  z.strictObject({
    correction: z.literal("amend"),
    deed: changeId,
    issuer_name: freeText(255).optional(),
    description: freeText(1_000).optional(),
    recipient: recipient.optional(),
    operation_date: date.optional(),
    agreement_number: freeText(40).optional(),
  }),
  z.strictObject({ correction: z.literal("remedy"), deed: changeId, remedy: z.enum(REMEDIES) }),
  z.strictObject({ correction: z.literal("annul"), deed: changeId, reason: freeText(600) }),
]);

/** The owner's finding at the AEAT: the record under this number is ours or foreign. */
export const findingBody = z.strictObject({
  found: z.enum(["ours", "foreign"]),
  reason: freeText(600),
});

const PAGE = 25;

/** The account's invoices, newest first, with the sums of the filtered list. */
export const invoiceListRoutes = new Hono<ConsoleEnv>()
  .get("/invoices", query(invoicesQuery), async (c) => {
    const { account, reads } = c.var;
    const { connection, search = "", cursor, ...members } = c.req.valid("query");
    const { month, from: firstDay, to: lastDay, document, state, series } = members;
    const filter = {
      terms: termsOf(search),
      ...(month === undefined ? {} : { month }),
      ...(firstDay === undefined ? {} : { firstDay }),
      ...(lastDay === undefined ? {} : { lastDay }),
      ...(document === undefined ? {} : { document }),
      ...(state === undefined ? {} : { state }),
      ...(series === undefined ? {} : { series }),
      ...(connection === undefined ? {} : { connectionId: connection }),
    };
    const towards = cursor?.way === "before" ? "newer" : "older";
    const from = cursor ? ({ towards, place: cursor.key.place } as const) : undefined;
    const page = await listInvoices(reads.invoices, account.accountId, {
      ...{ filter, size: PAGE },
      ...(from ? { from } : {}),
    });
    const first = firstOf(page, cursor?.key.first ?? 0, towards);
    return c.json({
      success: true as const,
      data: {
        items: page.items.map(shownListed),
        sums: shownListSums(page.sums),
        isWhole: page.isWhole,
        first: page.items.length === 0 ? 0 : first + 1,
        ...cursorsOf(page, first),
      },
    });
  })
  .get("/invoices/choices", async (c) => {
    const { account, reads } = c.var;
    return c.json({ success: true as const, data: await reads.invoices.readChoices(account.accountId) });
  });

/** The number of invoices before the page, carried from page to page in the cursor. */
function firstOf({ items, hasNewer }: InvoicePage, known: number, towards: "older" | "newer"): number {
  if (towards === "older") return known;
  return hasNewer ? Math.max(0, known - items.length) : 0;
}

function cursorsOf({ items, hasNewer, hasOlder }: InvoicePage, first: number) {
  const [newest, oldest] = [items[0], items.at(-1)];
  const at = ({ place }: ListedInvoice, before: number) => ({ place, first: before });
  return {
    previous: hasNewer && newest ? cursorOf({ way: "before", key: at(newest, first) }) : null,
    next: hasOlder && oldest ? cursorOf({ way: "after", key: at(oldest, first + items.length) }) : null,
  };
}

/** The issuer's time zone. */
export async function zoneOf(c: Context<ConsoleEnv>) {
  const { account, reads } = c.var;
  const [shown] = await reads.accounts.readAccounts([account.accountId]);
  return shown?.timeZone ?? "Europe/Madrid";
}

/** An owner's changes to one invoice, except corrections of its records. */
export const invoiceChangeRoutes = new Hono<ConsoleEnv>()
  .post("/invoices/:invoice/rectifications/groups", body(rectificationBody), async (c) => {
    const { account, reads, deps, user } = c.var;
    const invoiceId = c.req.param("invoice");
    const read = await reads.invoice.readInvoice(account.accountId, invoiceId);
    const direct = read && directInvoiceOf(read.stored);
    if (!read || !direct) return refuse(c, "not_found");
    const { deed, ...sent } = c.req.valid("json");
    const rectification = rectificationFrom({ deed, ...sent });
    const request = rectificationOf(rectification, direct);
    if (!request.ok) return refuseByRule(c, request.error);
    const { id: connectionId } = read.connection;
    const outcome = await deps.owner(connectionId).rectifyInvoice(connectionId, {
      ...{ userId: user.id, requestId: deed, invoiceId, cause: rectification.cause },
      invoice: prepareInvoice(request.value),
    });
    const data = issuedRectification(c, outcome, { request: request.value, rectification });
    return c.json({ success: true as const, data });
  })
  .post("/invoices/:invoice/finding", body(findingBody), async (c) => {
    const { account, reads } = c.var;
    const invoiceId = c.req.param("invoice");
    const connectionId = await reads.invoice.findConnection(account.accountId, invoiceId);
    if (connectionId === undefined) return refuse(c, "not_found");
    await actAt(c, connectionId, { verb: "settle_duplicate", invoiceId, ...c.req.valid("json") });
    return c.json({ success: true as const, data: {} });
  });

/** One invoice: its sheet, the course of its records and the possible corrections. */
export const invoiceRoutes = new Hono<ConsoleEnv>()
  .get("/invoices/:invoice", async (c) => {
    const { deps, language } = c.var;
    const read = await readOf(c, c.req.param("invoice"));
    const viewed = viewInvoice(read);
    const people = [
      ...viewed.records.flatMap(({ userId }) => userId ?? []),
      ...(read.issuedBy ? [read.issuedBy] : []),
    ];
    const names = await deps.members.namesOf([...new Set(people)]);
    const sheet = deps.viewer.sheet(read.stored.view, {
      ...optionsOf(c, read),
      ...shownLook(c, read.look),
    });
    return c.json({
      success: true as const,
      data: { ...shownDetail(read, viewed, { names, language }), sheet },
    });
  })
  .get("/invoices/:invoice/pdf", async (c) => {
    const read = await readOf(c, c.req.param("invoice"));
    const { software, viewer, brand } = c.var.deps;
    const creator = `${software.name} ${software.version}`;
    const options = { ...optionsOf(c, read), ...(await brand.printed(read.look)), creator };
    const bytes = await viewer.pdf(read.stored.view, options);
    return file(bytes, "application/pdf", `${read.stored.view.fullNumber}.pdf`);
  })
  .get("/invoices/:invoice/xml", async (c) => {
    const read = await readOf(c, c.req.param("invoice"));
    const text = recordsXml(read, new Date(c.var.deps.now()).toISOString());
    return file(text, XML_TYPE, `${read.stored.view.fullNumber}.xml`);
  })
  .get("/invoices/:invoice/ubl", async (c) => {
    const { stored } = await readOf(c, c.req.param("invoice"));
    const invoice = electronicInvoiceOf(stored.view);
    refuseUnsayable(c, formatRefusals(invoice, "ubl"));
    const text = writeUbl(invoice, { version: "ubl-2.1", profile: "en16931" });
    return file(text, XML_TYPE, `${invoice.number}.ubl.xml`);
  })
  .get("/invoices/:invoice/facturae", async (c) => {
    const { stored, connection } = await readOf(c, c.req.param("invoice"));
    const { invoiceId, fullNumber } = stored.view;
    refuseUnsayable(c, formatRefusals(electronicInvoiceOf(stored.view), "facturae"));
    const made = await c.var.deps.owner(connection.id).makeFacturae(connection.id, invoiceId);
    switch (made.outcome) {
      case "made":
        return file(made.bytes, XML_TYPE, facturaeName(fullNumber, made));
      case "unknown":
      case "unsayable":
        return refuse(c, "not_found");
      default:
        return refuseAtGate(c, made);
    }
  })
  .get("/invoices/:invoice/record", async (c) => {
    const { stored } = await readOf(c, c.req.param("invoice"));
    const { record } = newestRegistration(stored.view);
    const text = `<?xml version="1.0" encoding="UTF-8"?>\n${recordXml(record)}`;
    return file(text, XML_TYPE, `${stored.view.fullNumber}.record.xml`);
  })
  .post("/invoices/:invoice/corrections", body(correctionBody), async (c) => {
    const { account, reads, deps, user } = c.var;
    const invoiceId = c.req.param("invoice");
    const connectionId = await reads.invoice.findConnection(account.accountId, invoiceId);
    if (connectionId === undefined) return refuse(c, "not_found");
    const body = c.req.valid("json");
    const outcome = await deps.owner(connectionId).correctRecord(connectionId, {
      ...{ userId: user.id, requestId: body.deed, invoiceId },
      correction: correctionOf(body),
    });
    switch (outcome.outcome) {
      case "corrected":
      case "replayed":
        return c.json({ success: true as const, data: { id: outcome.invoice.invoiceId } });
      case "refused":
        return refuseByRule(c, outcome.refusal);
      default:
        return refuseAtGate(c, outcome);
    }
  });

const XML_TYPE = "application/xml; charset=utf-8";

/** The page offers no such file: it says the reasons in its place. */
function refuseUnsayable(c: Context<ConsoleEnv>, reasons: readonly FormatReason[]): void {
  if (reasons.length > 0) refuse(c, "not_found");
}

async function readOf(c: Context<ConsoleEnv>, invoiceId: string): Promise<InvoiceRead> {
  const { account, reads } = c.var;
  return (await reads.invoice.readInvoice(account.accountId, invoiceId)) ?? refuse(c, "not_found");
}

function optionsOf(c: Context<ConsoleEnv>, { order }: InvoiceRead) {
  return {
    language: c.var.language,
    isEcbRate: order?.isEcbRate ?? false,
    ...(order ? { orderReference: order.reference ?? order.id } : {}),
  };
}

function correctionOf(body: z.output<typeof correctionBody>): OwnerCorrection {
  if (body.correction === "annul") return { correction: "annul", reason: body.reason };
  if (body.correction === "remedy") return { correction: "remedy", remedy: body.remedy };
  const { issuer_name: issuerName, description, recipient, operation_date: operationDate } = body;
  const { agreement_number: agreementNumber } = body;
  return {
    correction: "amend",
    change: {
      ...(issuerName === undefined ? {} : { issuerName }),
      ...(description === undefined ? {} : { description }),
      ...(recipient === undefined ? {} : { recipient: recipientOf(recipient) }),
      ...(operationDate === undefined ? {} : { operationDate }),
      ...(agreementNumber === undefined ? {} : { agreementNumber }),
    },
  };
}

type SentRecipient = NonNullable<
  Extract<z.output<typeof correctionBody>, { correction: "amend" }>["recipient"]
>;

function recipientOf({ company, vat_number: vatNumber, country, id_type: idType }: SentRecipient) {
  return {
    ...{ company, vatNumber },
    ...(country === undefined ? {} : { country }),
    ...(idType === undefined ? {} : { idType }),
  };
}

/** The invoice's records as submitted, by chain, in the envelope of exports. */
function recordsXml({ stored, connection, issuer }: InvoiceRead, exportedAt: string): string {
  const ofChain = Map.groupBy(
    recordsOf(stored.view),
    ({ record }) => record.content.system.installationNumber,
  );
  const header = { connectionId: connection.id, issuerName: issuer.name, issuerNif: issuer.nif, exportedAt };
  const { environment } = stored.view;
  const chains = [...ofChain].map(([installationNumber, records]) => {
    const entries = records.map(({ record, state }) => exportedRecord(record, state)).join("");
    return `${openChain({ installationNumber, environment })}${entries}${closeChain()}`;
  });
  return `${openExport(header)}${chains.join("")}${closeExport()}`;
}

/** A file that the browser saves instead of showing it. */
export function file(content: BodyInit, contentType: string, name: string): Response {
  const headers = { "Content-Type": contentType, "Content-Disposition": `attachment; filename="${name}"` };
  return new Response(content, { headers });
}
