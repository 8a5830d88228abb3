/** Invoices that are mailed when they are issued: the owner's switch, and whom it leaves out. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import { putBackAccount } from "../../src/ops/restore/put-back-account.ts";
import { loseAnswer } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { aReplacement, aSubstitution, SIMPLIFIED } from "../support/worlds/ledger-client.ts";
import { ANA, type MailRoom, mailRoomOn, withEmail } from "../support/worlds/mails.ts";
import { aSentOrder, aSentRefund, openCommerce, type SentBody } from "../support/worlds/order-calls.ts";
import { openShop, type Shop } from "../support/worlds/shop.ts";

const LUIS = "luis@cliente.es";

let shop: Shop;
let room: MailRoom;

beforeEach(async () => {
  shop = await openShop();
  room = mailRoomOn(shop);
});

async function switchTo(to: "nobody" | "accepting" | "everyone", of: MailRoom = room, profileId?: string) {
  const text = to === "everyone" ? { textVersion: "1" } : {};
  const profile = profileId === undefined ? {} : { profileId };
  const outcome = await of.act({ verb: "switch_mailing", to, ...text, ...profile });
  expect(outcome.outcome).toBe("done");
}

const mailed = async (of: MailRoom = room) => (await of.rows()).map(({ address }) => address);

describe("whom it mails", () => {
  test.each([
    ["nobody", undefined, 0],
    ["nobody", true, 0],
    ["accepting", undefined, 0],
    ["accepting", true, 1],
    ["accepting", false, 0],
    ["everyone", undefined, 1],
    ["everyone", true, 1],
    ["everyone", false, 0],
  ] as const)("%s, with accepts_electronic %s: %i mails", async (to, accepts, mails) => {
    await switchTo(to);
    await room.issue("a", withEmail(ANA, accepts === undefined ? {} : { acceptsElectronic: accepts }));
    expect(await mailed()).toEqual(Array<string>(mails).fill(ANA));
  });

  test("is nobody until the owner switches it on, and again once it is off", async () => {
    await room.issue("a");
    await switchTo("everyone");
    await room.issue("b");
    await switchTo("nobody");
    await room.issue("c");
    expect(await mailed()).toEqual([ANA]);
  });

  test("without an address is nobody, and the invoice is issued", async () => {
    await switchTo("everyone");
    expect((await room.client.issue("a")).outcome).toBe("issued");
    expect(await mailed()).toEqual([]);
  });

  test("of an unverified company are its own people: another mail fails and says why", async () => {
    const unverified = mailRoomOn(await openShop({ verified: false }));
    await switchTo("everyone", unverified);
    unverified.own.add(LUIS);
    await unverified.issue("a");
    await unverified.issue("b", withEmail(LUIS));
    await unverified.ledger.wake();
    expect(
      (await unverified.rows()).map(({ address, state, error }) => `${address} ${state} ${error}`),
    ).toEqual([`${ANA} failed company_unverified`, `${LUIS} sent null`]);
  });
});

describe("what it mails", () => {
  test("invoices, tickets with an address, rectifications and replacements; no cancellation", async () => {
    await switchTo("everyone");
    await room.issue("a");
    await room.issue("t", { ...SIMPLIFIED, recipient: { company: "Ana", email: ANA } });
    await room.issue("f", { ...aReplacement("t"), ...withEmail() });
    await room.issue("s", { ...aSubstitution("80", "a"), ...withEmail() });
    await room.issue("b");
    await room.client.cancel("b");
    expect(await mailed()).toHaveLength(5);
    await room.ledger.wake();
    // The cancelled invoice was on its way.
    expect((await room.rows()).map(({ state }) => state)).toEqual(["sent", "sent", "sent", "sent", "failed"]);
  });

  test("each invoice once, also if it is sent again, or its batch got lost on its way", async () => {
    await switchTo("everyone");
    await room.issue("a");
    await room.issue("a");
    faults.next(loseAnswer());
    await room.issue("b");
    expect(await mailed()).toEqual([ANA, ANA]);
    await room.ledger.wake();
    await room.ledger.wake();
    expect(room.sent).toHaveLength(2);
  });

  test("a preview mails nothing", async () => {
    await switchTo("everyone");
    const { callerOf, anInvoice } = await import("../support/worlds/shop.ts");
    await room.ledger.previewInvoice(callerOf(shop), anInvoice("a", withEmail()));
    expect(await mailed()).toEqual([]);
  });

  test("a mail that fails undoes no invoice", async () => {
    await switchTo("everyone");
    room.service = () => ({ result: "refused", error: "address_refused" });
    await room.issue("a");
    await room.ledger.wake();
    expect((await room.client.read("a")).outcome).toBe("found");
  });
});

describe("orders", () => {
  let commerce: MailRoom;
  const order = (id: string, change: SentBody = {}) =>
    aSentOrder(id, { client: { email: LUIS, country: "ES" }, ...change });

  beforeEach(async () => {
    commerce = mailRoomOn(await openCommerce());
  });

  test("are mailed to their client, and so are their refunds", async () => {
    await switchTo("everyone", commerce);
    await commerce.connector.send(order("o-1"));
    await commerce.connector.events("o-1", { correction_events: [aSentRefund("r-1", 10, 2.1, 21)] });
    expect(await mailed(commerce)).toEqual([LUIS, LUIS]);
  });

  test("of a profile follow its own switch", async () => {
    const added = await commerce.act({
      ...{ verb: "add_profile", profile: { name: "Mercado", channel: "market", stem: "MER" } },
    });
    const profileId = added.outcome === "done" ? added.shown?.profile_id : undefined;
    await switchTo("everyone", commerce);
    await commerce.connector.send(order("o-1", { source_channel: "market" }));
    expect(await mailed(commerce)).toEqual([]);
    await switchTo("everyone", commerce, profileId);
    await commerce.connector.send(order("o-2", { source_channel: "market" }));
    expect(await mailed(commerce)).toEqual([LUIS]);
  });

  test("from before the cutoff are not mailed when they are released; their later refunds are", async () => {
    await switchTo("everyone", commerce);
    await commerce.connector.send(order("o-1", { order_date: "2025-12-20 12:00:00" }));
    await commerce.act({ verb: "move_cutoff", cutoffDate: civilDate("2025-12-01") });
    await commerce.ledger.wake();
    expect(await invoicesOf(commerce)).toBe(1);
    expect(await mailed(commerce)).toEqual([]);
    await commerce.connector.events("o-1", { correction_events: [aSentRefund("r-1", 10, 2.1, 21)] });
    expect(await mailed(commerce)).toEqual([LUIS]);
  });

  test("on hold that are decided again after a restore are not mailed, those decided later are", async () => {
    const unknown = { client: { email: LUIS, country: "ES" }, discounts: [{ kind: "raro", amount: 10 }] };
    await switchTo("everyone", commerce);
    await commerce.connector.send(order("o-1", { ...unknown, total: 111 }));
    const { accountId, connectionId } = commerce.shop;
    const before = "UPDATE shop_order SET undecided = 1, unmailed = 'once' WHERE connection_id = ?";
    await env.LEDGER_000.prepare(before).bind(connectionId).run();
    const texts: string[] = [];
    for await (const sql of putBackAccount(env.LEDGER_000, { accountId, since: 0, now: 1 })) texts.push(sql);
    expect(texts.some((sql) => sql.includes("unmailed = coalesce(unmailed, 'once')"))).toBe(true);
    await commerce.ledger.wake();
    const row = await env.LEDGER_000.prepare("SELECT state, unmailed FROM shop_order WHERE connection_id = ?")
      .bind(connectionId)
      .first<{ state: string; unmailed: string | null }>();
    expect(row).toEqual({ state: "held", unmailed: null });
  });
});

test("switched off, issuing is one trip that writes no more than before", async () => {
  await room.issue("warm");
  faults.take();
  await room.issue("a");
  expect(faults.trips()).toHaveLength(1);
  await switchTo("everyone");
  await room.issue("warm again");
  faults.take();
  await room.issue("b");
  expect(faults.trips()).toHaveLength(1);
});

test("the declaration is kept with its version, who gave it and when; the same again keeps the first", async () => {
  await switchTo("everyone");
  const read = () =>
    env.LEDGER_000.prepare("SELECT mailing FROM connection WHERE id = ?")
      .bind(shop.connectionId)
      .first<string>("mailing");
  const first = await read();
  expect(JSON.parse(first ?? "")).toEqual({
    declared: { textVersion: "1", by: expect.any(String), at: room.now },
  });
  room.now += 1_000;
  await switchTo("everyone");
  expect(await read()).toBe(first);
  const lines = await env.LEDGER_000.prepare(
    "SELECT user_id, at, facts FROM audit_log WHERE connection_id = ? AND verb = 'switch_mailing'",
  )
    .bind(shop.connectionId)
    .all<{ facts: string }>();
  expect(lines.results.map(({ facts }) => JSON.parse(facts))).toEqual([
    { to: "everyone", text_version: "1" },
  ]);
});

async function invoicesOf({ shop: { connectionId } }: MailRoom): Promise<number | null> {
  return env.LEDGER_000.prepare("SELECT count(*) AS n FROM invoice WHERE connection_id = ?")
    .bind(connectionId)
    .first<number>("n");
}
