/** Invoices by e-mail that a connector asks for: the key, refusals, attempts, events. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { MAILS } from "../../src/domain/limits.ts";
import { gate } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { ownerOf } from "../support/worlds/console.ts";
import { aReplacement, aSubstitution, SIMPLIFIED } from "../support/worlds/ledger-client.ts";
import { ANA, type MailRoom, mailRoomOn, withEmail } from "../support/worlds/mails.ts";
import { aSentOrder, openCommerce } from "../support/worlds/order-calls.ts";
import { openShop, type Shop, verify } from "../support/worlds/shop.ts";
import { settleRecord } from "../support/worlds/webhooks.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let shop: Shop;
let room: MailRoom;

beforeEach(async () => {
  shop = await openShop();
  room = mailRoomOn(shop);
});

/** `queued ana@cliente.es`, or why not. */
function toldOf(outcome: Awaited<ReturnType<MailRoom["email"]>>): string {
  if ("delivery" in outcome) return `${outcome.outcome} ${outcome.delivery.to}`;
  if (outcome.outcome === "refused") return outcome.refusal.code;
  return outcome.outcome === "cannot_express" ? outcome.reasons.join(" ") : outcome.outcome;
}

describe("the address", () => {
  test("is that of the request before that of the recipient", async () => {
    const invoiceId = await room.issue("a");
    expect(toldOf(await room.email(invoiceId))).toBe(`queued ${ANA}`);
    expect(toldOf(await room.email(invoiceId, { to: "otra@cliente.es" }))).toBe("queued otra@cliente.es");
  });

  test("may be all that a simplified invoice knows of its customer", async () => {
    const invoiceId = await room.issue("a", { ...SIMPLIFIED, recipient: { company: "Ana", email: ANA } });
    expect(toldOf(await room.email(invoiceId))).toBe(`queued ${ANA}`);
  });

  test("is needed", async () => {
    const invoiceId = await room.issue("a", {});
    expect(toldOf(await room.email(invoiceId))).toBe("recipient_email_missing");
    expect(await room.rows()).toEqual([]);
  });

  test("of an order is its client's", async () => {
    const commerce = mailRoomOn(await openCommerce());
    const taken = await commerce.connector.send(aSentOrder("o-1", { client: { email: "Luis@Cliente.es" } }));
    const invoiceId = "order" in taken ? taken.order.invoices[0]?.issued?.invoiceId : undefined;
    expect(toldOf(await commerce.email(invoiceId ?? ""))).toBe("queued luis@cliente.es");
  });
});

describe("a repeat", () => {
  test("is a replay of the delivery that there is, whatever else it asks for", async () => {
    const invoiceId = await room.issue("a");
    const first = await room.email(invoiceId);
    const again = await room.email(invoiceId, { language: "en", formats: ["pdf", "ubl"] });
    expect(again).toMatchObject({ outcome: "replayed", delivery: { language: "es", formats: ["pdf"] } });
    expect("delivery" in again && "delivery" in first && again.delivery.id === first.delivery.id).toBe(true);
    await room.ledger.wake();
    expect(toldOf(await room.email(invoiceId))).toBe(`replayed ${ANA}`);
    await room.ledger.wake();
    expect(room.sent).toHaveLength(1);
  });

  test("outranks every refusal", async () => {
    const invoiceId = await room.issue("a");
    await room.email(invoiceId);
    await room.client.cancel("a");
    expect(toldOf(await room.email(invoiceId))).toBe(`replayed ${ANA}`);
  });

  test("with resend is a new mail once the first was sent", async () => {
    const invoiceId = await room.issue("a");
    await room.email(invoiceId);
    expect(toldOf(await room.email(invoiceId, { resend: true }))).toBe(`replayed ${ANA}`);
    await room.ledger.wake();
    expect(toldOf(await room.email(invoiceId, { resend: true }))).toBe(`queued ${ANA}`);
    await room.ledger.wake();
    expect(room.sent.map(({ delivery }) => delivery.id)).toEqual((await room.rows()).map(({ id }) => id));
  });

  test("after a failure is a new mail without resend", async () => {
    const invoiceId = await room.issue("a");
    room.service = () => ({ result: "refused", error: "address_refused" });
    await room.email(invoiceId);
    await room.ledger.wake();
    expect(toldOf(await room.email(invoiceId))).toBe(`queued ${ANA}`);
    expect((await room.rows()).map(({ state }) => state)).toEqual(["failed", "queued"]);
  });

  test.each([false, true])("in parallel queues one (resend: %s)", async (resend) => {
    const invoiceId = await room.issue("a");
    const calls = Array.from({ length: 8 }, () => room.email(invoiceId, { resend }));
    const outcomes = (await Promise.all(calls)).map(({ outcome }) => outcome);
    expect(outcomes.toSorted()).toEqual(["queued", ...Array<string>(7).fill("replayed")]);
    await room.ledger.wake();
    expect(room.sent).toHaveLength(1);
  });

  test("in parallel at two instances queues one", async () => {
    const invoiceId = await room.issue("a");
    const other = mailRoomOn(shop);
    const outcomes = await Promise.all([room.email(invoiceId), other.email(invoiceId)]);
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(["queued", "replayed"]);
    await Promise.all([room.ledger.wake(), other.ledger.wake()]);
    expect([...room.sent, ...other.sent]).toHaveLength(1);
  });
});

