/** Documents as the first release stored them: every later release must read, replay and rectify them. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { documentFromJson } from "../../src/db/database.ts";
import type { StoredInvoice } from "../../src/db/ledger-state.ts";
import type { InvoiceDocument } from "../../src/domain/invoice/document.ts";
import { rectifiableOf } from "../../src/domain/invoice/invoice-view.ts";
import { recordTotals } from "../../src/domain/invoice/issued-document.ts";
import { canonicalRequest, fingerprintOf } from "../../src/domain/invoice/prepare.ts";
import type { LinkKind } from "../../src/domain/invoice/rectifiable.ts";
import type { InvoiceType, RequestLine } from "../../src/domain/invoice/request.ts";
import { negate, toFixed } from "../../src/domain/shared/decimal.ts";
import { seal } from "../../src/domain/verifactu/record-hash.ts";
import {
  aState,
  groupsIn,
  issued,
  outcomeOf,
  type State,
  totalsIn,
} from "../support/builders/direct-invoicing.ts";
import { aRegistration } from "../support/builders/records.ts";
import { correcting } from "../support/builders/requests.ts";

const FOLDER = `${import.meta.dirname}/documents`;

interface Golden {
  readonly file: string;
  readonly recordTotals: string;
  readonly groups: readonly string[];
  /** The amounts of a full return of its lines; absent where its lines are no sale. */
  readonly returned?: string;
}

const GOLDEN: readonly Golden[] = [
  {
    file: "v1-full.json",
    recordTotals: "13.30 / 114.79",
    groups: ["21: 53.97 / 11.33 + 2.81", "0: 50.00 / 0.00", "4.75: 6.17 / 0.29"],
    returned: "-110.14 / -11.62 + -2.81 / -124.57",
  },
  {
    file: "v1-ticket.json",
    recordTotals: "826.44 / 5000.00",
    groups: ["21: 3719.01 / 780.99", "10: 454.55 / 45.45"],
    returned: "-4173.56 / -826.44 / -5000.00",
  },
  {
    file: "v1-oss.json",
    recordTotals: "2.10 / 112.10",
    groups: ["20: 100.00 / 20.00", "21: 10.00 / 2.10"],
    returned: "-110.00 / -22.10 / -132.10",
  },
  {
    file: "v1-sale.json",
    recordTotals: "21.00 / 121.00",
    groups: ["21: 100.00 / 21.00"],
    returned: "-100.00 / -21.00 / -121.00",
  },
  {
    file: "v1-trade.json",
    recordTotals: "21.00 / 121.00",
    groups: ["21: 100.00 / 21.00"],
    returned: "-100.00 / -21.00 / -121.00",
  },
  { file: "v1-refund.json", recordTotals: "-7.00 / -40.33", groups: ["21: -33.33 / -7.00"] },
  {
    file: "v1-substitute.json",
    recordTotals: "16.80 / 96.80",
    groups: ["21: 80.00 / 16.80"],
    returned: "-80.00 / -16.80 / -96.80",
  },
  {
    file: "v1-disbursed.json",
    recordTotals: "378.00 / 2178.00",
    groups: ["21: 1800.00 / 378.00"],
    returned: "-1800.00 / -378.00 / -2178.00",
  },
  {
    file: "v1-margin.json",
    recordTotals: "3.34 / 82.00",
    groups: ["21: 0.83 / 0.17", "21: 10.33 / 2.17", "10: 10.00 / 1.00"],
    returned: "-21.16 / -3.34 / -82.00",
  },
  {
    file: "v1-corrected.json",
    recordTotals: "1.09 / 20.00",
    groups: ["21: 0.41 / 0.09", "10: 10.00 / 1.00"],
    returned: "-10.41 / -1.09 / -20.00",
  },
  {
    file: "v1-f3.json",
    recordTotals: "801.99 / 4620.97",
    groups: ["21: 3818.98 / 801.99"],
  },
];

test("every stored sample has its row", () => {
  expect(readdirSync(FOLDER).sort()).toEqual(GOLDEN.map(({ file }) => file).sort());
});

describe.each(GOLDEN)("$file", ({ file, recordTotals: totals, groups }) => {
  const document = documentFromJson(readFileSync(`${FOLDER}/${file}`, "utf8"));

  test("has today's fingerprint and canonical form, so that a retry is still a replay", () => {
    expect(fingerprintOf(document.request)).toBe(document.fingerprint);
    expect(canonicalRequest(document.request)).toEqual(document.request);
    expect(outcomeOf(document.request, { after: booksWith(document) })).toBe("replayed");
  });

  test("has the same groups and the same totals in its record", () => {
    expect(groupsIn(viewOf(document))).toEqual(groups);
    const { tax, total } = recordTotals(document);
    expect(`${toFixed(tax, 2)} / ${toFixed(total, 2)}`).toBe(totals);
  });
});

describe("a sale can be returned in full", () => {
  const sales = GOLDEN.flatMap(({ file, returned }) => (returned === undefined ? [] : [{ file, returned }]));

  test.each(sales)("$file", ({ file, returned }) => {
    const document = documentFromJson(readFileSync(`${FOLDER}/${file}`, "utf8"));
    const { rectificationMethod: _, attestation: __, withholdingRate: ___, ...rest } = document.request;
    const { disbursements: ____, ...request } = rest;
    const lines = request.lines.map(returning);
    const back = correcting({ ...request, externalId: "back", lines }, [document.request.externalId]);
    expect(totalsIn(issued(back, { after: booksWith(document) }))).toBe(returned);
  });
});

function returning({ quantity, taxableMargin, ...line }: RequestLine): RequestLine {
  const margin = taxableMargin === undefined ? {} : { taxableMargin: negate(taxableMargin) };
  return { ...line, quantity: negate(quantity), ...margin };
}

function booksWith(document: InvoiceDocument): State {
  const view = viewOf(document);
  const isSubstitution = document.request.rectificationMethod === "substitution";
  const kind: LinkKind = isSubstitution ? "substitution" : "replacement";
  const actsOn = document.cited.flatMap(({ invoiceId, externalId = "", invoiceType }) =>
    invoiceId === undefined ? [] : [{ invoiceId, externalId, kind, invoiceType: invoiceType as InvoiceType }],
  );
  const stored: StoredInvoice = { view, rectifiable: rectifiableOf(view, actsOn, []) };
  return { ...aState(), invoices: new Map([[view.origin, stored]]) };
}

function viewOf(document: InvoiceDocument): StoredInvoice["view"] {
  const content = aRegistration();
  return {
    invoiceId: "in00000000000000000099",
    origin: `direct:${document.request.externalId}`,
    externalId: document.request.externalId,
    series: "API-1-2025",
    number: 7,
    fullNumber: "API-1-2025-000007",
    issueDate: "2025-11-27",
    requestId: "the-first-request",
    environment: "test",
    document,
    alta: { recordId: content.reference, record: seal(content, 1), state: "accepted", requestId: "r" },
    corrections: [],
    rectifiedBy: [],
  };
}
