/** A presentation read aloud: one line for each statement. */
import type { InvoicePresentation, Party } from "../../../src/viewer/presentation/invoice-presentation.ts";
import type { TaxRow } from "../../../src/viewer/presentation/taxes.ts";
import type { Words } from "../../../src/viewer/presentation/words.ts";

/** The parts that differ from kind to kind; issuer, number and QR are the same in all. */
export function readOut(invoice: InvoicePresentation): string[] {
  const { title, cancelled, details, recipient, subject, statements, lines, taxes, totals, notes } = invoice;
  const { heads, included, hasDiscounts } = lines;
  const columns = [heads.quantity, heads.price, ...(hasDiscounts ? [heads.discount] : []), heads.tax];
  return [
    said(title),
    ...(cancelled ? [said(cancelled)] : []),
    ...invoice.notices,
    ...details.slice(1).map(({ label, value }) => `${label}: ${value}`),
    ...(recipient ? [`${recipient.label}: ${partyText(recipient.party)}`] : []),
    ...(subject ? [`${subject.label}: ${subject.value}`] : []),
    ...statements.flatMap(({ words, details: more }) => [said(words), ...more]),
    [...columns, heads.amount + (included ? `, ${said(included)}` : "")].join(" | "),
    ...lines.rows.map((row) =>
      [row.quantity, row.price, ...(hasDiscounts ? [row.discount] : []), row.tax, row.amount].join(" | "),
    ),
    taxes.heads.join(" | "),
    ...taxes.rows.map(taxText),
    ...(taxes.sum ? [taxText(taxes.sum)] : []),
    ...totals.map(
      ({ label, included: with_, value }) => `${label}${with_ ? `, ${said(with_)}` : ""}: ${value}`,
    ),
    ...notes.map(said),
    ...(invoice.qr?.amount === undefined ? [] : [invoice.qr.amount]),
  ].map((line) => line.replaceAll("\u00a0", " "));
}

function said({ text, gloss }: Words): string {
  return gloss === undefined ? text : `${text} [${gloss}]`;
}

function partyText({ name, details }: Party): string {
  return [name, ...details].join(", ");
}

function taxText({ name, law, cells }: TaxRow): string {
  return [said(name) + (law === undefined ? "" : ` (${law})`), ...cells].join(" | ");
}
