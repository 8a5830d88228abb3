/** An owner's change holds from its acknowledgement, also for calls under way. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { hashOfKey } from "../../src/domain/connection/api-key.ts";
import { answerGate, failBefore, gate, loseAnswer } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { expectBooksConsistent } from "../support/rules/consistency.ts";
import {
  callsOf,
  clientOf,
  haveArrived,
  kindsOf,
  type LedgerClient,
} from "../support/worlds/ledger-client.ts";
import { act, aLine, ledgerStub, openShop, type Shop } from "../support/worlds/shop.ts";

let shop: Shop;
let client: LedgerClient;

beforeEach(async () => {
  shop = await openShop();
  client = clientOf(shop);
});

const consistent = () => expectBooksConsistent(shop.connectionId, client.answers);
const revoke = (key = shop.key) =>
  ledgerStub(shop).act(shop.connectionId, "owner", { verb: "revoke_key", hash: hashOfKey(key) });

async function change(sql: string): Promise<void> {
  await env.LEDGER_000.prepare(sql).bind(shop.accountId).run();
}

const ATTESTED = {
  invoiceType: "F2",
  regime: "art7_simplified",
  recipient: { company: "Ana" },
  lines: [{ ...aLine("1", "500", "21"), lineId: "l1" }],
  attestation: {
    legalBasis: "tax_authority_authorisation",
    buyerRole: "consumer",
    lineIds: ["l1"],
    authorisation: { number: "A1", limit: aLine("1", "1000", "21").priceUnit },
  },
} as const;

const AUTHORISATION = `INSERT INTO authorisation (id, account_id, number, limit_eur, active_from)
  SELECT 'au1', id, 'A1', '1000', 0 FROM account WHERE id = ?`;

describe.each([
  ["the territory", "UPDATE account SET territory = 'canarias' WHERE id = ?", "tax_rate_not_allowed"],
  ["the consent", "UPDATE consent SET withdrawn_at = 1 WHERE account_id = ?", "invoicing_not_enabled"],
  [
    "the kind of the connection",
    "UPDATE connection SET kind = 'commerce' WHERE account_id = ?",
    "direct_invoicing_not_supported_by_connection",
  ],
])("%s changes", (_, sql, code) => {
  test("during a cold load: decided under the new settings", async () => {
    const load = faults.next(answerGate());
    const issued = client.issue("e");
    await load.answered();
    await change(sql);
    load.open();
    expect(await issued).toMatchObject({ outcome: "refused", refusal: { code } });
    await consistent();
  });

  test("during a commit: decided again under the new settings", async () => {
    await client.issue("warm");
    const batch = faults.next(gate());
    const issued = client.issue("e");
    await batch.reached();
    await change(sql);
    batch.open();
    expect(await issued).toMatchObject({ outcome: "refused", refusal: { code } });
    await consistent();
  });

  test("a replay does not care", async () => {
    await client.issue("e");
    await change(sql);
    expect((await client.issue("e")).outcome).toBe("replayed");
  });
});

describe("an authorisation", () => {
  test("closed during a commit it covers nothing", async () => {
    await change(AUTHORISATION);
    expect((await client.issue("covered", ATTESTED)).outcome).toBe("issued");
    const batch = faults.next(gate());
    const issued = client.issue("e", ATTESTED);
    await batch.reached();
    await change("UPDATE authorisation SET closed_at = 1 WHERE account_id = ?");
    batch.open();
    expect(await issued).toMatchObject({ refusal: { code: "authorisation_mismatch" } });
    await consistent();
  });

  test("given during a call it counts: a refusal is confirmed under the current settings", async () => {
    expect((await client.issue("e", ATTESTED)).outcome).toBe("refused");
    await change(AUTHORISATION);
    expect((await client.issue("e", ATTESTED)).outcome).toBe("issued");
    await consistent();
  });
});

describe("the name of the issuer", () => {
  test("changed during a commit it is on the invoice", async () => {
    await client.issue("warm");
    const batch = faults.next(gate());
    const issued = client.issue("e");
    await batch.reached();
    await change("UPDATE account SET legal_name = 'Nueva SL' WHERE id = ?");
    batch.open();
    expect(await issued).toMatchObject({ invoice: { document: { issuer: { name: "Nueva SL" } } } });
    await consistent();
  });
});

describe("a key is revoked", () => {
  test("during a cold load of an issuance: unauthorized", async () => {
    const load = faults.next(answerGate());
    const issued = client.issue("e");
    await load.answered();
    const revoked = revoke();
    await haveArrived(shop, 2);
    load.open();
    expect(kindsOf(await Promise.all([issued, revoked]))).toEqual(["unauthorized", "done"]);
    await consistent();
  });

  test("during the cold load of a read: it is loaded again, unauthorized", async () => {
    const load = faults.next(answerGate());
    const read = client.read("e");
    await load.answered();
    expect((await revoke()).outcome).toBe("done");
    load.open();
    expect(await read).toMatchObject({ outcome: "unauthorized", d1Trips: 2 });
  });

  test("while a call waits in the queue: it is unauthorized, the one in its batch is issued", async () => {
    await client.issue("warm");
    const stub = ledgerStub(shop);
    const bound = clientOf(shop, callsOf(stub));
    const batch = faults.next(gate());
    const first = bound.issue("a");
    await batch.reached();
    const second = bound.issue("b");
    await haveArrived(shop, 2);
    const revoked = stub.act(shop.connectionId, "owner", { verb: "revoke_key", hash: hashOfKey(shop.key) });
    await haveArrived(shop, 3);
    batch.open();
    expect(kindsOf(await Promise.all([first, second, revoked]))).toEqual(["issued", "unauthorized", "done"]);
    await consistent();
  });

  test("it stops counting at once, before D1 has it, at no cost", async () => {
    await client.issue("warm");
    const write = faults.next(gate());
    const revoked = revoke();
    await write.reached();
    faults.take();
    expect(await client.issue("e")).toEqual({ outcome: "unauthorized", d1Trips: 0 });
    expect(await client.read("warm")).toEqual({ outcome: "unauthorized", d1Trips: 0 });
    write.open();
    expect((await revoked).outcome).toBe("done");
    expect((await client.issue("e")).outcome).toBe("unauthorized");
  });

  test("with D1 down it fails: 503, and the key is valid, as in D1", async () => {
    await client.issue("warm");
    faults.next(failBefore(), { times: 2 });
    expect((await revoke()).outcome).toBe("unavailable");
    expect((await client.read("warm")).outcome).toBe("found");
    expect((await client.issue("e")).outcome).toBe("issued");
    await consistent();
  });
});

describe("a key is opened", () => {
  test("during the cold load of a read with it: it is loaded again, and admitted", async () => {
    const key = "ck_live_second";
    const load = faults.next(answerGate());
    const read = clientOf({ ...shop, key }).read("e");
    await load.answered();
    await ledgerStub(shop).act(shop.connectionId, "owner", {
      verb: "open_key",
      id: "ky000second",
      hash: hashOfKey(key),
    });
    load.open();
    expect(await read).toMatchObject({ outcome: "unknown", d1Trips: 2 });
  });

  test("and the answer is lost: it is closed, written once more, and counts", async () => {
    const key = "ck_live_second";
    await client.issue("warm");
    faults.next(loseAnswer());
    const opened = await act(shop, { verb: "open_key", id: "ky000second", hash: hashOfKey(key) });
    expect(opened.outcome).toBe("done");
    expect((await clientOf({ ...shop, key }).issue("e")).outcome).toBe("issued");
    await consistent();
  });
});