describe("refused is not", () => {
  test("an invoice that was rectified or replaced, nor what takes its place", async () => {
    const rectified = await room.issue("a");
    const rectification = await room.issue("r", { ...aSubstitution("80", "a"), ...withEmail() });
    const ticket = await room.issue("t", { ...SIMPLIFIED, recipient: { company: "Ana", email: ANA } });
    const full = await room.issue("f", { ...aReplacement("t"), ...withEmail() });
    for (const id of [rectified, rectification, ticket, full]) {
      expect(toldOf(await room.email(id))).toBe(`queued ${ANA}`);
    }
    await room.ledger.wake();
    expect(room.sent).toHaveLength(4);
  });

  test("an invoice whose record the authority has rejected: it is issued all the same", async () => {
    const invoiceId = await room.issue("a");
    await settleRecord(shop, 1, { state: "rejected", seq: 2, standing: { code: 1239 } });
    expect(toldOf(await room.email(invoiceId))).toBe(`queued ${ANA}`);
  });

  test("an invoice of a connection for tests, which says so in the mail", async () => {
    const trial = await openShop({ connection: { environment: "production" }, verified: false });
    await verify(trial.accountId);
    const tests = mailRoomOn(trial);
    expect(toldOf(await tests.email(await tests.issue("a")))).toBe(`queued ${ANA}`);
    await tests.ledger.wake();
    expect(tests.sent.map(({ invoice }) => invoice.view.document.test)).toEqual([true]);
  });
});

describe("refused is", () => {
  test("an invoice that nobody has, or another connection", async () => {
    const another = mailRoomOn(await openShop());
    const foreign = await another.issue("a");
    expect(toldOf(await room.email(foreign))).toBe("unknown");
    expect(toldOf(await room.email("in0000000000000000zz"))).toBe("unknown");
    expect(await another.rows()).toEqual([]);
  });

  test("an annulled invoice", async () => {
    const invoiceId = await room.issue("a");
    await room.client.cancel("a");
    expect(toldOf(await room.email(invoiceId))).toBe("invoice_cancelled");
  });

  test("a format that cannot say the invoice", async () => {
    const invoiceId = await room.issue("a", { ...SIMPLIFIED, recipient: { company: "Ana", email: ANA } });
    const asked = await room.email(invoiceId, { formats: ["pdf", "ubl"] });
    expect(asked).toMatchObject({
      outcome: "cannot_express",
      format: "ubl",
      reasons: ["simplified", "buyer_country_missing"],
    });
  });

  test("an unverified company, except for its own people", async () => {
    const unverified = mailRoomOn(await openShop({ verified: false }));
    const invoiceId = await unverified.issue("a");
    expect(toldOf(await unverified.email(invoiceId))).toBe("company_unverified");
    unverified.own.add(ANA);
    expect(toldOf(await unverified.email(invoiceId))).toBe(`queued ${ANA}`);
  });

  test("what exceeds the limit of a minute, until the next one", async () => {
    const invoiceId = await room.issue("a");
    room.now = Math.ceil(room.now / MINUTE_MS) * MINUTE_MS + 15_000;
    for (let index = 0; index < MAILS.perMinute; index += 1) {
      expect((await room.email(invoiceId, { to: `c${index}@cliente.es` })).outcome).toBe("queued");
    }
    expect(await room.email(invoiceId)).toMatchObject({ outcome: "rate_limited", retryAfterSeconds: 45 });
    expect(toldOf(await room.email(invoiceId, { to: "c0@cliente.es" }))).toBe("replayed c0@cliente.es");
    room.now += 45_000;
    expect(toldOf(await room.email(invoiceId))).toBe(`queued ${ANA}`);
  });

  test("what exceeds the limit of a day", async () => {
    const invoiceId = await room.issue("a");
    await room.email(invoiceId);
    await env.LEDGER_000.prepare("UPDATE mail_count SET in_day = ? WHERE connection_id = ?")
      .bind(MAILS.perDay, shop.connectionId)
      .run();
    const limited = await room.email(invoiceId, { to: "b@cliente.es" });
    expect(limited).toMatchObject({ outcome: "rate_limited", retryAfterSeconds: 3_600 });
  });
});

