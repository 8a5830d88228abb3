import * as z from "zod";
import { isEasCode } from "../../domain/einvoice/eas.ts";
import { REASON_CODES } from "../../domain/einvoice/facturae/codes.ts";
import { isUnitCode, type UnitCode } from "../../domain/einvoice/units.ts";
import {
  MOST_DUE_DAYS,
  PAYMENT_MEANS,
  type PaymentTerms,
  USUAL_MEANS,
} from "../../domain/invoice/payment-terms.ts";
import {
  type AdministrativeCentre,
  CENTRE_ROLES,
  type Delivery,
  joinedName,
} from "../../domain/invoice/request.ts";
import { emailFrom } from "../../domain/shared/email.ts";
import { bicFrom, ibanFrom } from "../../domain/shared/iban.ts";
import { filled } from "../../domain/shared/present.ts";
import type { Problem } from "../../words/words.ts";
import { present } from "./json.ts";
import { countryCode, date, formedText, list, optional, strictObject, text } from "./values.ts";

/** Values of electronic invoices. A direct invoice refuses what does not fit; an order drops it. */

const MOST_CENTRES = 10;
const SPACED = "^[A-Za-z0-9\\s]+$";

export const iban = formedText(
  ibanFrom,
  { en: "an IBAN with right check digits", es: "un IBAN con sus dígitos de control" },
  { pattern: SPACED },
);

export const bic = formedText(
  bicFrom,
  { en: "a BIC of 8 or 11 characters", es: "un BIC de 8 u 11 caracteres" },
  { pattern: SPACED },
);

/** At most 254 characters, kept in lower case. */
export const email = formedText(
  emailFrom,
  { en: "an e-mail address, such as ana@example.com", es: "una dirección de correo, como ana@example.com" },
  { pattern: "^[^@\\s]+@[^@\\s]+$" },
);

const endpointScheme = formedText(
  (sent) => (isEasCode(sent) ? sent : undefined),
  { en: "a code of the list EAS, such as 9920, or EM", es: "un código de la lista EAS, como 9920, o EM" },
  { pattern: "^([0-9]{4}|EM)$" },
);

const dir3Code = formedText(
  (sent) => (/^[A-Z]{1,2}[0-9A-Z]{7,8}$/.test(sent.toUpperCase()) ? sent.toUpperCase() : undefined),
  { en: "a DIR3 code, such as L01280796", es: "un código DIR3, como L01280796" },
  { pattern: "^[A-Za-z]{1,2}[0-9A-Za-z]{7,8}$" },
);

const unitCode = formedText<UnitCode>(
  (sent) => (isUnitCode(sent) ? sent : undefined),
  {
    en: "a unit that invoices know, such as C62, HUR or KGM",
    es: "una unidad conocida, como C62, HUR o KGM",
  },
  { pattern: "^[0-9A-Z]{2,3}$" },
);

type Report = (path: readonly (string | number)[], problem: Problem) => void;

/** A check of members against each other. It runs together with their own, and leaves out faulty ones. */
function agreement(check: (value: Readonly<Record<string, unknown>>, report: Report) => void) {
  const checked = z.check((payload) => {
    const faulty = new Set(payload.issues.map(({ path = [] }) => path.join(".")));
    check(Object(payload.value), (path, problem) => {
      if (faulty.has(path.join("."))) return;
      payload.issues.push({ code: "custom", input: payload.value, path: [...path], params: { problem } });
    });
  });
  checked._zod.def.when = ({ value }) => typeof value === "object" && value !== null;
  return checked;
}

function isSent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function goesWith(members: string): Problem {
  return { kind: "goesWith", facts: { members } };
}

