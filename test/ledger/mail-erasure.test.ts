/** Addresses are personal data: what an erasure and a retired year leave of a delivery. */
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { databaseOn } from "../../src/db/database.ts";
import { maskAddresses } from "../../src/db/mailing/mailing-writes.ts";
import { maskedAddress } from "../../src/domain/mailing/invoice-delivery.ts";
import { gate } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { type MailRoom, mailRoomOn } from "../support/worlds/mails.ts";
import { aSentOrder, aSentRefund, openCommerce } from "../support/worlds/order-calls.ts";
import { openShop } from "../support/worlds/shop.ts";

const LUIS = "luis@cliente.es";
const CLIENT = { email: LUIS, country: "ES", id_external: "c-1" };

async function invoiced(room: MailRoom, id: string): Promise<string> {
  const taken = await room.connector.send(aSentOrder(id, { client: CLIENT }));
  const invoiceId = "order" in taken ? taken.order.invoices[0]?.issued?.invoiceId : undefined;
  if (invoiceId === undefined) throw new Error(JSON.stringify(taken));
  return invoiceId;
}

const everything = (connectionId: string) =>
  env.LEDGER_000.prepare(
    `SELECT facts || coalesce(sent, '') AS text FROM shop_order
      LEFT JOIN shop_order_sent USING (connection_id, id_external) WHERE connection_id = ?`,
  )
    .bind(connectionId)
    .first<string>("text");

test("an erased customer leaves no address: the order that must stay loses it, its deliveries are masked", async () => {
  const room = mailRoomOn(await openCommerce());
  const invoiceId = await invoiced(room, "o-1");
  await room.email(invoiceId);
  await room.ledger.wake();
  await room.email(invoiceId, { to: "otra@cliente.es" });
  const outcome = await room.act({ verb: "erase_client", clientId: "c-1" });
  expect(outcome.outcome).toBe("done");
  expect((await room.rows()).map(({ address, state, error }) => `${address} ${state} ${error}`)).toEqual([
    "l***@c***.es sent null",
    "o***@c***.es failed address_erased",
  ]);
  expect(await everything(room.shop.connectionId)).not.toContain(LUIS);
  await room.ledger.wake();
  expect(room.sent).toHaveLength(1);
  // A repeat finds nothing more to erase, and the order stays.
  expect(await room.act({ verb: "erase_client", clientId: "c-1" })).toMatchObject({
    outcome: "refused",
    refusal: { code: "erasure_not_allowed" },
  });
  expect((await room.connector.read("o-1")).outcome).toBe("found");
});

test("an erased address is read from no invoice: neither a call nor a later refund is mailed to it", async () => {
  const room = mailRoomOn(await openCommerce());
  expect((await room.act({ verb: "switch_mailing", to: "everyone", textVersion: "1" })).outcome).toBe("done");
  const invoiceId = await invoiced(room, "o-1");
  await room.ledger.wake();
  await room.act({ verb: "erase_client", clientId: "c-1" });
  expect(await room.email(invoiceId)).toMatchObject({
    outcome: "refused",
    refusal: { code: "recipient_email_missing" },
  });
  await room.connector.events("o-1", { correction_events: [aSentRefund("r-1", 10, 2.1, 21)] });
  const refund = await env.LEDGER_000.prepare(
    `SELECT document FROM invoice_document JOIN invoice ON id = invoice_id
      WHERE connection_id = ? ORDER BY number DESC LIMIT 1`,
  )
    .bind(room.shop.connectionId)
    .first<string>("document");
  expect(refund).toContain("rectifies");
  expect(refund).not.toContain(LUIS);
  await room.ledger.wake();
  expect(room.sent.map(({ delivery: { to } }) => to)).toEqual([LUIS]);
  expect(await room.rows()).toHaveLength(1);
});

test.each([
  ["erased", { verb: "erase_client", clientId: "c-1" }],
  ["corrected", undefined],
] as const)("an address that is %s while its mail is asked for is not queued", async (_, erasure) => {
  const room = mailRoomOn(await openCommerce());
  const invoiceId = await invoiced(room, "o-1");
  const held = faults.when((sql) => sql.some((one) => one.includes('into "invoice_delivery"')), gate());
  const asked = room.email(invoiceId);
  await held.reached();
  if (erasure) expect((await room.act(erasure)).outcome).toBe("done");
  else await room.connector.send(aSentOrder("o-1", { client: { ...CLIENT, email: "nueva@cliente.es" } }));
  held.open();
  expect(await asked).toMatchObject({ outcome: "unavailable" });
  expect(await room.rows()).toEqual([]);
  // The repeat is judged by what the order says by now.
  expect(await room.email(invoiceId)).toMatchObject(
    erasure ? { refusal: { code: "recipient_email_missing" } } : { delivery: { to: "nueva@cliente.es" } },
  );
});

test.each([
  ["a failed one", false],
  ["a sent one, sent again", true],
])("a mail to a corrected address is no replay of %s", async (_, resend) => {
  const room = mailRoomOn(await openCommerce());
  const invoiceId = await invoiced(room, "o-1");
  if (!resend) room.service = () => ({ result: "refused", error: "address_refused" });
  await room.email(invoiceId);
  await room.ledger.wake();
  const held = faults.when((sql) => sql.some((one) => one.includes('into "invoice_delivery"')), gate());
  const asked = room.email(invoiceId, { resend });
  await held.reached();
  await room.connector.send(aSentOrder("o-1", { client: { ...CLIENT, email: "nueva@cliente.es" } }));
  held.open();
  expect(await asked).toMatchObject({ outcome: "unavailable" });
  expect(await room.rows()).toHaveLength(1);
});

test("a corrected address counts for what corrects the invoice later", async () => {
  const room = mailRoomOn(await openCommerce());
  await room.act({ verb: "switch_mailing", to: "everyone", textVersion: "1" });
  await invoiced(room, "o-1");
  const client = { ...CLIENT, email: "nueva@cliente.es" };
  const correction_events = [aSentRefund("r-1", 10, 2.1, 21)];
  await room.connector.send(aSentOrder("o-1", { client, correction_events }));
  expect((await room.rows()).map(({ address }) => address).toSorted()).toEqual([LUIS, "nueva@cliente.es"]);
});

test.each(["ana@cliente.es", "a@b.co.uk", "x.y+z@correo-largo.example", "ñ@münchen.de", "nobody", "a@b"])(
  "%s is masked alike by the database and by the service, and once",
  async (address) => {
    const room = mailRoomOn(await openShop());
    const invoiceId = await room.issue("a");
    await room.email(invoiceId);
    await env.LEDGER_000.prepare("UPDATE invoice_delivery SET address = ? WHERE invoice_id = ?")
      .bind(address, invoiceId)
      .run();
    const mask = () =>
      maskAddresses(databaseOn(env.LEDGER_000), sql`SELECT ${invoiceId} AS id`, {
        ...({ because: "invoice_retired", at: 1 } as const),
      });
    await mask();
    await mask();
    expect(await room.rows()).toMatchObject([
      { address: maskedAddress(address), state: "failed", error: "invoice_retired", due_at: null },
    ]);
  },
);
