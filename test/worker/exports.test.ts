/** Exports at the object: streamed, bounded by days, recorded in the log, and of no other books. */
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import type { CivilDate } from "../../src/domain/shared/civil-date.ts";
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import { ProofReads } from "../../src/ledger/core/proof-reads.ts";
import type { ExportOutcome, ExportQuery, LedgerCalls } from "../../src/ledger/rpc.ts";
import { proofDeps } from "../../src/wiring.ts";
import { failBefore } from "../support/faults/fault-kinds.ts";
import { faults, type Trip } from "../support/faults/faults.ts";
import { wrapD1 } from "../support/faults/wrapped-d1.ts";
import { parseCsv } from "../support/rules/csv.ts";
import { apiOver } from "../support/worlds/deployment.ts";
import { sealMore } from "../support/worlds/filled-books.ts";
import { clientOf, SIMPLIFIED } from "../support/worlds/ledger-client.ts";
import { auditOf, MARTA } from "../support/worlds/owners.ts";
import { tamper } from "../support/worlds/past-the-product.ts";
import { ledgerStub, openShop, type Shop } from "../support/worlds/shop.ts";

type Exporting = Pick<LedgerCalls, "exportRecords" | "exportInvoices">;
type Days = { readonly from?: CivilDate; readonly to?: CivilDate };

/** The object's own methods. */
function atObject(shop: Shop): Exporting {
  // The stub's types describe pipelining, which no test uses.
  return ledgerStub(shop) as unknown as Exporting;
}

/** The same, outside of any object and on a database that is watched. */
function proofOf({ connectionId }: Shop): ProofReads {
  const place = { connectionId, ledger: "000" };
  const deps = proofDeps(apiOver(env), wrapD1("LEDGER_000", env.LEDGER_000), place);
  return new ProofReads({ ...deps, jitter: async () => {}, alertOperator: () => {} });
}

function askedBy(shop: Shop, days: Days = {}): ExportQuery {
  return { accountId: shop.accountId, userId: MARTA, ...days };
}

function bytesOf(outcome: ExportOutcome): ReadableStream<Uint8Array> {
  if (outcome.outcome !== "exported") throw new Error(outcome.outcome);
  return outcome.bytes;
}

const textOf = async (outcome: ExportOutcome) => new Response(bytesOf(outcome)).text();

async function recordsOf(shop: Shop, days?: Days): Promise<string> {
  return textOf(await atObject(shop).exportRecords(shop.connectionId, askedBy(shop, days)));
}

/** Without the headings, which come after the byte order mark. */
async function invoicesOf(shop: Shop, days?: Days): Promise<string[][]> {
  const outcome = await atObject(shop).exportInvoices(shop.connectionId, askedBy(shop, days));
  const bytes = new Uint8Array(await new Response(bytesOf(outcome)).arrayBuffer());
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const [headings, ...lines] = parseCsv(new TextDecoder().decode(bytes));
  expect(headings?.[0]).toBe("Serie");
  return lines;
}

const numbersIn = (xml: string) => [...xml.matchAll(/<Posicion>(\d+)</g)].map(([, place]) => Number(place));

async function aShopWithBooks(): Promise<Shop> {
  const shop = await openShop();
  const client = clientOf(shop);
  for (const externalId of ["a1", "a2"]) await client.issue(externalId);
  await client.cancel("a2");
  for (const externalId of ["t1", "t2", "t3"]) await client.issue(externalId, SIMPLIFIED);
  return shop;
}

/** The books as if that ticket and everything after it were of the next year. */
async function fromNextYear(shop: Shop, position: number): Promise<void> {
  const own = `connection_id = '${shop.connectionId}'`;
  await tamper(
    `UPDATE invoice SET issue_date = '2027-01-02' WHERE ${own} AND id IN
      (SELECT invoice_id FROM record WHERE ${own} AND position >= ${position})`,
    `UPDATE record SET content = json_set(content, '$.generatedAt', '2027-01-02T10:00:00+01:00')
      WHERE ${own} AND position >= ${position}`,
  );
}