describe("an attempt", () => {
  test("that fails is repeated after 1, 5 and 30 minutes, 2, 6 and 24 hours, and then no more", async () => {
    const invoiceId = await room.issue("a");
    room.service = () => ({ result: "not_taken" });
    await room.email(invoiceId);
    const waits: number[] = [];
    for (let tries = 1; tries <= 7; tries += 1) {
      const next = await room.ledger.wake();
      expect(room.sent).toHaveLength(tries);
      const [row] = await room.rows();
      if (row?.due_at === null || row?.due_at === undefined) break;
      expect(next).toBeLessThanOrEqual(row.due_at);
      waits.push((row.due_at - room.now) / MINUTE_MS);
      room.now = row.due_at - 1;
      await room.ledger.wake();
      expect(room.sent).toHaveLength(tries);
      room.now = row.due_at;
    }
    expect(waits).toEqual([1, 5, 30, 120, 360, 1_440]);
    expect(await room.rows()).toMatchObject([{ state: "failed", error: "not_taken", attempts: 7 }]);
  });

  test("has the same id each time", async () => {
    const invoiceId = await room.issue("a");
    room.service = () => ({ result: "not_taken" });
    await room.email(invoiceId);
    await room.ledger.wake();
    room.now += MINUTE_MS;
    await room.ledger.wake();
    const ids = room.sent.map(({ delivery }) => delivery.id);
    expect(new Set(ids)).toEqual(new Set([(await room.rows())[0]?.id]));
    expect(ids).toHaveLength(2);
  });

  test("at an address that the service refuses is the last one", async () => {
    const invoiceId = await room.issue("a");
    room.service = () => ({ result: "refused", error: "address_refused" });
    await room.email(invoiceId);
    await room.ledger.wake();
    expect(await room.rows()).toMatchObject([{ state: "failed", error: "address_refused", attempts: 1 }]);
  });

  test("of an invoice that was annulled since is not made", async () => {
    const invoiceId = await room.issue("a");
    await room.email(invoiceId);
    await room.client.cancel("a");
    await room.ledger.wake();
    expect(room.sent).toEqual([]);
    expect(await room.rows()).toMatchObject([{ state: "failed", error: "invoice_cancelled" }]);
  });

  test("that we break ourselves is repeated, with an alert", async () => {
    const invoiceId = await room.issue("a");
    room.service = () => {
      throw new Error(`no font for ${ANA}`);
    };
    await room.email(invoiceId);
    await room.ledger.wake();
    expect(room.alarms).toEqual(["invoice_mail_broken"]);
    expect(await room.rows()).toMatchObject([{ state: "queued", attempts: 1 }]);
    room.service = () => ({ result: "taken" });
    room.now += MINUTE_MS;
    await room.ledger.wake();
    expect(await room.rows()).toMatchObject([{ state: "sent", attempts: 2 }]);
  });

  test("whose result gets lost is made again, and the mail is sent twice rather than never", async () => {
    const invoiceId = await room.issue("a");
    await room.email(invoiceId);
    const crashed = mailRoomOn(shop);
    // The instance ends between the service's yes and the write of it.
    crashed.service = () => new Promise(() => {});
    void crashed.ledger.wake();
    await expect.poll(() => crashed.sent.length).toBe(1);
    await room.ledger.wake();
    expect(room.sent).toEqual([]);
    room.now += MINUTE_MS;
    await room.ledger.wake();
    expect(room.sent.map(({ delivery }) => delivery.id)).toEqual(
      crashed.sent.map(({ delivery }) => delivery.id),
    );
    expect(await room.rows()).toMatchObject([{ state: "sent", attempts: 2 }]);
  });

  test("waits while the account is frozen", async () => {
    const invoiceId = await room.issue("a");
    await room.email(invoiceId);
    const freeze = "UPDATE account SET frozen = ? WHERE id = ?";
    await env.LEDGER_000.prepare(freeze).bind(1, shop.accountId).run();
    await room.ledger.wake();
    expect(room.sent).toEqual([]);
    expect(toldOf(await room.email(invoiceId, { to: "b@cliente.es" }))).toBe("unavailable");
    await env.LEDGER_000.prepare(freeze).bind(0, shop.accountId).run();
    await room.ledger.wake();
    expect(room.sent).toHaveLength(1);
  });

  test("is logged without an address", async () => {
    const invoiceId = await room.issue("a");
    await room.email(invoiceId);
    await room.ledger.wake();
    expect(room.lines).toContainEqual(expect.objectContaining({ event: "invoice_mailed", attempt: 1 }));
    expect(JSON.stringify(room.lines)).not.toContain("cliente.es");
  });
});

