/** Every way in which books can break is found, where it is first, however many records there are. */
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import type { ChainToWalk, SeriesToWalk } from "../../src/db/books/proof-reads.ts";
import { proofStore } from "../../src/db/books/proof-store.ts";
import { brokenChecks } from "../../src/domain/proof/checks.ts";
import type { RegistrationContent } from "../../src/domain/verifactu/record.ts";
import { seal } from "../../src/domain/verifactu/record-hash.ts";
import type { LedgerCalls } from "../../src/ledger/rpc.ts";
import {
  beginVerification,
  isDone,
  type Verification,
  verifyPage,
} from "../../src/work/books/verify-books.ts";
import { faults } from "../support/faults/faults.ts";
import { wrapD1 } from "../support/faults/wrapped-d1.ts";
import { sealMore } from "../support/worlds/filled-books.ts";
import { clientOf, SIMPLIFIED } from "../support/worlds/ledger-client.ts";
import { tamper } from "../support/worlds/past-the-product.ts";
import { act, aLine, ledgerStub, openShop, type Shop } from "../support/worlds/shop.ts";

/** Three full invoices, one of them cancelled, a correction, and three tickets: eight records, three series. */
async function aShopWithBooks(): Promise<Shop> {
  const shop = await openShop();
  const client = clientOf(shop);
  for (const externalId of ["a1", "a2", "a3"]) await client.issue(externalId);
  await client.cancel("a2");
  await client.takeBack("b1", "a1", "10");
  for (const externalId of ["t1", "t2", "t3"]) await client.issue(externalId, SIMPLIFIED);
  return shop;
}

async function verify({ connectionId }: Shop, onPage = (_: Verification) => {}): Promise<Verification> {
  const store = proofStore(wrapD1("LEDGER_000", env.LEDGER_000), connectionId);
  const books = await store.readBooks();
  if (!books) throw new Error("no books");
  let verified = beginVerification(books);
  while (!isDone(verified)) {
    verified = await verifyPage(verified, store);
    onPage(verified);
  }
  return verified;
}

const brokenIn = ({ tally }: Verification) =>
  Object.fromEntries(brokenChecks(tally).map((check) => [check, placeOf(tally[check].first)]));

function placeOf(place: object | undefined): string {
  return place && "position" in place
    ? `record ${place.position}`
    : `number ${(place as { number: number }).number}`;
}

test("whole books hold, and it is said how much was checked", async () => {
  const { tally, chains, series } = await verify(await aShopWithBooks());
  expect(brokenChecks(tally)).toEqual([]);
  expect(chains.map(({ last }) => last)).toEqual([8]);
  expect(series.map(({ code, last }) => `${code}: ${last}`)).toEqual([
    "API-1-2026: 3",
    "API-1R-2026: 1",
    "API-1S-2026: 3",
  ]);
  expect(Object.values(tally).map(({ checked }) => checked)).toEqual([
    ...[8, 8, 8, 8, 8, 8, 8, 8, 8, 1],
    ...[7, 7, 7, 7, 7, 7],
  ]);
});

test("a connection that has issued nothing holds", async () => {
  const { tally } = await verify(await openShop());
  expect(Object.values(tally).every(({ checked, broken }) => checked === 0 && broken === 0)).toBe(true);
});

const of = (shop: Shop, position: number) =>
  `connection_id = '${shop.connectionId}' AND position = ${position}`;
const invoiceOf = (shop: Shop, externalId: string) =>
  `(SELECT id FROM invoice WHERE connection_id = '${shop.connectionId}' AND origin = 'direct:${externalId}')`;

type Tampering = (shop: Shop) => readonly string[] | Promise<readonly string[]>;

