/** The owner's view of submission: one trip, counted right, of no other connection. */
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import type { ChainStatus } from "../../src/db/submission/submission-status.ts";
import { ProofReads, type ProofReadsDeps } from "../../src/ledger/core/proof-reads.ts";
import type { LedgerCalls } from "../../src/ledger/rpc.ts";
import { proofDeps } from "../../src/wiring.ts";
import { faults } from "../support/faults/faults.ts";
import { wrapD1 } from "../support/faults/wrapped-d1.ts";
import { apiOver } from "../support/worlds/deployment.ts";
import { sealMore } from "../support/worlds/filled-books.ts";
import { clientOf } from "../support/worlds/ledger-client.ts";
import { ledgerStub, openShop, type Shop } from "../support/worlds/shop.ts";

const NOW = Date.parse("2026-11-28T12:00:00+01:00");

function proofOf({ connectionId }: Shop, change: Partial<ProofReadsDeps> = {}): ProofReads {
  const deps = proofDeps(apiOver(env), wrapD1("LEDGER_000", env.LEDGER_000), { connectionId, ledger: "000" });
  return new ProofReads({ ...deps, now: () => NOW, ...change });
}

async function standingOf(shop: Shop, change?: Partial<ProofReadsDeps>) {
  const outcome = await proofOf(shop, change).readSubmission(shop.accountId);
  if (outcome.outcome !== "found") throw new Error(outcome.outcome);
  return outcome.standing;
}

async function chainOf(shop: Shop, change?: Partial<ProofReadsDeps>): Promise<ChainStatus> {
  const [chain, ...more] = (await standingOf(shop, change)).chains;
  if (!chain || more.length > 0) throw new Error("one chain expected");
  return chain;
}

const run = (sql: string, ...values: (string | number | null)[]) =>
  env.LEDGER_000.prepare(sql)
    .bind(...values)
    .run();

async function aShopWith(invoices: number): Promise<Shop> {
  const shop = await openShop();
  for (let n = 1; n <= invoices; n++) await clientOf(shop).issue(`e${n}`);
  return shop;
}

/** The authority's decisions; records without a final state are not among the changes. */
function decide({ connectionId }: Shop, position: number, state: string, standing: object = {}) {
  const seq = state.endsWith("n") || state === "submitted" ? null : position;
  return run(
    "UPDATE record SET state = ?, standing = ?, changed_seq = ? WHERE connection_id = ? AND position = ?",
    ...[state, JSON.stringify(standing), seq, connectionId, position],
  );
}

/** A record that corrects the invoice of another one. */
async function correct({ connectionId }: Shop, of: number, sort: "amend" | "cancel"): Promise<void> {
  await run(
    `INSERT INTO record SELECT installation_id, last.position + 1, connection_id, account_id,
      '${sort}:' || invoice_id || ':' || last.position, invoice_id,
      CASE '${sort}' WHEN 'amend' THEN 'ALTA' ELSE 'ANULACION' END, last.hash,
      printf('%064X', last.position + 1), content, '', '', 'pending_submission', NULL, NULL
    FROM record CROSS JOIN (SELECT position, hash FROM record WHERE connection_id = ?1
      ORDER BY position DESC LIMIT 1) AS last WHERE connection_id = ?1 AND record.position = ?2`,
    ...[connectionId, of],
  );
}

function putChain(shop: Shop, columns: Readonly<Record<string, string | number | null>>) {
  const row = { seq: 1, wait_seconds: 60, due_at: 0, failures: 0, affected_to: 0, ...columns };
  const names = Object.keys(row);
  return run(
    `INSERT INTO chain_submission (installation_id, connection_id, account_id, ${names.join(", ")})
      SELECT id, connection_id, account_id, ${names.map(() => "?").join(", ")} FROM installation
      WHERE connection_id = ?`,
    ...[...Object.values(row), shop.connectionId],
  );
}

function putAttempt(shop: Shop, id: string, startedAt: number, result?: object) {
  return run(
    `INSERT INTO submission_attempt SELECT ?, id, connection_id, account_id, 1, 1, 0, 0, 'sha', ?, ?, NULL,
      NULL, NULL, NULL, NULL FROM installation WHERE connection_id = ?`,
    ...[id, startedAt, startedAt + 150_000, shop.connectionId],
  ).then(() =>
    result
      ? run(
          "UPDATE submission_attempt SET ended_at = ?, result = ?, answer_sha256 = 'answer' WHERE id = ?",
          ...[startedAt + 5, JSON.stringify(result), id],
        )
      : undefined,
  );
}

