import * as z from "zod";
import {
  ARTICLE_4_2_OPERATIONS,
  BUYER_ROLES,
  DOCUMENTARY_FLAGS,
  DOCUMENTARY_REGIMES,
  defaultRegime,
  ID_TYPES,
  INVOICE_TYPES,
  type InvoiceRequest,
  LEGAL_BASES,
  QUALIFICATIONS,
  RECTIFICATION_METHODS,
  TAXES,
} from "../../domain/invoice/request.ts";
import { filled } from "../../domain/shared/present.ts";
import type { Problem } from "../../words/words.ts";
import { present } from "./json.ts";
import {
  EMAIL_MEMBER,
  FIRST_NAME,
  LINE_VALUES,
  namesAgree,
  RECIPIENT_VALUES,
  TRADE_VALUES,
  toCentres,
  toDelivery,
  toPayment,
} from "./trade-values.ts";
import {
  countryCode,
  currencyCode,
  date,
  exactDecimal,
  exactText,
  formedText,
  list,
  optional,
  percent,
  readableId,
  strictObject,
  text,
} from "./values.ts";

type Path = readonly (string | number)[];
type Report = (path: Path, problem: Problem) => void;

/**
 * Members whose presence depends on others. It runs together with the members' own checks, so that one answer
 * names every problem. It must therefore not assume that they passed.
 */
const membersThatAgree = z.check((payload) => {
  const report: Report = (path, problem) =>
    payload.issues.push({ code: "custom", input: payload.value, path: [...path], params: { problem } });
  reportRectification(payload.value, report);
  reportAuthorisation(payload.value, report);
  reportRepeatedLineIds(payload.value, report);
  reportRepeatedReferences(payload.value, report);
});
membersThatAgree._zod.def.when = ({ value }) => typeof value === "object" && value !== null;

function reportRectification(body: unknown, report: Report): void {
  const type = member(body, "invoice_type");
  if (typeof type !== "string") return;
  const rectifying = /^R[1-5]$/.test(type);
  const citing = rectifying || type === "F3";
  const cited = member(body, "rectifies");
  const isCited = Array.isArray(cited) ? cited.length > 0 : isPresent(cited);
  const hasMethod = isPresent(member(body, "rectification_method"));
  const hasPeriod = reportPeriod(body, type, report);
  if (citing && !isCited && !hasPeriod)
    report(["rectifies"], { kind: Array.isArray(cited) ? "empty" : "required" });
  if (!/^F[12]$/.test(type) && !citing) return;
  if (!citing && isCited) report(["rectifies"], notHere(type));
  if (rectifying && !hasMethod) report(["rectification_method"], { kind: "required" });
  if (!rectifying && hasMethod) report(["rectification_method"], notHere(type));
  const hasReason = isPresent(member(body, "rectification_reason"));
  if (!rectifying && hasReason) report(["rectification_reason"], notHere(type));
}

/** A rectification that names a period need not name an invoice. */
function reportPeriod(body: unknown, type: string, report: Report): boolean {
  if (!isPresent(member(body, "rectified_period"))) return false;
  const path = ["rectified_period"];
  const mayHave = type === "R1" || type === "R4";
  if (!mayHave) report(path, notHere(type));
  if (mayHave && member(body, "rectification_method") === "substitution") {
    report(path, { kind: "notWithSubstitution" });
  }
  return mayHave;
}

/** An authorisation supports one legal basis; with the other it would mean nothing. */
function reportAuthorisation(body: unknown, report: Report): void {
  const attestation = member(body, "simplified_attestation");
  if (member(attestation, "legal_basis") !== "article_4_2") return;
  if (!isPresent(member(attestation, "authorisation"))) return;
  report(["simplified_attestation", "authorisation"], { kind: "notWithArticle42" });
}

function notHere(type: string): Problem {
  return { kind: "notHere", facts: { invoice_type: type } };
}