test("records: all of the chain in its order, in one whole document", async () => {
  const xml = await recordsOf(await aShopWithBooks());
  expect(numbersIn(xml)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(xml).toMatch(/^<\?xml .*<RegistrosFacturacion .*<\/RegistrosFacturacion>\n$/s);
  expect(xml.match(/<sf:RegistroAnulacion>/g)).toHaveLength(1);
  expect(xml.match(/<Estado>PendienteDeEnvio</g)).toHaveLength(6);
});

test("invoices: series after series, and what the authority says of each", async () => {
  const shop = await aShopWithBooks();
  const said =
    "UPDATE record SET state = ?, standing = ?, changed_seq = 1 WHERE connection_id = ? AND position = ?";
  const say = (state: string, standing: object, position: number) =>
    env.LEDGER_000.prepare(said).bind(state, JSON.stringify(standing), shop.connectionId, position);
  await env.LEDGER_000.batch([
    say("accepted", {}, 1),
    say("rejected", { code: 3002, text: "No existe" }, 3),
    say("accepted_with_errors", { code: 2001 }, 4),
  ]);
  const lines = await invoicesOf(shop);
  expect(lines.map((cells) => [cells[2], ...cells.slice(31, 36)])).toEqual([
    ["API-1-2026-000001", "Aceptada", "", "No", "", ""],
    ["API-1-2026-000002", "Pendiente de envío", "", "Sí", "Rechazada", "3002"],
    ["API-1S-2026-000001", "Aceptada con errores", "2001", "No", "", ""],
    ["API-1S-2026-000002", "Pendiente de envío", "", "No", "", ""],
    ["API-1S-2026-000003", "Pendiente de envío", "", "No", "", ""],
  ]);
});

test("the newest amendment gives the state of its invoice", async () => {
  const shop = await aShopWithBooks();
  const own = `connection_id = '${shop.connectionId}'`;
  await env.LEDGER_000.prepare(
    `INSERT INTO record SELECT installation_id, 7, connection_id, account_id, 'amend:' || invoice_id || ':1',
      invoice_id, 'ALTA', (SELECT hash FROM record WHERE ${own} AND position = 6), '${"F".repeat(64)}', content,
      '', '', 'pending_submission', NULL, NULL FROM record WHERE ${own} AND position = 1`,
  ).run();
  await env.LEDGER_000.prepare(
    `UPDATE record SET state = 'accepted', standing = '{}', changed_seq = 2 WHERE ${own} AND position = 7`,
  ).run();
  expect((await invoicesOf(shop))[0]?.slice(31, 33)).toEqual(["Aceptada", ""]);
});

describe("of some days", () => {
  test.each<[string, Days, number[], string[]]>([
    ["up to the old year", { to: civilDate("2026-12-31") }, [1, 2, 3, 4], ["1", "2", "1"]],
    ["from the new year on", { from: civilDate("2027-01-01") }, [5, 6], ["2", "3"]],
    ["the one day", { from: civilDate("2027-01-02"), to: civilDate("2027-01-02") }, [5, 6], ["2", "3"]],
    ["before all", { to: civilDate("2026-01-01") }, [], []],
    ["after all", { from: civilDate("2027-01-03") }, [], []],
    ["backwards", { from: civilDate("2027-01-02"), to: civilDate("2026-01-01") }, [], []],
    ["all of them", { from: civilDate("2020-01-01"), to: civilDate("2030-01-01") }, [1, 2, 3, 4, 5, 6], []],
  ])("%s", async (_, days, positions, numbers) => {
    const shop = await aShopWithBooks();
    await fromNextYear(shop, 5);
    expect(numbersIn(await recordsOf(shop, days))).toEqual(positions);
    if (numbers.length > 0 || positions.length === 0) {
      expect((await invoicesOf(shop, days)).map((cells) => cells[1])).toEqual(numbers);
    }
  });
});

test("a connection that has issued nothing has an empty export", async () => {
  const shop = await openShop();
  expect(await invoicesOf(shop)).toEqual([]);
  expect(numbersIn(await recordsOf(shop))).toEqual([]);
});

test("the log names the person and the export, before anything is read", async () => {
  const shop = await aShopWithBooks();
  const days = { from: civilDate("2026-01-01") };
  const outcome = await atObject(shop).exportInvoices(shop.connectionId, askedBy(shop, days));
  await bytesOf(outcome).cancel();
  await recordsOf(shop);
  expect(await auditOf(shop)).toEqual([
    { verb: "export_invoices", userId: MARTA, facts: days },
    { verb: "export_records", userId: MARTA, facts: {} },
  ]);
});

test("nothing of another account's connection leaves, and nothing is written", async () => {
  const [shop, other] = [await aShopWithBooks(), await openShop()];
  const asked = { ...askedBy(shop), accountId: other.accountId };
  expect(await atObject(shop).exportRecords(shop.connectionId, asked)).toEqual({ outcome: "unknown" });
  expect(await atObject(shop).exportInvoices(shop.connectionId, asked)).toEqual({ outcome: "unknown" });
  expect(await auditOf(shop)).toEqual([]);
});

test("two connections of an account have exports of their own", async () => {
  const shop = await aShopWithBooks();
  const second = await openShop({ accountId: shop.accountId });
  await clientOf(second).issue("other");
  expect((await invoicesOf(second)).map((cells) => cells[3])).toEqual(["other"]);
  expect(numbersIn(await recordsOf(second))).toEqual([1]);
  expect((await invoicesOf(shop)).map((cells) => cells[3])).toEqual(["a1", "a2", "t1", "t2", "t3"]);
});

test("a frozen account takes its books along", async () => {
  const shop = await aShopWithBooks();
  await env.LEDGER_000.prepare("UPDATE account SET frozen = 1 WHERE id = ?").bind(shop.accountId).run();
  expect(await invoicesOf(shop)).toHaveLength(5);
});

test("names of any kind come through", async () => {
  const shop = await openShop();
  const names = ['=cmd|"/c calc"!A1', "Žluťoučký; kůň", '<b>"Ñ" & Cía</b>', "@SUM(A1)", "a'b"];
  for (const [index, company] of names.entries()) {
    await clientOf(shop).issue(`n${index}`, { ...SIMPLIFIED, recipient: { company } });
  }
  const shown = names.map((name) => (/^[=@]/.test(name) ? `'${name}` : name));
  expect((await invoicesOf(shop)).map((cells) => cells[10])).toEqual(shown);
});

describe("streamed", () => {
  test("nothing is read ahead of the reader, and no page is larger than the others", {
    timeout: 60_000,
  }, async () => {
    const shop = await openShop();
    await clientOf(shop).issue("first", SIMPLIFIED);
    await sealMore(shop, 1_999);
    const outcome = await proofOf(shop).exportInvoices(askedBy(shop));
    faults.take();
    let lines = -1;
    let trips: readonly Trip[] = [];
    const decoder = new TextDecoder();
    for await (const chunk of bytesOf(outcome)) {
      lines += decoder.decode(chunk, { stream: true }).split("\r\n").length - 1;
      trips = faults.trips();
      // The rest of the current page may be on its way, nothing of the next one.
      expect(trips.length).toBeLessThanOrEqual(Math.floor(lines / 250) + 1);
    }
    expect(lines).toBe(2_000);
    expect(trips.length).toBe(8);
    expect(new Set(trips.map(({ rowsRead }) => rowsRead)).size).toBe(1);
  });

  test("a reader that goes away ends the reading", async () => {
    const shop = await openShop();
    await clientOf(shop).issue("first", SIMPLIFIED);
    await sealMore(shop, 999);
    const reader = bytesOf(await proofOf(shop).exportInvoices(askedBy(shop))).getReader();
    await reader.read();
    await reader.read();
    await reader.cancel();
    expect(faults.take().filter(({ sql }) => sql.some((text) => text.includes("octet_length"))).length).toBe(
      1,
    );
  });

  test("a page that got no answer is asked for again", async () => {
    const shop = await aShopWithBooks();
    const outcome = await proofOf(shop).exportRecords(askedBy(shop));
    faults.next(failBefore(), { times: 2 });
    expect(numbersIn(await textOf(outcome))).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test("a database that stays away breaks the stream: it does not end as if whole", async () => {
    const shop = await aShopWithBooks();
    const outcome = await proofOf(shop).exportRecords(askedBy(shop));
    faults.next(failBefore(), { times: 3 });
    await expect(textOf(outcome)).rejects.toThrow("ledger unavailable");
  });

  test("a database that is away at the beginning is an outcome", async () => {
    const shop = await aShopWithBooks();
    faults.next(failBefore(), { times: 3 });
    expect(await proofOf(shop).exportInvoices(askedBy(shop))).toMatchObject({ outcome: "unavailable" });
  });

  test("a document of nearly two megabytes is a page of its own", async () => {
    const shop = await aShopWithBooks();
    const own = `(SELECT id FROM invoice WHERE connection_id = '${shop.connectionId}' AND series = 'API-1S-2026')`;
    await tamper(
      `UPDATE invoice_document SET document = json_set(document, '$.padding', hex(zeroblob(950000)))
        WHERE invoice_id IN ${own}`,
    );
    const outcome = await proofOf(shop).exportInvoices(askedBy(shop));
    faults.take();
    expect(parseCsv(await textOf(outcome))).toHaveLength(6);
    // A page of full invoices, one of two tickets, one of the last: each stops after two megabytes.
    expect(faults.take()).toHaveLength(3);
  });
});

test("no statement scans a table", async () => {
  const shop = await aShopWithBooks();
  const proof = proofOf(shop);
  faults.take();
  const days = { from: civilDate("2026-01-01"), to: civilDate("2026-12-31") };
  await textOf(await proof.exportRecords(askedBy(shop, days)));
  await textOf(await proof.exportInvoices(askedBy(shop, days)));
  await proof.verify({ accountId: shop.accountId });
  const sent = new Set(faults.take().flatMap(({ sql }) => sql));
  expect(sent.size).toBeGreaterThan(8);
  for (const sql of sent) {
    const parameters = Array.from(sql.matchAll(/\?/g), () => null);
    const { results } = await env.LEDGER_000.prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .bind(...parameters)
      .all<{ detail: string }>();
    const scans = results.map(({ detail }) => detail).filter((step) => step.startsWith("SCAN"));
    const ofTables = scans.filter(
      (step) => !/^SCAN (codes|found|page|searched|\(subquery-\d+\)|CONSTANT ROW)/.test(step),
    );
    expect(ofTables, sql).toEqual([]);
  }
});
