/** What connectors and owners have mailed, and what they know of it afterwards. */
import { mailedFormats } from "../../src/domain/mailing/invoice-delivery.ts";
import type { EmailOutcome } from "../../src/ledger/mailing/mailing-outcomes.ts";
import type { OrderView } from "../../src/ledger/orders/order-outcomes.ts";
import type { RequestOf } from "../../src/ledger/verbs/table.ts";
import { booksOf, rowsIn } from "./books.ts";
import { preparedInvoice, submissionOf, type Told } from "./callers.ts";
import type { Chance } from "./chance.ts";
import { count } from "./figures.ts";
import type { MailService } from "./mail-service.ts";
import {
  addressOf,
  clientOfMailed,
  MAIL_STEPS,
  type Mailed,
  type MailStep,
  mailedBody,
  orderStepOf,
} from "./mail-steps.ts";
import type { Step } from "./steps.ts";
import { OWNER } from "./template.ts";
import type { World } from "./world.ts";

/**
 * A time of the owner's switch, from the record after that position on; undefined while nobody knows
 * it.
 */
interface SwitchedFrom {
  readonly position: number;
  readonly to: Mailed | undefined;
}

/** From the moment when the owner was told of it, until somebody sends the order with its address again. */
interface Erasure {
  readonly place: string;
  /** Endless while nobody is told of it. */
  from: number;
  until: number;
}

export class MailLog {
  readonly service: MailService;
  readonly chance: Chance;
  /** New mails that callers asked for, by invoice and address. */
  readonly resends = new Map<string, number>();
  readonly erasures: Erasure[] = [];
  /** Orders that are being sent, as often. */
  readonly sending = new Map<string, number>();
  /** Orders with an erasure that was asked for, whatever came of it. */
  readonly perhapsErased = new Set<string>();
  /** Orders that somebody was told are from before the cutoff. */
  readonly beforeCutoff = new Set<string>();
  readonly #switches = new Map<string, SwitchedFrom[]>();
  readonly #open = new Map<string, number>();

  constructor(service: MailService, chance: Chance) {
    this.service = service;
    this.chance = chance;
  }

  /** The switch under which a record of that position was written; undefined if it is not known. */
  switchAt(connectionId: string, position: number): Mailed | undefined {
    const times = this.#switches.get(connectionId) ?? [];
    const last = times.findLast((time) => position > time.position);
    return last ? last.to : "nobody";
  }

  /** The erasure that is in force, or about to be. */
  erasureOf(place: string): Erasure | undefined {
    return this.erasures.find((one) => one.place === place && one.until === Number.POSITIVE_INFINITY);
  }

  /** True from `leaveMs` after an erasure on. */
  isErasedAt(place: string, at: number, leaveMs: number): boolean {
    return this.erasures.some((one) => one.place === place && at > one.from + leaveMs && at < one.until);
  }

  /** `position` is that of the last record in the books. Ends with the setting that is surely in force. */
  beginsToSwitch(connectionId: string, position: number): (to: Mailed | undefined, position: number) => void {
    this.#note(connectionId, { position, to: undefined });
    const nth = this.#add(connectionId, 1);
    return (to, until) => {
      const isAlone = nth === 1 && this.#open.get(connectionId) === 1;
      this.#add(connectionId, -1);
      this.#note(connectionId, { position: until, to: isAlone ? to : undefined });
    };
  }

  #note(connectionId: string, time: SwitchedFrom): void {
    this.#switches.set(connectionId, [...(this.#switches.get(connectionId) ?? []), time]);
  }

  #add(connectionId: string, by: number): number {
    const now = (this.#open.get(connectionId) ?? 0) + by;
    this.#open.set(connectionId, now);
    return now;
  }
}

export function isMail(step: Step | MailStep): step is MailStep {
  return MAIL.has(step.do);
}

const MAIL: ReadonlySet<string> = new Set(MAIL_STEPS);