test("before the first message: everything is unsent, and due at once", async () => {
  const shop = await aShopWith(2);
  const chain = await chainOf(shop);
  expect(chain).toMatchObject({
    environment: "test",
    isClosed: false,
    unsent: 2,
    failures: 0,
    nextAttemptAt: NOW,
    toCorrect: { rejected: 0, acceptedWithErrors: 0 },
  });
  const generated = await env.LEDGER_000.prepare(
    "SELECT content ->> '$.generatedAt' AS at FROM record WHERE connection_id = ? AND position = 1",
  )
    .bind(shop.connectionId)
    .first<string>("at");
  expect(chain.unsentSince).toBe(Date.parse(generated ?? ""));
});

test("a connection that has issued nothing has an empty chain", async () => {
  expect(await chainOf(await openShop())).not.toHaveProperty("nextAttemptAt");
});

test("an incident: since when, how often, when it is tried again", async () => {
  const shop = await aShopWith(3);
  await decide(shop, 1, "accepted");
  await decide(shop, 2, "submitted");
  await putChain(shop, {
    due_at: NOW + 60_000,
    failures: 2,
    affected_to: 3,
    incident_since: 5,
    answered_at: 4,
  });
  expect(await chainOf(shop)).toMatchObject({
    unsent: 2,
    incidentSince: 5,
    failures: 2,
    nextAttemptAt: NOW + 60_000,
    lastAnswerAt: 4,
  });
});

test("an attempt under way is shown instead of the next one", async () => {
  const shop = await aShopWith(1);
  await putChain(shop, {});
  await putAttempt(shop, "open", 7);
  const chain = await chainOf(shop);
  expect(chain.underWay).toEqual({ startedAt: 7, from: 1, to: 1 });
  expect(chain).not.toHaveProperty("nextAttemptAt");
});

test.each([
  ["certificate_refused", true],
  ["message_refused", true],
  ["suspended", false],
])("stopped by %s", async (reason, isTriedAgain) => {
  const shop = await aShopWith(1);
  const stopped = { reason, code: 4102, text: "words of the AEAT", since: 3 };
  await putChain(shop, { stopped: JSON.stringify(stopped), due_at: NOW + 1 });
  const chain = await chainOf(shop);
  expect(chain.stopped).toEqual(stopped);
  expect("nextAttemptAt" in chain).toBe(isTriedAgain);
});

describe("what asks for a correction", () => {
  test.each<[string, string, object, Partial<ChainStatus["toCorrect"]>]>([
    ["a rejected record", "rejected", { code: 1239 }, { rejected: 1 }],
    ["one that another's record stops", "rejected", { code: 3000, hold: "x" }, { rejected: 1 }],
    ["one accepted with errors", "accepted_with_errors", { code: 2001 }, { acceptedWithErrors: 1 }],
    ["not a late one", "accepted_with_errors", { code: 2004 }, {}],
    ["not one of IPSI without regime", "accepted_with_errors", { code: 2009 }, {}],
    ["not one accepted", "accepted", {}, {}],
  ])("%s", async (_, state, standing, expected) => {
    const shop = await aShopWith(2);
    await decide(shop, 1, state, standing);
    expect((await chainOf(shop)).toCorrect).toEqual({ rejected: 0, acceptedWithErrors: 0, ...expected });
  });

  test.each(["amend", "cancel"] as const)("a record that %ss takes its place", async (sort) => {
    const shop = await aShopWith(2);
    await decide(shop, 1, "rejected", { code: 1239 });
    await correct(shop, 1, sort);
    expect((await chainOf(shop)).toCorrect.rejected).toBe(0);
    await decide(shop, 3, "rejected", { code: 1239 });
    expect((await chainOf(shop)).toCorrect.rejected).toBe(1);
    await correct(shop, 1, "cancel");
    expect((await chainOf(shop)).toCorrect.rejected).toBe(0);
  });
});

test("a representation that is missing stops everything, where the way wants one", async () => {
  const shop = await aShopWith(1);
  const wanting = { wantsRepresentation: true };
  expect(await standingOf(shop, wanting)).toMatchObject({ representationPending: true });
  expect(await chainOf(shop, wanting)).not.toHaveProperty("nextAttemptAt");
  expect(await standingOf(shop)).toMatchObject({ representationPending: false });
  await run(
    `INSERT INTO representation VALUES ('rp' || ?1, ?1, 'sha', 'Marta', '2026-11-01', 'owner', 1, NULL)`,
    shop.accountId,
  );
  expect(await standingOf(shop, wanting)).toMatchObject({ representationPending: false });
});

