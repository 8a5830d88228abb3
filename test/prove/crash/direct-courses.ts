/** Courses of direct invoices. */
import type { Seeded } from "../seeded.ts";
import { type Body, type Call, type CallKind, type Course, DONE } from "./call.ts";

const RATES = [4, 10, 21] as const;
const RECIPIENT = {
  company: "Hostelería del Tormes SL",
  vat_number: "B12345674",
  country: "ES",
  address1: "Paseo de la Estación 12",
  postcode: "37004",
  city: "Salamanca",
};

interface Naming {
  readonly id: string;
  readonly random: Seeded;
  /** The console's path of the connection's account. */
  readonly account: string;
}

/** Up to three lines of up to 100.00 each, mostly without a recipient. */
function anInvoice(id: string, random: Seeded) {
  const lines = Array.from({ length: 1 + random.below(3) }, (_, index) => ({
    line_id: String(index + 1),
    description: `Artículo ${1 + random.below(40)}`,
    quantity: 1 + random.below(4),
    price_unit: (100 + random.below(2_400)) / 100,
    tax_rate: random.pick(RATES),
  }));
  const isFull = random.below(4) === 0;
  return {
    external_id: id,
    invoice_type: isFull ? "F1" : "F2",
    description: `Venta ${id}`,
    currency: "EUR",
    ...(isFull ? { recipient: RECIPIENT } : {}),
    lines,
  };
}

export const DIRECT_COURSES: readonly ((naming: Naming) => Course)[] = [
  alone,
  alone,
  copies,
  burst,
  race,
  rectified,
  cancelled,
  amended,
  refused,
];

function course(...steps: Course["steps"]): Course {
  return { steps, ends: [] };
}

function call(kind: CallKind, about: string, step: string, change: Partial<Call> = {}): Call {
  return {
    ...{ id: `${about}/${step}`, kind, connection: "api", about, method: "POST", path: "/api/v1/invoice" },
    ...{ expect: [DONE], ...change },
  };
}

function read(about: string): Call {
  return call("read_invoice", about, "read", { method: "GET", path: `/api/v1/invoice/${about}` });
}

/** Issued, sent again, sent otherwise, read. */
function alone({ id, random }: Naming): Course {
  const body = anInvoice(id, random);
  return course(
    [call("issue", id, "issue", { body })],
    [call("issue_again", id, "again", { body })],
    [changed(id, body)],
    [read(id)],
  );
}

function changed(id: string, body: Body): Call {
  const other = { ...body, description: `${body.description}, otra` };
  return call("issue_changed", id, "changed", { body: other, expect: ["idempotency_conflict"] });
}

/** The same on several connections at once. */
function copies({ id, random }: Naming): Course {
  const body = anInvoice(id, random);
  const same = ["a", "b", "c", "d"].map((copy) => call("issue", id, copy, { body }));
  return course(same, [read(id)]);
}

function burst({ id, random }: Naming): Course {
  const all = Array.from({ length: 12 }, (_, index) => {
    const own = `${id}-${index + 1}`;
    return call("issue", own, "issue", { body: anInvoice(own, random) });
  });
  const again = all.slice(0, 4).map(({ about, body = {} }) => call("issue_again", about, "again", { body }));
  return course(all, again);
}

/** Two bodies under one id: one of them is the invoice, whichever it is. */
function race({ id, random }: Naming): Course {
  const runners = ["a", "b"].map((runner) => {
    const body = { ...anInvoice(id, random), description: `Venta ${id} ${runner}` };
    return call("issue", id, runner, { body, expect: [DONE, "idempotency_conflict"] });
  });
  return course(runners, [read(id)]);
}

/** A line taken back, again with the same body, then more than the whole invoice: lines may share a rate. */
function rectified({ id, random }: Naming): Course {
  const body = { ...anInvoice(id, random), invoice_type: "F2", recipient: undefined };
  const [line] = body.lines;
  const price = line?.price_unit ?? 1;
  const units = body.lines.map((each) => Math.ceil((each.quantity * each.price_unit) / price));
  const whole = units.reduce((sum, each) => sum + each, 0);
  const back = (own: string, taken: number): Body => ({
    ...body,
    external_id: own,
    invoice_type: "R5",
    rectification_method: "difference",
    rectifies: [{ external_id: id }],
    lines: [{ ...line, quantity: -taken }],
  });
  const once = back(`${id}-r1`, 1);
  return course(
    [call("issue", id, "issue", { body })],
    ["a", "b"].map((copy) => call("rectify", `${id}-r1`, copy, { body: once })),
    [call("issue_again", `${id}-r1`, "again", { body: once })],
    [
      call("issue_refused", `${id}-r2`, "too-much", {
        body: back(`${id}-r2`, whole + 1),
        expect: ["rectification_exceeds"],
      }),
      read(id),
    ],
  );
}

function cancelled({ id, random }: Naming): Course {
  const body = anInvoice(id, random);
  const cancel = (step: string) =>
    call("cancel", id, step, {
      path: `/api/v1/invoice/${id}/cancellation`,
      body: { reason: "Nunca hubo venta" },
    });
  return course(
    [call("issue", id, "issue", { body })],
    [cancel("a"), cancel("b")],
    [cancel("again"), changed(id, body)],
    [read(id)],
  );
}

/** The owner puts a record right, once the authority has answered for it. */
function amended({ id, random, account }: Naming): Course {
  const amend = (step: string) =>
    call("amend", id, step, {
      path: `/api/accounts/${account}/invoices/{}/corrections`,
      body: { correction: "amend", deed: `deed-of-${id}`, description: `Venta ${id}, corregida` },
      from: { call: `${id}/issue`, path: "invoice_id" },
      awaits: ["correction_awaits_answer"],
    });
  return course(
    [call("issue", id, "issue", { body: anInvoice(id, random) })],
    [amend("a"), amend("b")],
    [amend("again"), read(id)],
  );
}

/** Above what a simplified invoice may be without saying why. */
function refused({ id, random }: Naming): Course {
  const invoice = anInvoice(id, random);
  const lines = invoice.lines.map((line) => ({ ...line, price_unit: 900 }));
  const body = { ...invoice, invoice_type: "F2", recipient: undefined, lines };
  const expect = ["simplified_limit_exceeded"];
  return course([
    call("issue_refused", id, "a", { body, expect }),
    call("issue_refused", id, "b", { body, expect }),
  ]);
}