describe("tampering is found", () => {
  test.each<[string, Tampering, Readonly<Record<string, string>>]>([
    [
      "a hash",
      (shop) => [`UPDATE record SET hash = '${"0".repeat(64)}' WHERE ${of(shop, 3)}`],
      { hash: "record 3", link: "record 4" },
    ],
    [
      "an amount among the literals",
      (shop) => [`UPDATE record SET content = json_set(content, '$.total', '1.00') WHERE ${of(shop, 1)}`],
      { hash: "record 1", literals: "number 1" },
    ],
    [
      "a literal that is not hashed",
      (shop) => [
        `UPDATE record SET content = json_set(content, '$.breakdown[0].base', '1.00') WHERE ${of(shop, 3)}`,
      ],
      { literals: "number 3" },
    ],
    [
      "unreadable literals",
      (shop) => [`UPDATE record SET content = '{"kind":"ALTA"' WHERE ${of(shop, 2)}`],
      { content: "record 2", correction: "record 4", registration: "number 2", literals: "number 2" },
    ],
    [
      "literals exchanged between two records",
      (shop) => {
        const other = (position: number) => `(SELECT content FROM record WHERE ${of(shop, position)})`;
        return [
          `CREATE TABLE swapped AS SELECT ${other(6)} AS six, ${other(7)} AS seven`,
          `UPDATE record SET content = (SELECT seven FROM swapped) WHERE ${of(shop, 6)}`,
          `UPDATE record SET content = (SELECT six FROM swapped) WHERE ${of(shop, 7)}`,
          "DROP TABLE swapped",
        ];
      },
      {
        ...{ link: "record 6", hash: "record 6", row: "record 6", invoice: "record 6" },
        literals: "number 1",
      },
    ],
    [
      "a record sealed anew with another amount",
      async (shop) => {
        const row = await env.LEDGER_000.prepare(
          `SELECT content FROM record WHERE ${of(shop, 1)}`,
        ).first<string>("content");
        const content: RegistrationContent = { ...JSON.parse(row ?? ""), total: "1.00" };
        const { hash } = seal(content, 1);
        return [
          `UPDATE record SET content = '${JSON.stringify(content)}', hash = '${hash}' WHERE ${of(shop, 1)}`,
        ];
      },
      { link: "record 2", literals: "number 1" },
    ],
    [
      "a missing record",
      (shop) => [`DELETE FROM record WHERE ${of(shop, 6)}`],
      { position: "record 6", link: "record 6", registration: "number 1" },
    ],
    [
      "a missing last record",
      (shop) => [`DELETE FROM record WHERE ${of(shop, 8)}`],
      { registration: "number 3" },
    ],
    [
      "the columns next to the literals",
      (shop) => [`UPDATE record SET previous_hash = '${"0".repeat(64)}' WHERE ${of(shop, 5)}`],
      { row: "record 5" },
    ],
    [
      "a missing invoice with its record present",
      (shop) => [
        `DELETE FROM invoice_document WHERE invoice_id = ${invoiceOf(shop, "t2")}`,
        `DELETE FROM invoice WHERE id = ${invoiceOf(shop, "t2")}`,
      ],
      { invoice: "record 7", number: "number 2" },
    ],
    [
      "a number given twice over",
      (shop) => [
        `UPDATE invoice SET number = 7, full_number = 'API-1S-2026-000007'
          WHERE id = ${invoiceOf(shop, "t3")}`,
      ],
      { invoice: "record 8", number: "number 3", literals: "number 3" },
    ],
    [
      "a date before that of the number before",
      (shop) => [`UPDATE invoice SET issue_date = '2020-01-01' WHERE id = ${invoiceOf(shop, "t2")}`],
      { invoice: "record 7", date: "number 2", literals: "number 2" },
    ],
    [
      "a document",
      (shop) => [
        `UPDATE invoice_document SET document = json_set(document, '$.request.description', 'x')
          WHERE invoice_id = ${invoiceOf(shop, "a3")}`,
      ],
      { document: "number 3" },
    ],
    [
      "a document's hash",
      (shop) => [`UPDATE invoice SET document_sha256 = '' WHERE id = ${invoiceOf(shop, "a3")}`],
      { document: "number 3" },
    ],
    [
      "a missing document",
      (shop) => [`DELETE FROM invoice_document WHERE invoice_id = ${invoiceOf(shop, "a3")}`],
      { document: "number 3" },
    ],
    [
      "a record moved to another invoice",
      (shop) => [`UPDATE record SET invoice_id = ${invoiceOf(shop, "a1")} WHERE ${of(shop, 3)}`],
      { invoice: "record 3", registration: "number 3" },
    ],
    [
      "an invoice moved to another connection",
      (shop) => [
        `INSERT INTO connection (id, account_id, ordinal, kind, name, rate_limit, opened_at)
          SELECT id || 'x', account_id, ordinal + 50, kind, name, rate_limit, opened_at FROM connection
          WHERE id = '${shop.connectionId}'`,
        `UPDATE invoice SET connection_id = '${shop.connectionId}x' WHERE id = ${invoiceOf(shop, "a3")}`,
      ],
      { invoice: "record 3", series: "number 3", registration: "number 3" },
    ],
  ])("%s", async (_, tampering, expected) => {
    const shop = await aShopWithBooks();
    await tamper(...(await tampering(shop)));
    expect(brokenIn(await verify(shop))).toEqual(expected);
  });

  test("the records that come after a walk has begun are left to the next one", async () => {
    const shop = await aShopWithBooks();
    const store = proofStore(env.LEDGER_000, shop.connectionId);
    const books = await store.readBooks();
    if (!books) throw new Error("no books");
    await clientOf(shop).issue("later");
    let verified = beginVerification(books);
    while (!isDone(verified)) verified = await verifyPage(verified, store);
    expect(verified.tally.hash).toEqual({ checked: 8, broken: 0 });
  });

  test("the last record, removed during the verification", async () => {
    const shop = await aShopWithBooks();
    const store = proofStore(env.LEDGER_000, shop.connectionId);
    const books = await store.readBooks();
    if (!books) throw new Error("no books");
    await tamper(`DELETE FROM record WHERE ${of(shop, 8)}`);
    let verified = beginVerification(books);
    while (!isDone(verified)) verified = await verifyPage(verified, store);
    expect(brokenIn(verified)).toEqual({ position: "record 8", registration: "number 3" });
  });
});