test("it is one trip, and accepted records cost nothing", async () => {
  const shop = await aShopWith(1);
  const read = async () => {
    faults.take();
    await standingOf(shop);
    return faults.take().map(({ rowsRead }) => rowsRead);
  };
  await decide(shop, 1, "accepted");
  const few = await read();
  expect(few).toHaveLength(1);
  await sealMore(shop, 2_000);
  await run(
    "UPDATE record SET state = 'accepted', standing = '{}', changed_seq = 9 WHERE connection_id = ? AND position > 1",
    shop.connectionId,
  );
  expect(await read()).toEqual(few);
});

test("another account's connection is not shown", async () => {
  const [shop, other] = [await aShopWith(1), await openShop()];
  expect(await proofOf(shop).readSubmission(other.accountId)).toEqual({ outcome: "unknown" });
  const { chains } = await standingOf(other);
  expect(chains.map(({ unsent }) => unsent)).toEqual([0]);
});

test("at the object the same", async () => {
  const shop = await aShopWith(2);
  const stub = ledgerStub(shop) as unknown as Pick<LedgerCalls, "readSubmission" | "readAttempts">;
  const outcome = await stub.readSubmission(shop.connectionId, shop.accountId);
  expect(outcome).toMatchObject({ outcome: "found", standing: { timeZone: "Europe/Madrid" } });
});

describe("attempts", () => {
  async function pageOf(shop: Shop, asked: { readonly before?: { startedAt: number; row: number } } = {}) {
    const { installationId } = await chainOf(shop);
    const outcome = await proofOf(shop).readAttempts({ accountId: shop.accountId, installationId, ...asked });
    if (outcome.outcome !== "found") throw new Error(outcome.outcome);
    return outcome;
  }

  test("are listed newest first, each once, with its result", async () => {
    const shop = await aShopWith(1);
    // Several within one millisecond.
    for (let n = 0; n < 120; n++)
      await putAttempt(shop, `a${n}-${shop.connectionId}`, 1_000 + (n >> 2), { n });
    const seen: string[] = [];
    let page = await pageOf(shop);
    for (;;) {
      seen.push(...page.attempts.map(({ result }) => result ?? ""));
      if (!page.next) break;
      page = await pageOf(shop, { before: page.next });
    }
    expect(seen).toEqual(Array.from({ length: 120 }, (_, index) => `{"n":${119 - index}}`));
  });

  test("have the message and the answer", async () => {
    const shop = await aShopWith(1);
    await putAttempt(shop, `one-${shop.connectionId}`, 1_000, { result: "no_answer", cause: "timeout" });
    expect((await pageOf(shop)).attempts).toEqual([
      {
        id: `one-${shop.connectionId}`,
        ...{ from: 1, to: 1, incident: false, resend: false, startedAt: 1_000, endedAt: 1_005 },
        requestSha256: "sha",
        result: '{"result":"no_answer","cause":"timeout"}',
        answerSha256: "answer",
      },
    ]);
  });

  test("of another connection's chain are not listed", async () => {
    const [shop, other] = [await aShopWith(1), await aShopWith(1)];
    await putAttempt(other, `foreign-${other.connectionId}`, 1_000, {});
    const { installationId } = await chainOf(other);
    const asked = { accountId: shop.accountId, installationId };
    expect(await proofOf(shop).readAttempts(asked)).toEqual({ outcome: "found", attempts: [] });
    expect(await proofOf(other).readAttempts(asked)).toEqual({ outcome: "found", attempts: [] });
  });
});

test("no statement scans a table", async () => {
  const shop = await aShopWith(1);
  faults.take();
  const { installationId } = await chainOf(shop);
  const before = { startedAt: 1, row: 1 };
  await proofOf(shop).readAttempts({ accountId: shop.accountId, installationId, before });
  for (const sql of faults.take().flatMap((trip) => trip.sql)) {
    const parameters = Array.from(sql.matchAll(/\?/g), () => null);
    const { results } = await env.LEDGER_000.prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .bind(...parameters)
      .all<{ detail: string }>();
    expect(
      results.filter(({ detail }) => detail.startsWith("SCAN")),
      sql,
    ).toEqual([]);
  }
});