const paymentAgrees = agreement(({ means, iban: account, bic: bank, mandate }, report) => {
  if (means === "transfer" && !isSent(account)) report(["iban"], { kind: "required" });
  if (means === "direct_debit" && !isSent(mandate)) report(["mandate"], { kind: "required" });
  const takesAccount = means === "transfer" || means === "direct_debit";
  if (isSent(account) && !takesAccount) report(["iban"], goesWith("means transfer, means direct_debit"));
  if (isSent(mandate) && means !== "direct_debit") report(["mandate"], goesWith("means direct_debit"));
  if (isSent(bank) && !isSent(account)) report(["bic"], goesWith("iban"));
});

const payment = strictObject(
  {
    means: optional(z.enum(PAYMENT_MEANS)).describe(
      "transfer needs iban; direct_debit needs mandate, and its iban is the debtor's.",
    ),
    iban: optional(iban).describe("Kept without spaces, in capitals."),
    bic: optional(bic).describe("Of the bank of iban."),
    reference: optional(text(60)).describe("What the customer quotes when paying."),
    mandate: optional(text(35)).describe("Of a direct debit."),
    paid_on: optional(date).describe("The day on which all of it was paid; not in the future."),
  },
  paymentAgrees,
).describe(
  "How it is paid. Where no means are sent and something is left to pay, those of the company's settings " +
    "are used, and so is its due date. Contract 1.9.",
);

/** Days from the issue to the due date. */
export const dueDays = z.int().min(0).max(MOST_DUE_DAYS);

const usualPaymentAgrees = agreement(({ means, iban: account, bic: bank }, report) => {
  if (means === "transfer" && !isSent(account)) report(["iban"], { kind: "required" });
  if (isSent(account) && means !== "transfer") report(["iban"], goesWith("means transfer"));
  if (isSent(bank) && !isSent(account)) report(["bic"], goesWith("iban"));
});

/** A company's usual payment, and a profile's: the account that transfers go to is its own. */
export const usualPayment = strictObject(
  {
    means: z.enum(USUAL_MEANS).describe("transfer needs iban."),
    iban: optional(iban),
    bic: optional(bic),
  },
  usualPaymentAgrees,
);

export function toPayment(sent: z.output<typeof payment>): PaymentTerms | undefined {
  const { means, iban: account, bic: bank, reference, mandate, paid_on: paidOn } = sent;
  return filled(present({ means, iban: account, bic: bank, reference, mandate, paidOn }));
}

/** Members that an order's `delivery` has too. */
export const DELIVERY_VALUES = {
  date: date.describe("Of the delivery, where it is not the operation date. Contract 1.9."),
  address1: text(255).describe("Street and number. Contract 1.9."),
  city: text(100).describe("Town. Contract 1.9."),
};

const delivery = strictObject({
  date: optional(DELIVERY_VALUES.date),
  country: optional(countryCode).describe("ISO 3166-1 alpha-2."),
  address1: optional(DELIVERY_VALUES.address1),
  postcode: optional(text(20)).describe("Postcode."),
  city: optional(DELIVERY_VALUES.city),
}).describe("Where and when the goods are delivered. Contract 1.9.");

export function toDelivery(sent: z.output<typeof delivery>): Delivery | undefined {
  return filled(present(sent));
}

const FORWARDS: Problem = {
  kind: "invalidValue",
  facts: { expected: { en: "a day that is not before start", es: "un día no anterior a start" } },
};

const periodAgrees = agreement(({ start, end }, report) => {
  if (typeof start === "string" && typeof end === "string" && end < start) report(["end"], FORWARDS);
});

/** At the top of an invoice and of an order. */
export const TRADE_VALUES = {
  due_date: date.describe(
    "The last day to pay, not before the issue date. Where none is sent and something is left to pay, the " +
      "company's days to pay make one. Contract 1.9.",
  ),
  payment,
  buyer_reference: text(100).describe(
    "The customer's own reference, as public bodies ask for. Contract 1.9.",
  ),
  order_reference: text(100).describe("Number of the customer's purchase order. Contract 1.9."),
  contract_reference: text(100).describe("Number of the contract. Contract 1.9."),
  file_reference: text(20).describe("Expediente de contratación of a public body. Contract 1.9."),
  delivery,
  invoicing_period: strictObject(
    { start: date.describe("First day."), end: date.describe("Last day.") },
    periodAgrees,
  ).describe("The period that is invoiced; both days are in it. Contract 1.9."),
  rectification_reason: z
    .enum(REASON_CODES.toSorted())
    .describe("ReasonCode of Facturae, for R1 to R5. Contract 1.9."),
};