/** Before any fault: the owner of a history with mails has some connections' invoices mailed. */
export async function switchMailsOn(world: World): Promise<void> {
  const { mails, shops, objects, scheduler } = world;
  for (const { connectionId } of Object.values(shops)) {
    if (!mails.chance.is(0.7)) continue;
    const to = mails.chance.pick<Mailed>(["everyone", "everyone", "accepting"]);
    const ends = mails.beginsToSwitch(connectionId, 0);
    const switching = objects.get(connectionId)?.call("act", [connectionId, OWNER, switchTo(to)]);
    let outcome: object | undefined;
    switching?.then(
      (came) => {
        outcome = Object(came);
      },
      (error: unknown) => world.fail("answer", `the switch of mails threw ${error}`),
    );
    await scheduler.runUntil(() => outcome !== undefined, scheduler.now + 60_000);
    if (Reflect.get(outcome ?? {}, "outcome") !== "done") throw new Error(JSON.stringify(outcome));
    ends(to, 0);
  }
}

function switchTo(to: Mailed): RequestOf<"switch_mailing"> {
  return { verb: "switch_mailing", to, ...(to === "everyone" ? { textVersion: "1" } : {}) };
}

export async function actOnMail(step: MailStep, world: World): Promise<unknown> {
  const { callers, shops, mails, scheduler } = world;
  const { direct } = shops;
  switch (step.do) {
    case "mail issue": {
      const key = callers.callerOf(direct);
      const invoice = preparedInvoice(mailedBody(step.id, step.customer));
      return callers.settle(direct, `issue ${step.id}`, () => callers.to(direct).issueInvoice(key, invoice));
    }
    case "mail cancel":
      return callers.settle(direct, `cancel ${step.id}`, () =>
        callers
          .to(direct)
          .cancelInvoice(callers.callerOf(direct), { externalId: step.id, reason: "mistake" }),
      );
    case "mail order":
      return sendOrder(world, step);
    case "mail asked":
    case "mail again":
      return askFor(world, step);
    case "mail switch":
      return switchMails(world, step);
    case "mail erasure":
      return erase(world, step);
    case "mail service down":
      mails.service.weather.downUntil = scheduler.now + step.ms;
      return;
  }
}

/** The body has the address, so that an erasure before it does not hold any more. */
async function sendOrder(world: World, step: Extract<MailStep, { do: "mail order" }>): Promise<void> {
  const { callers, shops, mails, scheduler } = world;
  const shop = shops[step.shop];
  const [caller, submission] = [callers.callerOf(shop), submissionOf(orderStepOf(step))];
  const place = placeOf(shop.connectionId, step.id);
  const sending = (by: number) => mails.sending.set(place, (mails.sending.get(place) ?? 0) + by);
  sending(1);
  const outcome = await callers.settle(shop, `order ${step.id}`, () => {
    for (const erasure of mails.erasures) {
      if (erasure.place === place) erasure.until = Math.min(erasure.until, scheduler.now);
    }
    return callers.to(shop).submitOrder(caller, submission);
  });
  sending(-1);
  const order = outcome && "order" in outcome ? outcome.order : undefined;
  if (order?.state === "before_cutoff") mails.beforeCutoff.add(place);
}

export function placeOf(connectionId: string, orderId: string): string {
  return `${connectionId} ${orderId}`;
}

/** Invoices that a caller was told of, of that order or document first. */
function toldInvoices(told: readonly Told[], connectionId: string, id: string): readonly ToldInvoice[] {
  const all = told.flatMap(({ connectionId: own, about, outcome }) => {
    if (own !== connectionId) return [];
    const [what, of = ""] = about.split(" ");
    if (what === "issue" && "invoice" in outcome) {
      const { invoiceId } = outcome.invoice as { readonly invoiceId: string };
      return [{ of, invoiceId }];
    }
    if (what !== "order" || !("order" in outcome)) return [];
    const { invoices } = outcome.order as OrderView;
    return invoices.flatMap(({ issued }) => (issued ? [{ of, invoiceId: issued.invoiceId }] : []));
  });
  return [...all.filter(({ of }) => of === id), ...all];
}

interface ToldInvoice {
  readonly of: string;
  readonly invoiceId: string;
}

