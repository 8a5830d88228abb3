import type { InvoiceView } from "../../domain/invoice/invoice-view.ts";
import { directOrigin } from "../../domain/invoice/origin.ts";
import { prepareInvoice } from "../../domain/invoice/prepare.ts";
import { formGroups, resolveLine, sumAmounts, totalsOf } from "../../domain/invoice/tax-groups.ts";
import { civilDate, toAeatDate } from "../../domain/shared/civil-date.ts";
import { toFixed, ZERO } from "../../domain/shared/decimal.ts";
import { invariant } from "../../domain/shared/result.ts";
import { seal } from "../../domain/verifactu/record-hash.ts";
import type { SoftwareConfig } from "../../domain/verifactu/software.ts";
import { INVOICE_REQUEST_EXAMPLE } from "../endpoints/post-invoice.ts";
import { invoiceBody, toInvoiceRequest } from "../wire/invoice-body.ts";
import { invoiceMembers, previewMembers } from "../wire/invoice-response.ts";
import { parseExactly } from "../wire/json.ts";
import type { InvoiceExamples } from "./operation.ts";

const ISSUED_ON = civilDate("2026-11-27");
const SERIES = "API-1-2026";
const NUMBER = 42;
const FULL_NUMBER = `${SERIES}-${String(NUMBER).padStart(6, "0")}`;
const RECORD_ID = "rc000000000000000042";
const REQUEST_ID = "example-1";
const ISSUER = {
  name: "Tienda Ejemplo SL",
  nif: "B12345674",
  address1: "Calle Mayor 1",
  postcode: "28013",
  city: "Madrid",
};

/** Answers to the example request, made by the code for real ones, so all figures are correct. */
export function exampleInvoices(software: SoftwareConfig): InvoiceExamples {
  const document = exampleDocument();
  const view: InvoiceView = {
    invoiceId: "in000000000000000042",
    origin: directOrigin(document.request.externalId),
    externalId: document.request.externalId,
    series: SERIES,
    number: NUMBER,
    fullNumber: FULL_NUMBER,
    issueDate: ISSUED_ON,
    requestId: REQUEST_ID,
    environment: "production",
    document,
    alta: {
      recordId: RECORD_ID,
      record: exampleRecord(document, software),
      state: "pending_submission",
      requestId: REQUEST_ID,
    },
    corrections: [],
    rectifiedBy: [],
  };
  return { issued: invoiceMembers(view, new Set(), "en"), preview: previewMembers(view, "en") };
}

type Document = InvoiceView["document"];

function exampleDocument(): Document {
  const body = invoiceBody.safeParse(parseExactly(JSON.stringify(INVOICE_REQUEST_EXAMPLE)));
  invariant(body.success, "the example request has the shape of the contract");
  const prepared = prepareInvoice(toInvoiceRequest(body.data));
  const defaults = { tax: "01", regime: "01" } as const;
  const lines = prepared.request.lines.map((line, index) =>
    resolveLine(line, index, prepared.lineAmounts[index] ?? ZERO, defaults),
  );
  const groups = formGroups(prepared.request, lines);
  const totals = totalsOf(sumAmounts(groups.map((group) => group.amounts)));
  return {
    v: 1,
    ...prepared,
    issuer: ISSUER,
    defaults,
    groups,
    totals,
    totalsEur: totals,
    cited: [],
    warnings: [],
  };
}

function exampleRecord({ request, totals, groups }: Document, software: SoftwareConfig) {
  const { producerName, producerNif, name, code, version } = software;
  const key = { issuerNif: ISSUER.nif, number: FULL_NUMBER, date: toAeatDate(ISSUED_ON) };
  const previous = { first: false, hash: "0".repeat(64), ...key, number: `${SERIES}-000041` } as const;
  return seal(
    {
      kind: "ALTA",
      reference: RECORD_ID,
      key,
      chain: previous,
      system: {
        producerName,
        producerNif,
        name,
        code,
        version,
        installationNumber: "1",
        verifactuOnly: true,
        multipleIssuersPossible: true,
        multipleIssuers: false,
      },
      generatedAt: "2026-11-27T10:15:30+01:00",
      issuerName: ISSUER.name,
      invoiceType: request.invoiceType,
      description: request.description,
      breakdown: groups.map(({ amounts, rate }) => ({
        tax: "01",
        regime: "01",
        qualification: "S1",
        rate: toFixed(rate, 2),
        base: toFixed(amounts.base, 2),
        taxAmount: toFixed(amounts.tax, 2),
      })),
      taxTotal: toFixed(totals.tax, 2),
      total: toFixed(totals.total, 2),
    },
    NUMBER,
  );
}
