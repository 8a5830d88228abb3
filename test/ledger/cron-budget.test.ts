/** Cron's work is bounded, and costs the same per company, with any number of companies per person. */
import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { jobDeps, syncJobDeps } from "../../src/wiring.ts";
import { finishAccounts } from "../../src/work/finish-accounts.ts";
import { syncCompanies } from "../../src/work/sync-companies.ts";
import worker from "../../src/worker.ts";
import { apiOver } from "../support/worlds/deployment.ts";

/** Companies of different people, with openings interrupted after the ledger's write. */
async function halfMade(many: number, people: number): Promise<void> {
  const run = (sql: string) => env.LEDGER_000.prepare(sql).bind(many, people).run();
  const each = "WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ?1)";
  await run(`INSERT INTO account (id, legal_name, nif, address1, postcode, city, time_zone, territory,
      opened_at, opened_by)
    ${each} SELECT 'ac000' || substr('000000000000000' || n, -16), 'SL', 'N' || n, 'C', '28001', 'Madrid',
      'Europe/Madrid', 'peninsula', n, 'person-' || (n % ?2) FROM s`);
  await env.LEDGER_000.prepare(
    "INSERT INTO account_opening (account_id, tried_at) SELECT id, opened_at FROM account",
  ).run();
}

const left = () =>
  env.LEDGER_000.prepare("SELECT count(*) AS many FROM account_opening").first<number>("many");
const listed = () =>
  env.DIRECTORY.prepare("SELECT count(*) AS many FROM account_directory").first<number>("many");

/** Until nothing is left: queries per company, and the most of a run. */
async function workedOff(many: number): Promise<{ perCompany: number; most: number; runs: number }> {
  let [queries, most, runs] = [0, 0, 0];
  while ((await left()) !== 0) {
    const deps = jobDeps(apiOver(env));
    await finishAccounts(deps);
    const { d1_queries: asked } = deps.budget.spent();
    queries += asked;
    most = Math.max(most, asked);
    runs += 1;
    if (runs > many) throw new Error("it does not end");
  }
  return { perCompany: queries / many, most, runs };
}

test.each([
  [10, 1],
  [10, 10],
  [1_000, 1],
  [1_000, 1_000],
])(
  "%i half-made companies of %i people cost the same each, and no run more than its budget",
  async (many, people) => {
    await halfMade(many, people);
    const { perCompany, most, runs } = await workedOff(many);
    expect(most).toBeLessThanOrEqual(200);
    expect(runs).toBeGreaterThanOrEqual(many / 50);
    expect(perCompany).toBeGreaterThan(5);
    expect(perCompany).toBeLessThan(10);
    // No person has more than ten unverified ones: one too many is not tried again either.
    expect(await listed()).toBe(Math.min(many, people * 10));
    const idle = jobDeps(apiOver(env));
    expect(await finishAccounts(idle)).toBe(0);
    // One for each ledger: finished openings are not read again.
    expect(idle.budget.spent().d1_queries).toBe(2);
  },
);

test("one that cannot be listed stops no other", async () => {
  await halfMade(60, 60);
  const { directory, ...deps } = jobDeps(apiOver(env));
  const broken = {
    ...directory,
    listAccount: (account: Parameters<typeof directory.listAccount>[0]) =>
      account.openedAt <= 50 ? Promise.reject(new Error("broken")) : directory.listAccount(account),
  };
  const told: object[] = [];
  for (const _ of Array.from({ length: 8 })) {
    const { budget } = jobDeps(apiOver(env));
    await finishAccounts({ ...deps, budget, directory: broken, log: (line) => told.push(line) });
  }
  expect(await listed()).toBe(10);
  expect(told[0]).toMatchObject({ level: "alarm", alarm: "job_failed", job: "finish_accounts" });
});

/** As an operator's machine leaves them: the directory knows that their NIFs are proven, no ledger does. */
async function verifiedElsewhere(many: number, people: number): Promise<void> {
  await halfMade(many, people);
  await env.LEDGER_000.batch(
    ["DELETE FROM account_opening", "UPDATE account SET verification = 'unverified'"].map((sql) =>
      env.LEDGER_000.prepare(sql),
    ),
  );
  const run = (sql: string) => env.DIRECTORY.prepare(sql).bind(many, people).run();
  const each = "WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ?1)";
  const id = "'ac000' || substr('000000000000000' || n, -16)";
  await run(`INSERT INTO account_directory (account_id, nif, ledger, opened_at, verification, of_several,
      change_seq)
    ${each} SELECT ${id}, 'N' || n, '000', n, 'verified', ?2 < ?1, 1 FROM s`);
  await run(`INSERT INTO account_owner (account_id, owner_id, role)
    ${each} SELECT ${id}, 'person-' || (n % ?2), 'owner' FROM s`);
}

const unheard = () =>
  env.LEDGER_000.prepare(
    "SELECT count(*) AS many FROM account WHERE verification <> 'verified'",
  ).first<number>("many");

test.each([
  [10, 1],
  [10, 10],
  [1_000, 1],
  [1_000, 1_000],
])(
  "%i companies of %i people get their proof at the same cost each, within a budget",
  async (many, people) => {
    await verifiedElsewhere(many, people);
    let [queries, runs] = [0, 0];
    while ((await unheard()) !== 0) {
      const deps = syncJobDeps(apiOver(env));
      await syncCompanies(deps);
      const { d1_queries: asked } = deps.budget.spent();
      expect(asked).toBeLessThanOrEqual(200);
      queries += asked;
      runs += 1;
      if (runs > many) throw new Error("it does not end");
    }
    expect(queries / many).toBeGreaterThan(5);
    expect(queries / many).toBeLessThan(8);
    const idle = syncJobDeps(apiOver(env));
    expect(await syncCompanies(idle)).toBe(0);
    expect(idle.budget.spent().d1_queries).toBe(1);
  },
);

test("a company that cannot get its proof lets the others go first", async () => {
  await verifiedElsewhere(60, 60);
  const told: object[] = [];
  for (const _ of Array.from({ length: 8 })) {
    const { accountsIn, ...deps } = syncJobDeps(apiOver(env));
    await syncCompanies({
      ...deps,
      log: (line) => told.push(line),
      accountsIn: (ledger) => ({
        updateVerification: (heard) =>
          Number(heard.accountId.slice(-16)) <= 50
            ? Promise.reject(new Error("broken"))
            : accountsIn(ledger).updateVerification(heard),
      }),
    });
  }
  expect(await unheard()).toBe(50);
  expect(told[0]).toMatchObject({ level: "alarm", alarm: "job_failed", job: "hear_companies" });
});

test("the sweep is first, and each job logs its use and its rest", async () => {
  const lines = vi.spyOn(console, "log");
  await worker.scheduled(createScheduledController({ cron: "* * * * *" }), env);
  const told = lines.mock.calls.map(([line]) => JSON.parse(String(line)));
  lines.mockRestore();
  const forms = { took_ms: expect.any(Number), d1_queries: expect.any(Number), left: 0 };
  expect(told).toEqual(
    ["sweep", "finish_accounts", "hear_companies", "retire", "fill_entries"].map((job) => ({
      level: "info",
      event: "job_done",
      job,
      ...forms,
    })),
  );
});