test("replies go to the e-mail of the company's contact as it is when the mail is sent", async () => {
  const owner = await ownerOf(shop);
  const path = `/api/accounts/${shop.accountId}/company`;
  const contact = async (email: string | null) => {
    const { version } = (await owner.get(path)).body.data.contact;
    expect((await owner.call("PUT", `${path}/contact`, { email, version })).status).toBe(200);
  };
  const invoiceId = await room.issue("a");
  for (const email of [null, "Facturas@Norte.es", "otra@norte.es"]) {
    await room.email(invoiceId, { resend: true });
    await contact(email);
    await room.ledger.wake();
  }
  // Never the address that a person signs in with.
  expect(room.sent.map(({ replyTo }) => replyTo)).toEqual([undefined, "facturas@norte.es", "otra@norte.es"]);
});

test("the alarm is set before the mail is queued, and again behind it", async () => {
  const invoiceId = await room.issue("a");
  room.wakes.length = 0;
  const held = faults.when(
    (sql) => sql.some((one) => one.startsWith('insert into "invoice_delivery"')),
    gate(),
  );
  const asked = room.email(invoiceId);
  await held.reached();
  expect(room.wakes).toEqual([room.now]);
  // The alarm rings too early: it finds no mail.
  await room.ledger.wake();
  expect(room.sent).toEqual([]);
  room.wakes.length = 0;
  held.open();
  expect(toldOf(await asked)).toBe(`queued ${ANA}`);
  expect(room.wakes).toEqual([room.now]);
  await room.ledger.wake();
  expect(room.sent).toHaveLength(1);
});

test("an invoice is read with its deliveries, oldest first", async () => {
  const invoiceId = await room.issue("a");
  await room.email(invoiceId);
  await room.ledger.wake();
  room.now += HOUR_MS;
  await room.email(invoiceId, { to: "b@cliente.es" });
  const caller = { connectionId: shop.connectionId, keyHash: "", requestId: "r" };
  expect(await room.ledger.readIssued({ ...caller, keyHash: "x" }, invoiceId)).toMatchObject({
    outcome: "unauthorized",
  });
  const { deliveries } = await readWith(room, invoiceId);
  expect(deliveries.map(({ to, state }) => `${to} ${state}`)).toEqual([`${ANA} sent`, "b@cliente.es queued"]);
});

async function readWith({ ledger }: MailRoom, invoiceId: string) {
  const { callerOf } = await import("../support/worlds/shop.ts");
  const outcome = await ledger.readIssued(callerOf(shop), invoiceId, { deliveries: true });
  if (outcome.outcome !== "found") throw new Error(outcome.outcome);
  return { deliveries: outcome.deliveries ?? [] };
}
