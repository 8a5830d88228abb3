import type { UseFormReturnType } from "@mantine/form";
import { emailFrom } from "../../../domain/shared/email.ts";
import { phoneFrom } from "../../../domain/shared/phone.ts";
import { answer } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { TextInput } from "../../parts/fields.tsx";
import { Section } from "../../parts/page-head.tsx";
import { ReadOnly } from "../../parts/read-only.tsx";
import { type Say, useWords } from "../../words/words.tsx";
import { meansText, PaymentFields, paymentChecks } from "./payment-fields.tsx";
import { dueDaysBody, type PaymentForm, paymentBody, paymentForm } from "./payment-form.ts";
import { type CompanySettings, ofAccount } from "./queries.ts";
import styles from "./settings.module.css";
import { useVersionedForm, VersionedForm } from "./versioned-form.tsx";

const REACHED = ["email", "phone", "province"] as const;
const NAMED = ["first_name", "surname_1", "surname_2"] as const;

interface ContactForm
  extends PaymentForm,
    Record<(typeof REACHED)[number] | (typeof NAMED)[number], string> {}

/** How the company is paid and reached: part of the invoices that are issued from now on. */
export function ContactTab({ company }: { readonly company: CompanySettings }) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  const state = useContact(company);
  const { form } = state;
  return (
    <div className={styles.form}>
      <VersionedForm
        state={state}
        changesIn={(before, after) => changesIn(before, after, say)}
        note={say("company.change.note")}
      >
        <ReadOnly isReadOnly={isReadOnly}>
          <Section title={say("payment.title")}>
            <div className="stack">
              <p className="muted text-column">{say("payment.lead")}</p>
              <PaymentFields form={form} />
            </div>
          </Section>
          <Section title={say("contact.reach")}>
            <div className={styles.fields}>
              {REACHED.map((name) => (
                <ContactField key={name} form={form} name={name} />
              ))}
            </div>
          </Section>
          {company.contact.isPerson && <PersonSection form={form} name={company.legalName} />}
        </ReadOnly>
      </VersionedForm>
      <PublicBodies />
    </div>
  );
}

interface ContactFieldProps {
  readonly form: UseFormReturnType<ContactForm>;
  readonly name: (typeof REACHED)[number] | (typeof NAMED)[number];
}

const LONGEST = { email: 254, phone: 30, province: 50, first_name: 40, surname_1: 40, surname_2: 40 };

function ContactField({ form, name }: ContactFieldProps) {
  const say = useWords();
  const hint = name === "email" || name === "province" ? say(`contact.${name}.hint`) : undefined;
  return (
    <TextInput
      id={name}
      label={say(`contact.${name}`)}
      description={hint}
      maxLength={LONGEST[name]}
      {...(name === "email" ? { type: "email", className: styles.wide ?? "" } : {})}
      {...(name === "phone" ? { type: "tel" } : {})}
      {...form.getInputProps(name)}
    />
  );
}

function PersonSection({ form, name }: { readonly form: ContactFieldProps["form"]; readonly name: string }) {
  const say = useWords();
  return (
    <Section title={say("contact.person")}>
      <div className="stack">
        <p className="muted text-column">{say("contact.person.lead", { name })}</p>
        <div className={styles.fields}>
          {NAMED.map((part) => (
            <ContactField key={part} form={form} name={part} />
          ))}
        </div>
      </div>
    </Section>
  );
}

const ROLES = ["accounting_office", "managing_body", "processing_unit", "proposing_body"] as const;

/** What a DIR3 code and its role are; each customer has codes of its own. */
function PublicBodies() {
  const say = useWords();
  return (
    <Section title={say("dir3.title")}>
      <div className="stack">
        <p className="muted text-column">{say("dir3.lead")}</p>
        <dl className="facts">
          {ROLES.map((role) => (
            <div key={role} style={{ display: "contents" }}>
              <dt>
                {say(`dir3.${role}`)}
                <br />
                <code>{role}</code>
              </dt>
              <dd>{say(`dir3.${role}.does`)}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Section>
  );
}

function useContact(company: CompanySettings) {
  const say = useWords();
  const { account } = useCompany();
  return useVersionedForm<ContactForm>({
    read: { version: company.contact.version, values: contactForm(company) },
    validate: checksOf(say),
    put: (values, version) =>
      answer(
        ofAccount.company.contact.$put({
          param: { account: account.id },
          json: { ...contactBody(values), version },
        }),
      ),
    said: say("saved_applies"),
    fieldOf,
  });
}

/** Members of the payment are fields of their own. */
function fieldOf(path: string): string {
  return path.replace(/^payment\./, "");
}

function contactForm({ contact }: CompanySettings): ContactForm {
  const { email, phone, province, firstName, surname1, surname2 } = contact;
  return {
    ...{ email: email ?? "", phone: phone ?? "", province: province ?? "" },
    ...{ first_name: firstName ?? "", surname_1: surname1 ?? "", surname_2: surname2 ?? "" },
    ...paymentForm(contact),
  };
}

function contactBody(values: ContactForm) {
  const orNull = (text: string) => text.trim() || null;
  return {
    ...{ email: orNull(values.email), phone: orNull(values.phone), province: orNull(values.province) },
    first_name: orNull(values.first_name),
    surname_1: orNull(values.surname_1),
    surname_2: orNull(values.surname_2),
    payment: paymentBody(values),
    due_days: dueDaysBody(values),
  };
}

function checksOf(say: Say) {
  return {
    ...paymentChecks(say),
    email: (email: string) =>
      email.trim() === "" || emailFrom(email) !== undefined ? null : say("contact.email.bad"),
    phone: (phone: string) =>
      phone.trim() === "" || phoneFrom(phone) !== undefined ? null : say("contact.phone.bad"),
  };
}

const SHORT = {
  means: "payment.means",
  iban: "payment.iban.short",
  bic: "payment.bic.short",
  due_days: "payment.due_days.short",
  email: "contact.email.short",
  phone: "contact.phone.short",
  province: "contact.province.short",
  first_name: "contact.first_name.short",
  surname_1: "contact.surname_1.short",
  surname_2: "contact.surname_2.short",
} as const;

/** Another user's changes in words. */
function changesIn(before: ContactForm, after: ContactForm, say: Say) {
  // Its keys are the names of the form.
  const names = Object.keys(SHORT) as (keyof typeof SHORT)[];
  const textOf = (form: ContactForm, name: keyof typeof SHORT) =>
    name === "means" ? meansText(form.means, say) : form[name] || "—";
  return names
    .filter((name) => before[name] !== after[name])
    .map((name) => ({ what: say(SHORT[name]), before: textOf(before, name), after: textOf(after, name) }));
}
