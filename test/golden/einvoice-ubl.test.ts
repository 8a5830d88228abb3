/** UBL of every kind of invoice that we issue: its bytes, and what schema and rules of EN 16931 and Peppol say. */
import { describe, expect, test } from "vitest";
import type { ElectronicInvoice } from "../../src/domain/einvoice/electronic-invoice.ts";
import { formatRefusals } from "../../src/domain/einvoice/formats.ts";
import type { UblProfile } from "../../src/domain/einvoice/ubl/ubl-document.ts";
import { writeUbl } from "../../src/domain/einvoice/ubl/write-ubl.ts";
import { electronicInvoiceOf } from "../../src/domain/einvoice/view.ts";
import { everyKind, forPeppol, goldenKinds } from "../support/einvoice/kinds.ts";
import { rulesFolder } from "../support/einvoice/rules.ts";
import { findingsIn, openValidator } from "../support/einvoice/validator.ts";

const ubl = (invoice: ElectronicInvoice, profile: UblProfile) =>
  writeUbl(invoice, { version: "ubl-2.1", profile });

const GOLDEN = goldenKinds().map(({ name, view }) => [name, electronicInvoiceOf(view)] as const);

describe("the bytes of an invoice are those of every release", () => {
  const said = GOLDEN.filter(([, invoice]) => formatRefusals(invoice, "ubl").length === 0);

  test.each(said)("%s", async (name, invoice) => {
    const file = `einvoice/${name.replace(/[^a-z0-9]+/gi, "-").toLowerCase()}.ubl.xml`;
    await expect(ubl(invoice, "en16931")).toMatchFileSnapshot(file);
    expect(ubl(electronicInvoiceOf(structuredClone(viewNamed(name))), "en16931")).toBe(
      ubl(invoice, "en16931"),
    );
  });
});

describe.skipIf(rulesFolder === undefined)("the rules have no finding, not even a warning", () => {
  // The rules of Peppol come on top of those of EN 16931, so a file for Peppol passes both.
  const kinds = everyKind().map(({ name, view }) => {
    const forNetwork = electronicInvoiceOf(forPeppol(view));
    const isForNetwork = canSay(forNetwork, "ubl_peppol");
    return { name, isForNetwork, invoice: isForNetwork ? forNetwork : electronicInvoiceOf(view) };
  });
  const said = kinds.filter(({ invoice }) => canSay(invoice, "ubl"));

  test.each(said.map((kind) => [kind.name, kind] as const))("%s", async (_, { invoice, isForNetwork }) => {
    const check = await openValidator();
    const xml = ubl(invoice, isForNetwork ? "peppol" : "en16931");
    expect(findingsIn(check(xml, { peppol: isForNetwork }))).toEqual([]);
  });

  test("with the PDF attached", async () => {
    const check = await openValidator();
    const [, invoice] = GOLDEN[0] ?? [];
    if (!invoice) throw new Error("there is a first kind");
    const pdf = Buffer.from("%PDF-1.7").toString("base64");
    const xml = writeUbl(invoice, { version: "ubl-2.1", profile: "peppol", pdf });
    expect(findingsIn(check(xml, { peppol: true }))).toEqual([]);
    const file = 'filename="API-1-2026-000001.pdf" mimeCode="application/pdf"';
    expect(xml).toContain(`<cbc:EmbeddedDocumentBinaryObject ${file}>${pdf}</`);
  });
});

test("most kinds can be said in UBL, and every kind that cannot says why", () => {
  const kinds = everyKind().map(({ view }) => electronicInvoiceOf(view));
  const refused = kinds.filter((invoice) => !canSay(invoice, "ubl"));
  expect(kinds.length - refused.length).toBeGreaterThan(80);
  expect(new Set(refused.flatMap((invoice) => formatRefusals(invoice, "ubl")))).toEqual(
    new Set([
      ...["simplified", "cancelled", "withholding", "disbursements", "not_subject_mixed", "other_tax"],
      ...["currency_decimals", "buyer_name_missing", "buyer_country_missing"],
    ]),
  );
});

function canSay(invoice: ElectronicInvoice, format: "ubl" | "ubl_peppol"): boolean {
  return formatRefusals(invoice, format).length === 0;
}

function viewNamed(name: string) {
  const kind = goldenKinds().find((one) => one.name === name);
  if (!kind) throw new Error(`no kind ${name}`);
  return kind.view;
}