async function askFor(
  world: World,
  { do: doing, shop: name, id: wanted, to, by }: Extract<MailStep, { do: "mail asked" | "mail again" }>,
): Promise<void> {
  const { callers, shops, mails, template } = world;
  const shop = shops[name];
  const { connectionId } = shop;
  const [known] = toldInvoices(callers.told, connectionId, wanted);
  if (!known) return;
  const { of: id, invoiceId } = known;
  const resend = doing === "mail again";
  const request = {
    ...({ invoiceId, language: "es", resend } as const),
    formats: mailedFormats([]),
    ...(to === undefined ? {} : { to }),
  };
  const erasure = mails.erasureOf(placeOf(connectionId, id));
  const isErasedBefore = erasure !== undefined && erasure.from <= world.scheduler.now;
  const about = `mail ${callers.nextRequest()}`;
  const outcome = await callers.settle<EmailOutcome>(shop, about, () => {
    // Every try of the same request may queue one more.
    if (resend) mails.resends.set(invoiceId, (mails.resends.get(invoiceId) ?? 0) + 1);
    return by === "connector"
      ? callers.to(shop).emailInvoice(callers.callerOf(shop), request)
      : callers
          .to(shop)
          .mailInvoice(connectionId, { ...request, userId: OWNER, requestId: callers.nextRequest() });
  });
  if (!outcome) return;
  count(world.figures, `asked mail ${outcome.outcome}`);
  if (outcome.outcome === "unknown") world.fail("lost", `${invoiceId} is known, and cannot be mailed`);
  if (outcome.outcome !== "queued" && outcome.outcome !== "replayed") return;
  const { delivery } = outcome;
  const kept = "SELECT 1 FROM invoice_delivery WHERE id = ? AND invoice_id = ?";
  if (rowsIn(template.database, kept, delivery.id, invoiceId).length === 0)
    world.fail("lost", `the mail ${delivery.id} was told before it was in the books`);
  const isErased = isErasedBefore && erasure.until === Number.POSITIVE_INFINITY;
  if (isErased && outcome.outcome === "queued" && delivery.to === addressOf(id))
    world.fail("contradiction", `a mail to ${delivery.to} was queued after its erasure`);
}

async function switchMails(
  world: World,
  { shop: name, to }: Extract<MailStep, { do: "mail switch" }>,
): Promise<void> {
  const { callers, shops, mails, template } = world;
  const { connectionId } = shops[name];
  const written = () => booksOf(template.database, connectionId).records.length;
  const ends = mails.beginsToSwitch(connectionId, written());
  const outcome = await callers.settle(shops[name], `switch_mailing ${callers.nextRequest()}`, () =>
    callers.to(shops[name]).act(connectionId, OWNER, switchTo(to)),
  );
  ends(outcome?.outcome === "done" ? to : undefined, written());
}

async function erase(
  world: World,
  { shop: name, id }: Extract<MailStep, { do: "mail erasure" }>,
): Promise<void> {
  const { callers, shops, mails, scheduler } = world;
  const { connectionId } = shops[name];
  const place = placeOf(connectionId, id);
  // A customer who has bought nothing has nothing to be erased.
  const isSold = toldInvoices(callers.told, connectionId, id).some(({ of }) => of === id);
  if (!isSold) await sendOrder(world, { do: "mail order", shop: name, id, events: [], atMs: 0 });
  mails.perhapsErased.add(place);
  // A body that is sent from here on ends it.
  const erasure = { place, from: Number.POSITIVE_INFINITY, until: Number.POSITIVE_INFINITY };
  mails.erasures.push(erasure);
  const isLate = (mails.sending.get(place) ?? 0) > 0;
  const { id_external: clientId } = clientOfMailed(id);
  const outcome = await callers.settle(shops[name], `erase_client ${callers.nextRequest()}`, () =>
    callers.to(shops[name]).act(connectionId, OWNER, { verb: "erase_client", clientId }),
  );
  count(world.figures, `erasure ${outcome?.outcome}`);
  if (outcome?.outcome === "done" && !isLate) erasure.from = scheduler.now;
}