test("10,000 records take pages of one size, and the memory does not grow", {
  timeout: 120_000,
}, async () => {
  const shop = await openShop();
  await clientOf(shop).issue("first", { ...SIMPLIFIED, lines: [aLine("1", "10", "21")] });
  await sealMore(shop, 9_999);
  faults.take();
  const sizes = new Set<number>();
  const verified = await verify(shop, (page) => sizes.add(Math.ceil(JSON.stringify(page).length / 500)));
  expect(brokenChecks(verified.tally)).toEqual([]);
  expect(verified.tally.hash.checked).toBe(10_000);
  expect(verified.tally.document.checked).toBe(10_000);
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(2);
  // The first trip reads the books; 20 pages of records, 40 of invoices.
  const [, ...pages] = faults.take().map(({ rowsRead }) => rowsRead);
  expect(pages.length).toBe(60);
  expect([new Set(pages.slice(0, 20)).size, new Set(pages.slice(20)).size]).toEqual([1, 1]);
});

type Verifying = Pick<LedgerCalls, "verifyBooks">;

async function verifyAt(shop: Shop, accountId: string) {
  const stub = ledgerStub(shop) as unknown as Verifying;
  return stub.verifyBooks(shop.connectionId, { accountId });
}

describe("at the object", () => {
  test("an owner's verification continues where it stopped", async () => {
    const shop = await aShopWithBooks();
    const stub = ledgerStub(shop) as unknown as Verifying;
    const first = await stub.verifyBooks(shop.connectionId, { accountId: shop.accountId });
    if (first.outcome !== "verified") throw new Error(first.outcome);
    expect(first.isDone).toBe(true);
    const { chains, series } = first.verified;
    const begun = { ...first.verified, at: { walk: "series", index: 1 } } as const;
    const again = await stub.verifyBooks(shop.connectionId, { accountId: shop.accountId, from: begun });
    expect(again).toMatchObject({ outcome: "verified", isDone: true, verified: { chains, series } });
  });

  test("no one verifies the books of another account", async () => {
    const [shop, other] = [await aShopWithBooks(), await openShop()];
    expect(await verifyAt(shop, other.accountId)).toEqual({ outcome: "unknown" });
  });

  test("what comes back in walks through no other connection", async () => {
    const [shop, other] = [await aShopWithBooks(), await aShopWithBooks()];
    const books = await proofStore(env.LEDGER_000, other.connectionId).readBooks();
    if (!books) throw new Error("no books");
    const stub = ledgerStub(shop) as unknown as Verifying;
    const asked = { accountId: shop.accountId, from: beginVerification(books) };
    const outcome = await stub.verifyBooks(shop.connectionId, asked);
    if (outcome.outcome !== "verified") throw new Error(outcome.outcome);
    expect(outcome.verified.tally.content.checked).toBe(0);
    const own: readonly (ChainToWalk | SeriesToWalk)[] = [
      ...outcome.verified.chains,
      ...outcome.verified.series,
    ];
    expect(new Set(own.map(({ connectionId }) => connectionId))).toEqual(new Set([shop.connectionId]));
  });

  test("a frozen account is verified like any other", async () => {
    const shop = await aShopWithBooks();
    await env.LEDGER_000.prepare("UPDATE account SET frozen = 1 WHERE id = ?").bind(shop.accountId).run();
    expect(await verifyAt(shop, shop.accountId)).toMatchObject({ outcome: "verified", isDone: true });
  });

  test("a second chain is walked from its own first record", async () => {
    const shop = await aShopWithBooks();
    const closed = "UPDATE installation SET closed_at = 1 WHERE connection_id = ?";
    await env.LEDGER_000.prepare(closed).bind(shop.connectionId).run();
    await env.LEDGER_000.prepare(
      `INSERT INTO installation SELECT 'is000second' || substr(id, 12), account_id, connection_id, 2,
        number || '-2', environment, 2, NULL, 0 FROM installation WHERE connection_id = ?`,
    )
      .bind(shop.connectionId)
      .run();
    // Memory of the settings is dropped with a change.
    await act(shop, { verb: "switch_customer_access", enabled: false });
    await clientOf(shop).issue("second-chain");
    const { tally, chains } = await verify(shop);
    expect(chains.map(({ last }) => last)).toEqual([8, 1]);
    expect(brokenChecks(tally)).toEqual([]);
  });
});
