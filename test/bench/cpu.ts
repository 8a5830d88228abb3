/** CPU of what happens around the database, in plain Node, through the product's own functions. */

import { invoiceBody, toInvoiceRequest } from "../../src/api/wire/invoice-body.ts";
import { parseExactly } from "../../src/api/wire/json.ts";
import { faultOfJson } from "../../src/api/wire/request-body.ts";
import type { LedgerState } from "../../src/db/ledger-state.ts";
import { UNGUIDED } from "../../src/domain/connection/setup.ts";
import { writeUbl } from "../../src/domain/einvoice/ubl/write-ubl.ts";
import { electronicInvoiceOf } from "../../src/domain/einvoice/view.ts";
import { prepareInvoice } from "../../src/domain/invoice/prepare.ts";
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import { type SoftwareConfig, softwareFrom } from "../../src/domain/verifactu/software.ts";
import { ACCESS_UNTOUCHED } from "../../src/domain/viewer/access.ts";
import { knowing, openDraft } from "../../src/ledger/core/ledger-draft.ts";
import { decideInOrder } from "../../src/ledger/issue/decide-group.ts";
import { facturaeFiles } from "../../src/platform/facturae-file.ts";
import { invoicePdf } from "../../src/viewer/pdf/invoice-pdf.ts";
import { presentInvoice } from "../../src/viewer/presentation/invoice-presentation.ts";
import { NOTHING_DECLARED } from "../support/builders/direct-invoicing.ts";
import { manyLines } from "../support/builders/issued-samples.ts";
import signerSecret from "../support/einvoice/signer.json" with { type: "json" };
import { advance, begin } from "../support/progress/progress.ts";
import { type Report, spreadOf } from "./report.ts";

const NOON = Date.parse("2026-12-01T11:00:00Z");
const utf8 = new TextEncoder();

export async function cpuReports(samples: number, softwareJson: string): Promise<Report[]> {
  const three = bodyOf(3);
  const thousand = bodyOf(1_000);
  const prepared = prepare(three);
  const software = softwareFrom(softwareJson);
  let seed = 0;
  const random = (sizeBytes: number) => new Uint8Array(sizeBytes).map(() => (seed = (seed * 31 + 7) % 256));
  const decide = () => {
    const working = openDraft(BOOKS, knowing(new Map()), NOON);
    const instruction = { kind: "issue", invoice: prepared, requestId: "bench" } as const;
    const deps = { random, software, ledger: "000", createdInGroup: new Set<string>() };
    const [decided] = decideInOrder([instruction], working, deps);
    if (decided?.outcome.outcome !== "issued") throw new Error("the bench invoice was not issued");
  };
  const work = {
    "preparing 3 lines": () => prepare(three),
    "preparing 1,000 lines": () => prepare(thousand),
    "deciding and hashing 3 lines": decide,
    "PDF of 3 lines": pdfOf(3),
    "PDF of 300 lines": pdfOf(300),
    "UBL of 3 lines": ublOf(3),
    "UBL of 300 lines": ublOf(300),
    "signed Facturae of 3 lines": facturaeOf(3, software),
    "signed Facturae of 300 lines": facturaeOf(300, software),
  };
  const reports: Report[] = [];
  for (const [name, call] of Object.entries(work)) {
    begin(`CPU, ${name}`, { total: samples });
    reports.push({ name: `CPU, ${name}`, spreads: { ms: await timed(samples, call) } });
  }
  return reports;
}

/** From the stored invoice to the bytes of its file. */
function pdfOf(lineCount: number) {
  const view = manyLines(lineCount);
  return () => invoicePdf(presentInvoice(view, { language: "es" }), "Cuadre");
}

function ublOf(lineCount: number) {
  const view = manyLines(lineCount);
  const options = { version: "ubl-2.1", profile: "en16931" } as const;
  return () => utf8.encode(writeUbl(electronicInvoiceOf(view), options));
}

/** The certificate is read at the first file; none is kept, so that each is signed. */
function facturaeOf(lineCount: number, software: SoftwareConfig) {
  const view = manyLines(lineCount);
  const facturae = facturaeFiles({
    signer: JSON.stringify(signerSecret),
    software,
    kept: { read: async () => undefined, keepFirst: async () => true },
    now: () => NOON,
    alert: (fault) => {
      throw new Error(fault);
    },
  });
  return async () => {
    const made = await facturae({ invoiceId: view.invoiceId, invoice: electronicInvoiceOf(view) });
    if (made.signature === "none") throw new Error("the bench file was not signed");
    return made;
  };
}

/** Body text to prepared invoice: exact numbers, duplicate check, zod, amounts, fingerprint. */
function prepare(text: string) {
  if (faultOfJson(text)) throw new Error("the bench body is malformed");
  return prepareInvoice(toInvoiceRequest(invoiceBody.parse(parseExactly(text))));
}

async function timed(samples: number, call: () => unknown) {
  for (let warm = 0; warm < 50; warm++) await call();
  const taken: number[] = [];
  for (let sample = 0; sample < samples; sample++) {
    const startedAt = performance.now();
    await call();
    taken.push(performance.now() - startedAt);
    advance();
  }
  return spreadOf(taken);
}

export function bodyOf(lineCount: number, externalId = "bench"): string {
  const lines = Array.from({ length: lineCount }, (_, index) => ({
    line_id: `l${index}`,
    description: `Artículo de prueba número ${index}`,
    quantity: 1 + (index % 7),
    price_unit: Number(`${12 + index}.3456`),
    tax_rate: index % 3 === 0 ? 21 : 10,
  }));
  return JSON.stringify({
    external_id: externalId,
    invoice_type: "F1",
    description: "Suministro de noviembre",
    currency: "EUR",
    recipient: {
      company: "Cliente Ejemplo SL",
      vat_number: "B12345674",
      country: "ES",
      address1: "Gran Vía 1",
      postcode: "28013",
      city: "Madrid",
    },
    lines,
  });
}

const BOOKS: LedgerState = {
  admission: {
    keyHashes: [],
    rateLimit: 0,
    connectionKind: "api",
    setup: UNGUIDED,
    access: ACCESS_UNTOUCHED,
    sendsTests: false,
    originsBeingRemoved: [],
    refusedOrigins: [],
  },
  selling: NOTHING_DECLARED,
  frozen: false,
  seq: 41,
  chain: {
    position: 41,
    hash: "A".repeat(64),
    key: { issuerNif: "B87654323", number: "API-1-2026-000041", date: "27-11-2026" },
    generatedAt: "2026-11-27T10:00:00+01:00",
  },
  series: [{ code: "API-1-2026", number: 41, date: civilDate("2026-11-27") }],
  settings: {
    version: 3,
    accountId: "ac0000000000000000000",
    issuer: {
      name: "Tostadero La Plaza SL",
      nif: "B87654323",
      address1: "Plaza Mayor 4",
      postcode: "37002",
      city: "Salamanca",
    },
    timeZone: "Europe/Madrid",
    territory: "peninsula",
    defaultRegime: "01",
    multipleIssuers: false,
    connectionOrdinal: 1,
    connectionKind: "api",
    consented: true,
    verified: true,
    installation: {
      ...{ id: "is0000000000000000000", ordinal: 1, number: "bench" },
      ...{ environment: "test", trial: false },
    },
  },
};