const UNUSED_ROLE: Problem = {
  kind: "invalidValue",
  facts: { expected: { en: "a role that no other centre has", es: "un papel que no tenga otro centro" } },
};

const rolesDiffer = agreement((centres, report) => {
  const seen = new Set<unknown>();
  for (const [index, centre] of Object.entries(centres)) {
    const { role } = Object(centre);
    if (isSent(role) && seen.has(role)) report([Number(index), "role"], UNUSED_ROLE);
    seen.add(role);
  }
});

const centre = strictObject({
  role: z
    .enum(CENTRE_ROLES)
    .describe("Oficina contable, órgano gestor, unidad tramitadora or órgano proponente."),
  code: dir3Code.describe("DIR3."),
  address1: optional(text(255)).describe("Of the centre, where it is not the recipient's."),
  postcode: optional(text(20)).describe("Of the centre."),
  city: optional(text(100)).describe("Of the centre."),
});

/** Of the recipient of an invoice, and of the client of an order. */
export const RECIPIENT_VALUES = {
  accepts_electronic: z
    .boolean()
    .describe(
      "Whether the customer has agreed to electronic invoices (article 9.2 RD 1619/2012). Contract 1.9.",
    ),
  endpoint: strictObject({
    scheme: endpointScheme.describe("EAS code of four digits, or EM."),
    id: text(100).describe("The identifier in that scheme."),
  }).describe("The customer's electronic mailbox. Contract 1.9."),
  province: text(50).describe("Province or region. Contract 1.9."),
  surname_1: text(40).describe("First surname of a person. Contract 1.9."),
  surname_2: text(40).describe("Second surname of a person. Contract 1.9."),
  administrative_centres: list(centre, MOST_CENTRES, 1)
    .check(rolesDiffer)
    .describe("Of a public body with a Spanish NIF, each role once. Contract 1.9."),
};

export const EMAIL_MEMBER = email.describe("At most 254 characters, kept in lower case. Contract 1.9.");

export const FIRST_NAME = text(40).describe(
  "Of a person, with surname_1: joined by spaces they are company. Contract 1.9.",
);

const WHOLE_NAME: Problem = {
  kind: "invalidValue",
  facts: {
    expected: {
      en: "the beginning of company, which surname_1 and surname_2 complete",
      es: "el comienzo de company, que completan surname_1 y surname_2",
    },
  },
};

/** The parts of a person's name are the whole name. */
export const namesAgree = agreement((recipient, report) => {
  const { company, first_name: firstName, surname_1: surname1, surname_2: surname2 } = recipient;
  if (!isSent(firstName) && !isSent(surname1) && !isSent(surname2)) return;
  if (!isSent(firstName)) report(["first_name"], { kind: "required" });
  if (!isSent(surname1)) report(["surname_1"], { kind: "required" });
  if (typeof firstName !== "string" || typeof surname1 !== "string") return;
  const parts = { firstName, surname1, ...(typeof surname2 === "string" ? { surname2 } : {}) };
  if (joinedName(parts) !== company) report(["first_name"], WHOLE_NAME);
});

/** Contains what centres have, in domain terms. */
export function toCentres(
  sent: z.output<(typeof RECIPIENT_VALUES)["administrative_centres"]>,
): readonly AdministrativeCentre[] {
  return sent.map((one) => present(one));
}

export const LINE_VALUES = {
  unit: unitCode.describe("UN/ECE code: C62 (one, the default), HUR, KGM, LTR and others. Contract 1.9."),
  item_code: text(50).describe("Your article number. Contract 1.9."),
};