function reportRepeatedLineIds(body: unknown, report: Report): void {
  const lines = member(body, "lines");
  if (!Array.isArray(lines)) return;
  const seen = new Set<string>();
  for (const [index, line] of lines.entries()) {
    const id = member(line, "line_id");
    if (typeof id !== "string") continue;
    if (seen.has(id))
      report(["lines", index, "line_id"], { kind: "duplicateLineId", facts: { line_id: id } });
    seen.add(id);
  }
}

/** An invoice cited twice would count twice in the rectified amounts. */
function reportRepeatedReferences(body: unknown, report: Report): void {
  const cited = member(body, "rectifies");
  if (!Array.isArray(cited)) return;
  const seen = new Set<string>();
  for (const [index, reference] of cited.entries()) {
    const own = member(reference, "external_id");
    const key =
      typeof own === "string"
        ? `own ${own}`
        : `${member(reference, "number")} ${member(reference, "issue_date")}`;
    if (seen.has(key)) report(["rectifies", index], { kind: "duplicateReference" });
    seen.add(key);
  }
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

export const LONGEST_EXTERNAL_ID = 120;
const MOST_LINES = 1000;
const MOST_CITED = 1000;
const MOST_DISBURSEMENTS = 100;

const regimeKey = formedText(
  (sent) => (/^\d{2}$/.test(sent) ? sent : undefined),
  { en: "a ClaveRegimen of two digits, such as 01", es: "una ClaveRegimen de dos cifras, como 01" },
  { pattern: "^[0-9]{2}$" },
);

/** NumSerieFactura as the AEAT takes it (1104, 1287). */
const fullNumber = formedText(
  (sent) => (/^[ !#-&(-;?-~]{1,60}$/.test(sent) ? sent : undefined),
  { en: "1 to 60 ASCII characters without \" ' < > =", es: "de 1 a 60 caracteres ASCII sin \" ' < > =" },
  { pattern: "^ *[!#-&(-;?-~][ !#-&(-;?-~]*$", maxLength: 60 },
);

const externalId = readableId(exactText(LONGEST_EXTERNAL_ID));

const recipientDetails = {
  email: optional(EMAIL_MEMBER),
  accepts_electronic: optional(RECIPIENT_VALUES.accepts_electronic),
  endpoint: optional(RECIPIENT_VALUES.endpoint),
  province: optional(RECIPIENT_VALUES.province),
  first_name: optional(FIRST_NAME),
  surname_1: optional(RECIPIENT_VALUES.surname_1),
  surname_2: optional(RECIPIENT_VALUES.surname_2),
  administrative_centres: optional(RECIPIENT_VALUES.administrative_centres),
};

export const recipient = strictObject(
  {
    company: optional(text(255)).describe("Company or full name."),
    vat_number: optional(text(64)).describe("NIF, EU VAT number, or another identifier with its id_type."),
    country: optional(countryCode).describe("ISO 3166-1 alpha-2."),
    address1: optional(text(255)),
    postcode: optional(text(20)),
    city: optional(text(100)),
    id_type: optional(z.enum(ID_TYPES)).describe(
      "IDType of the AEAT (list L7), where the country does not tell it.",
    ),
    ...recipientDetails,
  },
  namesAgree,
);

const line = strictObject({
  line_id: optional(text(64)).describe("Unique within the invoice; the attestation refers to it."),
  description: text(1000),
  quantity: exactDecimal({ notZero: true }),
  price_unit: exactDecimal().describe("Without tax, unless prices_include_tax."),
  tax_rate: percent.describe("Percent."),
  discount_rate: optional(percent).describe("Percent off quantity x price_unit."),
  equivalence_surcharge_rate: optional(percent).describe("Recargo de equivalencia, percent."),
  type_tax: optional(z.enum(TAXES)).describe(
    "01 IVA, 02 IPSI, 03 IGIC, 05 other; default: the issuer's territory.",
  ),
  regime: optional(regimeKey).describe("VERI*FACTU ClaveRegimen; default: the account's, 01 as a rule."),
  qualification: optional(z.enum(QUALIFICATIONS)).describe("Default S1."),
  taxable_margin: optional(exactDecimal()).describe(
    "Required with regime 03 or 05 and S1: the margin of the whole line, tax included, from 0 to its " +
      "amount. prices_include_tax is true then. Such as 1 of used goods that cost 9 and are sold for 10. " +
      "Contract 1.9.",
  ),
  unit: optional(LINE_VALUES.unit),
  item_code: optional(LINE_VALUES.item_code),
});

const disbursement = strictObject({
  description: text(255),
  amount: exactDecimal({ positive: true }).describe("In the currency of the invoice, tax included."),
});

const attestation = strictObject({
  legal_basis: z.enum(LEGAL_BASES),
  buyer_role: z.enum(BUYER_ROLES),
  operation: optional(z.enum(ARTICLE_4_2_OPERATIONS)).describe("The activity of article 4.2 RD 1619/2012."),
  line_ids: list(text(64), MOST_LINES).describe("Every line_id of the invoice, each once."),
  authorisation: optional(strictObject({ number: text(64), limit: exactDecimal() })).describe(
    "The account's active authorisation, for tax_authority_authorisation.",
  ),
});

const citedHere = strictObject({ external_id: exactText(LONGEST_EXTERNAL_ID) });

const citedFromElsewhere = strictObject({
  number: fullNumber.describe("Series and number in one, as the AEAT has it."),
  issue_date: date,
  invoice_type: z.enum(INVOICE_TYPES),
  base: exactDecimal(),
  tax: exactDecimal(),
  surcharge: optional(exactDecimal()),
});

/** Body of `POST /api/v1/invoice`: shape only. The domain applies the law. */
export const invoiceBody = strictObject(
  {
    external_id: externalId.describe(
      "Your identifier of the invoice, compared exactly; the idempotency key.",
    ),
    invoice_type: z.enum(INVOICE_TYPES),
    documentary_regime: optional(z.enum(DOCUMENTARY_REGIMES)).describe(
      "Default art7_simplified for F2 and R5, art6_full for the others.",
    ),
    documentary_flags: optional(list(z.enum(DOCUMENTARY_FLAGS), DOCUMENTARY_FLAGS.length)),
    description: text(1000).describe("Printed whole. A rectifying invoice states its cause here."),
    currency: currencyCode.describe("ISO 4217."),
    exchange_rate: optional(exactDecimal()).describe("Units of currency per euro; required unless EUR."),
    exchange_rate_date: optional(date).describe("Required unless EUR."),
    operation_date: optional(date).describe("When it differs from the issue date."),
    prices_include_tax: optional(z.boolean()).describe("Default false; for the whole invoice."),
    withholding: optional(strictObject({ rate: percent })).describe("IRPF withheld, percent of the base."),
    disbursements: optional(list(disbursement, MOST_DISBURSEMENTS)).describe(
      "Suplidos: paid in the customer's name, claimed back below the total, never part of it. Not on a " +
        'rectification by difference. Such as [{ "description": "Registro Mercantil", "amount": 62.5 }]. ' +
        "Contract 1.9.",
    ),
    recipient: optional(recipient),
    lines: list(line, MOST_LINES, 1),
    simplified_attestation: optional(attestation).describe("Evidence for art7_simplified above EUR 400."),
    rectifies: optional(list(z.union([citedHere, citedFromElsewhere]), MOST_CITED)).describe(
      "Required for R1-R5 and F3: invoices of this connection, or of elsewhere with their amounts. A " +
        "number that the account has given is looked up: it is not from elsewhere.",
    ),
    rectification_method: optional(z.enum(RECTIFICATION_METHODS)).describe("Required for R1-R5."),
    rectified_period: optional(strictObject({ from: date, to: date })).describe(
      "In the place of rectifies, for R1 and R4 by difference with a negative total: rebates of a period " +
        "(article 15.4 RD 1619/2012). Both days are in it; the last one is the operation date. Contract 1.9.",
    ),
    rectification_reason: optional(TRADE_VALUES.rectification_reason),
    due_date: optional(TRADE_VALUES.due_date),
    payment: optional(TRADE_VALUES.payment),
    buyer_reference: optional(TRADE_VALUES.buyer_reference),
    order_reference: optional(TRADE_VALUES.order_reference),
    contract_reference: optional(TRADE_VALUES.contract_reference),
    file_reference: optional(TRADE_VALUES.file_reference),
    delivery: optional(TRADE_VALUES.delivery),
    invoicing_period: optional(TRADE_VALUES.invoicing_period),
  },
  membersThatAgree,
);

type InvoiceBody = z.output<typeof invoiceBody>;

type BodyLine = InvoiceBody["lines"][number];
type BodyCitation = NonNullable<InvoiceBody["rectifies"]>[number];
type BodyAttestation = NonNullable<InvoiceBody["simplified_attestation"]>;
type BodyRecipient = NonNullable<InvoiceBody["recipient"]>;

/** The body in domain terms: fixed defaults are filled in, absent members stay absent. */
export function toInvoiceRequest(body: InvoiceBody): InvoiceRequest {
  return present({
    externalId: body.external_id,
    invoiceType: body.invoice_type,
    regime: body.documentary_regime ?? defaultRegime(body.invoice_type),
    flags: body.documentary_flags ?? [],
    description: body.description,
    currency: body.currency,
    exchangeRate: body.exchange_rate,
    exchangeRateDate: body.exchange_rate_date,
    operationDate: body.operation_date,
    pricesIncludeTax: body.prices_include_tax ?? false,
    withholdingRate: body.withholding?.rate,
    disbursements: body.disbursements,
    recipient: body.recipient && toRecipient(body.recipient),
    lines: body.lines.map(toLine),
    attestation: body.simplified_attestation && toAttestation(body.simplified_attestation),
    rectifies: (body.rectifies ?? []).map(toReference),
    rectificationMethod: body.rectification_method,
    rectifiedPeriod: body.rectified_period,
    rectificationReason: body.rectification_reason,
    dueDate: body.due_date,
    payment: body.payment && toPayment(body.payment),
    buyerReference: body.buyer_reference,
    orderReference: body.order_reference,
    contractReference: body.contract_reference,
    fileReference: body.file_reference,
    delivery: body.delivery && toDelivery(body.delivery),
    invoicingPeriod: body.invoicing_period,
  });
}

/** An object without members means the same as its absence. */
export function toRecipient(recipient: BodyRecipient) {
  const { administrative_centres: centres } = recipient;
  const members = {
    company: recipient.company,
    vatNumber: recipient.vat_number,
    country: recipient.country,
    address1: recipient.address1,
    postcode: recipient.postcode,
    city: recipient.city,
    idType: recipient.id_type,
    email: recipient.email,
    acceptsElectronic: recipient.accepts_electronic,
    endpoint: recipient.endpoint,
    province: recipient.province,
    firstName: recipient.first_name,
    surname1: recipient.surname_1,
    surname2: recipient.surname_2,
    administrativeCentres: centres && toCentres(centres),
  };
  return filled(present(members));
}

function toLine(line: BodyLine) {
  return present({
    lineId: line.line_id,
    description: line.description,
    quantity: line.quantity,
    priceUnit: line.price_unit,
    taxRate: line.tax_rate,
    discountRate: line.discount_rate,
    surchargeRate: line.equivalence_surcharge_rate,
    tax: line.type_tax,
    regime: line.regime,
    qualification: line.qualification ?? ("S1" as const),
    taxableMargin: line.taxable_margin,
    unit: line.unit,
    itemCode: line.item_code,
  });
}

function toAttestation(attestation: BodyAttestation) {
  return present({
    legalBasis: attestation.legal_basis,
    buyerRole: attestation.buyer_role,
    operation: attestation.operation,
    lineIds: attestation.line_ids,
    authorisation: attestation.authorisation,
  });
}

function toReference(cited: BodyCitation) {
  if ("external_id" in cited) return { externalId: cited.external_id };
  return present({
    number: cited.number,
    issueDate: cited.issue_date,
    invoiceType: cited.invoice_type,
    base: cited.base,
    tax: cited.tax,
    surcharge: cited.surcharge,
  });
}
