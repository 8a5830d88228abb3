import type { Say, WordId } from "../../words/words.tsx";
import type { Problem } from "./draft-queries.ts";

const MISSING: Readonly<Record<string, WordId>> = {
  description: "hand.missing.description",
  quantity: "hand.missing.quantity",
  price_unit: "hand.missing.price",
  tax_rate: "hand.missing.tax",
  iban: "hand.missing.iban",
  company: "hand.missing.company",
};

/** The problem of a field in the form's words, where it has some; else in the service's. */
export function problemText({ path, code, message }: Problem, say: Say): string {
  if (code === "required" || code === "too_short")
    return say(MISSING[path.replace(/^.*\./, "")] ?? "hand.required");
  if (code === "wrong_type" || code === "number_out_of_range") return say("hand.bad_number");
  if (path === "payment.iban") return say("look.iban.bad");
  return message;
}

/** Members of the contract that a card shows; a problem elsewhere is listed beside the preview. */
const OF_CARDS: ReadonlySet<string> = new Set([
  ...["invoice_type", "documentary_regime", "documentary_flags", "simplified_attestation"],
  ...["recipient", "recipient.company", "recipient.vat_number", "recipient.country", "recipient.id_type"],
  ...["recipient.address1", "recipient.postcode", "recipient.city", "recipient.email"],
  ...["operation_date", "prices_include_tax", "currency", "exchange_rate", "exchange_rate_date"],
  ...["lines", "lines.n", "lines.n.description", "lines.n.quantity", "lines.n.price_unit"],
  ...["lines.n.discount_rate", "lines.n.tax_rate", "lines.n.qualification"],
  ...["lines.n.regime", "lines.n.taxable_margin", "delivery", "delivery.country"],
  ...["withholding", "withholding.rate", "due_date", "payment", "payment.means", "payment.iban"],
  "description",
]);

export function isOfField({ path }: Problem): boolean {
  return OF_CARDS.has(path.replace(/^lines\.\d+/, "lines.n"));
}
