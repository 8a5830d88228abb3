/** Courses of invoices that are mailed to their customers. */
import type { Seeded } from "../seeded.ts";
import { type Body, type Call, type CallKind, type Course, DONE } from "./call.ts";

const RECIPIENT = {
  company: "Hostelería del Tormes SL",
  vat_number: "B12345674",
  country: "ES",
  address1: "Paseo de la Estación 12",
  postcode: "37004",
  city: "Salamanca",
};

/** The local mail service refuses it, as the production one refuses a suppressed address. */
const NO_MAILBOX = "nadie@rebotado.invalid";

interface Naming {
  readonly id: string;
  readonly random: Seeded;
}

export const MAIL_COURSES: readonly ((naming: Naming) => Course)[] = [mailed, mailed, whenIssued, nowhere];

function anInvoice(id: string, random: Seeded, recipient: Body) {
  const line = {
    ...{ line_id: "1", description: "Curso", quantity: 1, tax_rate: 21 },
    price_unit: (100 + random.below(9_000)) / 100,
  };
  return {
    ...{ external_id: id, invoice_type: "F1", description: `Venta ${id}`, currency: "EUR" },
    recipient: { ...RECIPIENT, ...recipient },
    lines: [line],
  };
}

function call(kind: CallKind, about: string, step: string, change: Partial<Call>): Call {
  return {
    ...{ id: `${about}/${step}`, kind, connection: "api", about, method: "POST", path: "/api/v1/invoice" },
    ...{ expect: [DONE], ...change },
  };
}

/** More mails a minute than the limit wait for the next one. */
function mail(kind: CallKind, about: string, step: string, change: Partial<Call> = {}): Call {
  return call(kind, about, step, {
    ...{ path: "/api/v1/invoices/{}/email", body: {}, awaits: ["rate_limited"] },
    from: { call: `${about}/issue`, path: "invoice_id" },
    ...change,
  });
}

function issue(id: string, body: Body): Call {
  return call("issue", id, "issue", { body });
}

/** Twice at once, again, and to another address. */
function mailed({ id, random }: Naming): Course {
  const body = anInvoice(id, random, { email: `${id}@cliente.example` });
  const to = { to: `otra-${id}@cliente.example` };
  const steps = [
    [issue(id, body)],
    [mail("mail", id, "mail-a"), mail("mail", id, "mail-b")],
    [mail("mail", id, "mail-again"), mail("mail", id, "mail-other", { body: to })],
  ];
  return { steps, ends: [] };
}

/** The customer accepts electronic invoices: the owner's switch has it mailed, and a call is a repeat. */
function whenIssued({ id, random }: Naming): Course {
  const recipient = { email: `${id}@acepta.example`, accepts_electronic: true };
  const body = anInvoice(id, random, recipient);
  const again = call("issue_again", id, "again", { body });
  return { steps: [[issue(id, body)], [again, mail("mail", id, "mail")]], ends: [] };
}

/** Nobody knows an address, then one that the mail service refuses. */
function nowhere({ id, random }: Naming): Course {
  const steps = [
    [issue(id, anInvoice(id, random, {}))],
    [mail("mail_refused", id, "without", { expect: ["recipient_email_missing"] })],
    [mail("mail_nowhere", id, "nowhere", { body: { to: NO_MAILBOX } })],
  ];
  return { steps, ends: [] };
}
