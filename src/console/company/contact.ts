import * as z from "zod";
import { present } from "../../api/wire/json.ts";
import { dueDays, email, usualPayment } from "../../api/wire/trade-values.ts";
import { formedText, text } from "../../api/wire/values.ts";
import {
  CONTACT_DETAILS,
  type ContactRefusal,
  type ContactSettings,
  checkContact,
} from "../../domain/invoice/contact.ts";
import type { UsualTerms } from "../../domain/invoice/payment-terms.ts";
import { type Refusal, refuse } from "../../domain/invoice/refusal.ts";
import { versionOf } from "../../domain/shared/hash.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { phoneFrom } from "../../domain/shared/phone.ts";
import { filled } from "../../domain/shared/present.ts";
import { ok, type Result } from "../../domain/shared/result.ts";
import { isNaturalPersonNif } from "../../domain/shared/tax-identifier.ts";
import { version } from "../shapes.ts";
import { type CompanyReading, type CompanyStore, columnsOfContact } from "./queries.ts";

const phone = formedText(
  phoneFrom,
  { en: "a telephone number, such as +34 963 12 34 56", es: "un teléfono, como +34 963 12 34 56" },
  { maxLength: 30 },
);

/** All of it: what is absent or null is not set. */
export const contactBody = z.strictObject({
  email: email.nullish(),
  phone: phone.nullish(),
  province: text(50).nullish(),
  first_name: text(40).nullish(),
  surname_1: text(40).nullish(),
  surname_2: text(40).nullish(),
  payment: usualPayment.nullish(),
  due_days: dueDays.nullish(),
  version,
});

type ContactForm = Omit<z.output<typeof contactBody>, "version">;

export function contactOf(form: ContactForm): ContactSettings {
  const { email: address, phone: number, province, payment, due_days: days } = form;
  const { first_name: firstName, surname_1: surname1, surname_2: surname2 } = form;
  const terms: UsualTerms | undefined = filled({
    ...(payment ? { payment: present(payment) } : {}),
    ...(days === null || days === undefined ? {} : { dueDays: days }),
  });
  const stated = { email: address, phone: number, province, firstName, surname1, surname2, terms };
  return Object.fromEntries(Object.entries(stated).filter(([, value]) => value));
}

/** Every member is present; null means that it is not set. */
export function contactView(contact: ContactSettings, nif: string) {
  const { email: address = null, phone: number = null, province = null, terms = {} } = contact;
  const { firstName = null, surname1 = null, surname2 = null } = contact;
  return {
    ...{ email: address, phone: number, province, firstName, surname1, surname2 },
    payment: paymentView(terms.payment),
    dueDays: terms.dueDays ?? null,
    // Only a person's name has parts.
    isPerson: isNaturalPersonNif(nif),
    version: contactVersion(contact),
  };
}

/** Null means that no means of payment are set. */
export function paymentView(payment: UsualTerms["payment"]) {
  return payment?.means === undefined
    ? null
    : { means: payment.means, iban: payment.iban ?? null, bic: payment.bic ?? null };
}

function contactVersion(contact: ContactSettings): string {
  return versionOf(contact);
}

interface ContactChanging {
  readonly accountId: string;
  readonly current: CompanyReading;
  readonly change: ContactSettings;
  /** Version of the contact that the form was opened with. */
  readonly formVersion: string;
}

interface ChangeContactDeps {
  readonly company: CompanyStore;
  /** Id, user and instant of the audit line. */
  readonly line: { readonly id: string; readonly userId: string; readonly at: Instant };
}

/** The audit line lists what was changed without values: an address or an account is personal data. */
export async function changeContact(
  { accountId, current, change, formVersion }: ContactChanging,
  { company, line }: ChangeContactDeps,
): Promise<Result<void, ContactRefusal | Refusal<"changed_meanwhile">>> {
  const changed = namesChanged(current.contact, change);
  if (changed.length === 0) return ok(undefined);
  if (contactVersion(current.contact) !== formVersion) return refuse("changed_meanwhile");
  const checked = checkContact(change, current);
  if (!checked.ok) return checked;
  const step = { from: columnsOfContact(current.contact), to: columnsOfContact(change) };
  const auditLine = { ...line, verb: "change_contact", facts: { changed: changed.join(", ") } };
  const done = await company.change(accountId, step, auditLine);
  return done === "changed" ? ok(undefined) : refuse("changed_meanwhile");
}

function namesChanged(from: ContactSettings, to: ContactSettings): string[] {
  const details = CONTACT_DETAILS.filter((name) => from[name] !== to[name]);
  const isPaidElse = versionOf(from.terms?.payment ?? {}) !== versionOf(to.terms?.payment ?? {});
  const isDueElse = from.terms?.dueDays !== to.terms?.dueDays;
  return [...details, ...(isPaidElse ? ["payment"] : []), ...(isDueElse ? ["dueDays"] : [])];
}
