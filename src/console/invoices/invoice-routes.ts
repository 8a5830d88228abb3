import { type Context, Hono } from "hono";
import type * as z from "zod";
import { recordsOf } from "../../domain/invoice/invoice-records.ts";
import { assertNever } from "../../domain/shared/result.ts";
import {
  closeChain,
  closeExport,
  exportedRecord,
  openChain,
  openExport,
} from "../../domain/verifactu/xml/export-xml.ts";
import type { OwnerCorrection } from "../../ledger/corrections/owner-correction.ts";
import type { ConsoleEnv } from "../deps.ts";
import { refuse, refuseByRule, refuseUnavailable } from "../refuse.ts";
import { body } from "../valid.ts";
import type { InvoiceRead } from "./invoice-detail-ports.ts";
import { correctionBody } from "./invoices-shapes.ts";
import { shownDetail } from "./shown-detail.ts";
import { viewInvoice } from "./view-invoice.ts";

/** One invoice: its sheet, the course of its records, and what may be done about them. */
export const invoiceRoutes = new Hono<ConsoleEnv>()
  .get("/invoices/:invoice", async (c) => {
    const { deps, language } = c.var;
    const read = await readOf(c, c.req.param("invoice"));
    const viewed = viewInvoice(read);
    const names = await deps.members.namesOf(viewed.records.flatMap(({ userId }) => userId ?? []));
    const sheet = deps.viewer.sheet(read.stored.view, optionsOf(c, read));
    return c.json({
      success: true as const,
      data: { ...shownDetail(read, viewed, { names, language }), sheet },
    });
  })
  .get("/invoices/:invoice/pdf", async (c) => {
    const read = await readOf(c, c.req.param("invoice"));
    const { software, viewer } = c.var.deps;
    const creator = `${software.name} ${software.version}`;
    const bytes = await viewer.pdf(read.stored.view, { ...optionsOf(c, read), creator });
    return file(bytes, "application/pdf", `${read.stored.view.fullNumber}.pdf`);
  })
  .get("/invoices/:invoice/xml", async (c) => {
    const read = await readOf(c, c.req.param("invoice"));
    const text = recordsXml(read, new Date(c.var.deps.now()).toISOString());
    return file(text, "application/xml; charset=utf-8", `${read.stored.view.fullNumber}.xml`);
  })
  .post("/invoices/:invoice/corrections", body(correctionBody), async (c) => {
    const { account, reads, deps, user } = c.var;
    const invoiceId = c.req.param("invoice");
    const connectionId = await reads.invoice.findConnection(account.accountId, invoiceId);
    if (connectionId === undefined) return refuse(c, "not_found");
    const asked = c.req.valid("json");
    const outcome = await deps.owner(connectionId).correctRecord(connectionId, {
      ...{ userId: user.id, requestId: asked.deed, invoiceId },
      correction: correctionOf(asked),
    });
    switch (outcome.outcome) {
      case "corrected":
      case "replayed":
        return c.json({ success: true as const, data: { id: outcome.invoice.invoiceId } });
      case "refused":
        return refuseByRule(c, outcome.refusal);
      case "unavailable":
      case "failed":
        return refuseUnavailable(c, outcome);
      case "unauthorized":
      case "rate_limited":
        return refuseUnavailable(c, { cause: outcome.outcome });
      default:
        return assertNever(outcome);
    }
  });

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

function correctionOf(asked: z.output<typeof correctionBody>): OwnerCorrection {
  if (asked.correction === "annul") return { correction: "annul", reason: asked.reason };
  if (asked.correction === "remedy") return { correction: "remedy", remedy: asked.remedy };
  const { issuer_name: issuerName, description, recipient, operation_date: operationDate } = asked;
  const { agreement_number: agreementNumber } = asked;
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

/** Its own records as they are submitted, chain by chain, in the envelope of exports. */
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

/** A file that is saved, not shown. */
export function file(content: BodyInit, contentType: string, name: string): Response {
  const headers = { "Content-Type": contentType, "Content-Disposition": `attachment; filename="${name}"` };
  return new Response(content, { headers });
}
