/** Exchange rates: stored in every ledger, kept up by cron, found by the day of a payment. */
import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { rateStore } from "../../src/db/rates/rate-store.ts";
import { type ReferenceRate, targetDaysBetween } from "../../src/domain/exchange/reference-rate.ts";
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import { decimal } from "../../src/domain/shared/decimal.ts";
import { HISTORY_SINCE, importRates } from "../../src/work/rates/import-rates.ts";
import { RATES_CRON } from "../../src/work/rates/update-rates.ts";
import worker from "../../src/worker.ts";
import { dailyXml, historyCsv, type Quotes, rateFor, zipOf } from "../support/builders/ecb.ts";
import { failBefore } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { wrapD1, wrapEnv } from "../support/faults/wrapped-d1.ts";

const store = rateStore(wrapD1("LEDGER_000", env.LEDGER_000));
const LEDGERS = [
  { ledger: "000", ...store },
  { ledger: "001", ...rateStore(env.LEDGER_001) },
];

const aRate = (day: string, currency: string, rate: string): ReferenceRate => ({
  day: civilDate(day),
  currency,
  rate: decimal(rate),
});

async function storedIn(ledger: D1Database): Promise<string[]> {
  const rows = await ledger
    .prepare("SELECT day, currency, rate FROM exchange_rate ORDER BY day, currency")
    .all<{ day: string; currency: string; rate: string }>();
  return rows.results.map(({ day, currency, rate }) => `${day} ${currency} ${rate}`);
}

async function expectBothLedgers(rates: readonly string[]): Promise<void> {
  expect(await storedIn(env.LEDGER_000)).toEqual(rates);
  expect(await storedIn(env.LEDGER_001)).toEqual(rates);
}

/** As many as three years have. */
function manyRates(): ReferenceRate[] {
  const days = targetDaysBetween(HISTORY_SINCE, civilDate("2026-12-31"));
  const codes = Array.from(
    { length: 30 },
    (_, index) => `A${String.fromCharCode(65 + (index % 26))}${index}`,
  );
  return days.flatMap((day) => codes.map((currency) => ({ day, currency, rate: decimal("1.1618") })));
}

describe("the store", () => {
  const USD = aRate("2026-03-05", "USD", "1.1618");
  const JPY = aRate("2026-03-04", "JPY", "183.02");

  test("finds added rates, and nothing in their place", async () => {
    await store.add([USD, JPY]);
    expect(await store.find([USD])).toEqual([USD]);
    expect(await store.find([JPY, USD])).toHaveLength(2);
    const others = [aRate("2026-03-04", "USD", "1"), aRate("2026-03-05", "JPY", "1")];
    expect(await store.find(others)).toEqual([]);
  });

  test("adds a rate once", async () => {
    expect(await store.add([USD, JPY])).toEqual({ added: 2, conflicts: [] });
    faults.take();
    expect(await store.add([USD, JPY])).toEqual({ added: 0, conflicts: [] });
    expect(faults.trips().map((trip) => trip.rowsWritten)).toEqual([0]);
  });

  test("keeps the first value, and reports the other one", async () => {
    await store.add([USD]);
    const added = await store.add([{ ...USD, rate: decimal("1.1619") }, JPY]);
    expect(added).toEqual({
      added: 1,
      conflicts: [{ day: "2026-03-05", currency: "USD", stored: "1.1618", offered: "1.1619" }],
    });
    expect(await storedIn(env.LEDGER_000)).toEqual(["2026-03-04 JPY 183.02", "2026-03-05 USD 1.1618"]);
  });

  test("knows the days of which it has nothing", async () => {
    await store.add([USD]);
    const days = ["2026-03-04", "2026-03-05", "2026-03-06"].map(civilDate);
    expect(await store.daysWithout(days)).toEqual(["2026-03-04", "2026-03-06"]);
  });

  test("three years of rates are one trip, and found by their index", async () => {
    const rates = manyRates();
    faults.take();
    expect(await store.add(rates)).toEqual({ added: rates.length, conflicts: [] });
    expect(await store.find([USD, JPY])).toEqual([]);
    expect(await store.daysWithout([civilDate("2026-03-05")])).toEqual([]);
    const trips = faults.trips();
    expect(trips.map(({ kind }) => kind)).toHaveLength(3);
    expect(trips.slice(1).every(({ rowsRead }) => rowsRead < 10)).toBe(true);
  });
});

describe("an import", () => {
  const at = (instant: string) => () => Date.parse(instant);
  const rows = [aRate("2026-03-05", "USD", "1.1618"), aRate("2026-03-04", "USD", "1.1649")];

  test("brings the rates into every ledger, once", async () => {
    const deps = { ledgers: LEDGERS, now: at("2026-03-05T17:00:00Z") };
    const both = (added: number) => ["000", "001"].map((ledger) => ({ ledger, added, conflicts: [] }));
    expect(await importRates({ rows }, deps)).toMatchObject({ value: { written: both(2), failed: [] } });
    expect(await importRates({ rows }, deps)).toMatchObject({ value: { written: both(0), failed: [] } });
    await expectBothLedgers(["2026-03-04 USD 1.1649", "2026-03-05 USD 1.1618"]);
  });

  test("with a day to come stores nothing", async () => {
    const deps = { ledgers: LEDGERS, now: at("2026-03-04T17:00:00Z") };
    expect(await importRates({ rows }, deps)).toMatchObject({ error: { reason: "day_in_future" } });
    await expectBothLedgers([]);
  });

  test("reaches the other ledger when one is down", async () => {
    faults.next(failBefore(), { binding: "LEDGER_000" });
    const imported = await importRates({ rows }, { ledgers: LEDGERS, now: at("2026-03-05T17:00:00Z") });
    expect(imported).toMatchObject({ value: { written: [{ ledger: "001" }], failed: [{ ledger: "000" }] } });
    expect(await storedIn(env.LEDGER_001)).toHaveLength(2);
  });
});

describe("the rate of a payment", () => {
  beforeEach(async () => {
    const days = ["2026-08-12", "2026-08-13"];
    await store.add(days.map((day, index) => aRate(day, "USD", `1.1${index}`)));
    await store.add([aRate("2026-08-13", "XAF", "655.957")]);
  });

  test.each([
    ["in the morning is that of the day before", "2026-08-13T10:00:00+02:00", "USD", "2026-08-12", "1.1"],
    ["at 16:00 itself, too", "2026-08-13T16:00:00+02:00", "USD", "2026-08-12", "1.1"],
    ["an instant later is the day's own", "2026-08-13T16:00:00.001+02:00", "USD", "2026-08-13", "1.11"],
    ["at 17:00, too", "2026-08-13T17:00:00+02:00", "USD", "2026-08-13", "1.11"],
    [
      "that was quoted although the list has it not",
      "2026-08-13T17:00:00+02:00",
      "XAF",
      "2026-08-13",
      "655.957",
    ],
  ])("%s", async (_, paidAt, currency, day, rate) => {
    const answer = await rateFor({ paidAt: Date.parse(paidAt), currency }, store);
    expect(answer).toEqual({ outcome: "found", day, rate });
  });

  test.each([
    ["is waited for while its day has none", "2026-08-14T17:00:00+02:00", "USD", "2026-08-14", "not_yet"],
    [
      "is waited for while its day lacks the currency",
      "2026-08-13T17:00:00+02:00",
      "JPY",
      "2026-08-13",
      "not_yet",
    ],
    ["never comes for an unquoted currency", "2026-08-13T17:00:00+02:00", "ARS", "2026-08-13", "not_quoted"],
  ])("%s", async (_, paidAt, currency, day, outcome) => {
    const answer = await rateFor({ paidAt: Date.parse(paidAt), currency }, store);
    expect(answer).toEqual({ outcome, day });
  });

  test("is one trip", async () => {
    faults.take();
    await rateFor({ paidAt: Date.parse("2026-08-13T17:00:00+02:00"), currency: "USD" }, store);
    expect(faults.trips()).toHaveLength(1);
  });
});

/** Thursday 2026-03-05, 17:15 in Frankfurt. */
const THURSDAY = "2026-03-05T16:15:00Z";
const HISTORY: Readonly<Record<string, Quotes>> = {
  "2026-03-05": { USD: "1.1618" },
  "2026-03-04": { USD: "1.1649" },
  "2026-03-03": { USD: "1.1606" },
  "2026-03-02": { USD: "1.1698" },
};
const DAILY = dailyXml("2026-03-05", { USD: "1.1618", JPY: "183.03" });
const ADDED_TODAY = ["2026-03-05 JPY 183.03", "2026-03-05 USD 1.1618"];

let asked: string[];
let lines: Record<string, unknown>[];

type Answer = () => Response | Promise<Response>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.setSystemTime(new Date(THURSDAY));
  lines = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => {
    const told: Record<string, unknown> = JSON.parse(line);
    // The budget's test covers the results of each job.
    if (told.event !== "job_done") lines.push(told);
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** The ECB's answer from now on. */
function ecbAnswers(answers: { readonly daily?: Answer; readonly history?: Answer }): void {
  asked = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const name = String(input).split("/").at(-1) ?? "";
    asked.push(name);
    const answer = name === "eurofxref-daily.xml" ? answers.daily : answers.history;
    return answer === undefined ? new Response("not here", { status: 404 }) : await answer();
  });
}

const daily = (text = DAILY) => ({ daily: () => new Response(text) });
const history = (days = HISTORY) => ({ history: async () => new Response(await zipOf(historyCsv(days))) });

async function runCron(cron = RATES_CRON): Promise<void> {
  await worker.scheduled(createScheduledController({ cron }), wrapEnv(env));
}

/** Both ledgers know of every published day up to that one, so that nothing is a gap. */
async function storeDaysUpTo(last: string): Promise<void> {
  const days = targetDaysBetween(HISTORY_SINCE, civilDate(last));
  for (const { add } of LEDGERS)
    await add(days.map((day) => ({ day, currency: "CHF", rate: decimal("0.9") })));
}

const withoutFiller = (rates: readonly string[]) => rates.filter((rate) => !rate.includes(" CHF "));
const added = async (ledger: D1Database) => withoutFiller(await storedIn(ledger));

describe("cron", () => {
  test("brings the day's rates into both ledgers, and writes them once", async () => {
    await storeDaysUpTo("2026-03-04");
    ecbAnswers(daily());
    await runCron();
    expect(await added(env.LEDGER_000)).toEqual(ADDED_TODAY);
    expect(await added(env.LEDGER_001)).toEqual(ADDED_TODAY);
    expect(lines).toEqual(
      ["000", "001"].map((ledger) => ({
        level: "info",
        event: "rates_added",
        file: "daily",
        ledger,
        added: 2,
      })),
    );
    lines = [];
    faults.take();
    await runCron();
    expect(lines).toEqual([]);
    expect(faults.trips().every(({ rowsWritten }) => rowsWritten === 0)).toBe(true);
    expect(asked).toEqual(["eurofxref-daily.xml", "eurofxref-daily.xml"]);
  });

  test("completes a day that came in parts", async () => {
    await storeDaysUpTo("2026-03-04");
    ecbAnswers(daily(dailyXml("2026-03-05", { USD: "1.1618" })));
    await runCron();
    ecbAnswers(daily());
    await runCron();
    expect(await added(env.LEDGER_000)).toEqual(ADDED_TODAY);
  });

  test("fills a gap from the history, and takes nothing else of it", async () => {
    await storeDaysUpTo("2026-03-02");
    ecbAnswers({ ...daily(), ...history() });
    await runCron();
    const filled = ["2026-03-03 USD 1.1606", "2026-03-04 USD 1.1649", ...ADDED_TODAY];
    expect(await added(env.LEDGER_000)).toEqual(filled);
    expect(await added(env.LEDGER_001)).toEqual(filled);
    expect(asked).toEqual(["eurofxref-daily.xml", "eurofxref-hist.zip"]);
    await runCron();
    expect(asked).toHaveLength(3);
  });

  test("fills a gap after the last day", async () => {
    await storeDaysUpTo("2026-03-04");
    await env.LEDGER_001.prepare("DELETE FROM exchange_rate WHERE day = '2026-03-03'").run();
    ecbAnswers({ ...daily(), ...history() });
    await runCron();
    expect(await added(env.LEDGER_001)).toContain("2026-03-03 USD 1.1606");
  });

  test("gives a new ledger its history", async () => {
    const days = targetDaysBetween(HISTORY_SINCE, civilDate("2026-03-05"));
    const whole = Object.fromEntries(days.map((day) => [day, { USD: "1.1" }]));
    await LEDGERS[0]?.add(days.map((day) => aRate(day, "USD", "1.1")));
    ecbAnswers({ ...daily(dailyXml("2026-03-05", { USD: "1.1" })), ...history(whole) });
    await runCron();
    expect(await storedIn(env.LEDGER_001)).toHaveLength(days.length);
    await runCron();
    expect(asked.filter((name) => name.endsWith(".zip"))).toHaveLength(1);
  });

  test("does not wait for a history that does not come", async () => {
    ecbAnswers(daily());
    await runCron();
    await expectBothLedgers(ADDED_TODAY);
    expect(lines.at(-1)).toEqual({
      level: "warning",
      event: "rates_unavailable",
      file: "history",
      reason: "no_answer",
      detail: "status 404",
    });
  });

  test("reports days that the history lacks", async () => {
    await storeDaysUpTo("2026-02-27");
    const { "2026-03-03": _, ...others } = HISTORY;
    ecbAnswers({ ...daily(), ...history(others) });
    await runCron();
    expect(lines.at(-1)).toEqual({
      level: "warning",
      event: "rates_not_published",
      count: 1,
      first: ["2026-03-03"],
    });
  });

  test("follows no change of a rate, and rings", async () => {
    await storeDaysUpTo("2026-03-04");
    await LEDGERS[1]?.add([aRate("2026-03-05", "USD", "1.2")]);
    ecbAnswers(daily());
    await runCron();
    expect(await added(env.LEDGER_001)).toEqual(["2026-03-05 JPY 183.03", "2026-03-05 USD 1.2"]);
    expect(lines).toContainEqual({
      level: "alarm",
      alarm: "rates_conflict",
      file: "daily",
      ledger: "001",
      count: 1,
      first: [{ day: "2026-03-05", currency: "USD", stored: "1.2", offered: "1.1618" }],
    });
  });

  test.each([
    ["within two hours of the publication: no matter", "2026-03-06T17:00:00Z", []],
    ["an instant later: rings", "2026-03-06T17:00:00.001Z", ["rates_late"]],
    ["before the publication: no matter", "2026-03-06T14:00:00Z", []],
  ])("an old file %s", async (_, now, alarms) => {
    await storeDaysUpTo("2026-03-05");
    vi.setSystemTime(new Date(now));
    ecbAnswers(daily());
    await runCron();
    expect(lines.flatMap(({ alarm }) => (alarm === undefined ? [] : [alarm]))).toEqual(alarms);
  });

  test.each(["* * * * *", "", "0 0 * * *"])(
    "of any other expression (%j) asks for no rates",
    async (cron) => {
      ecbAnswers(daily());
      await runCron(cron);
      expect(asked).toEqual([]);
      expect(lines).toEqual([]);
    },
  );
});

describe("a hostile answer stores nothing and throws nothing", () => {
  const elsewhere = { Location: "https://elsewhere.example/eurofxref-daily.xml" };
  const tomorrow = dailyXml("2026-03-06", { USD: "1.1" });
  test.each<[string, Answer, object]>([
    [
      "a redirect",
      () => new Response(null, { status: 302, headers: elsewhere }),
      { reason: "no_answer", detail: "status 302" },
    ],
    ["an error", () => new Response(DAILY, { status: 500 }), { reason: "no_answer", detail: "status 500" }],
    [
      "a page",
      () => new Response("<html></html>", { headers: { "Content-Type": "text/html" } }),
      { reason: "no_answer", detail: "a page" },
    ],
    ["too much", () => new Response(" ".repeat(70_000) + DAILY), { detail: "more than 65536 bytes" }],
    ["no connection", () => Promise.reject(new Error("refused")), { detail: "no connection" }],
    ["half a file", () => new Response(DAILY.slice(0, -60)), { reason: "unreadable" }],
    ["an entity", () => new Response(DAILY.replace("1.1618", "&x;")), { reason: "unreadable" }],
    ["a rate below zero", () => new Response(DAILY.replace("1.1618", "-1")), { reason: "unreadable" }],
    ["a broken archive", () => new Response("PK\u0003\u0004"), { reason: "unreadable" }],
    ["a day to come", () => new Response(tomorrow), { alarm: "rates_refused", day: "2026-03-06" }],
  ])("%s", async (_, answer, told) => {
    ecbAnswers({ daily: answer, ...history() });
    await runCron();
    await expectBothLedgers([]);
    expect(lines).toEqual([expect.objectContaining(told)]);
    expect(asked).toEqual(["eurofxref-daily.xml"]);
  });

  test.each<[string, Answer]>([
    ["a bomb", async () => new Response(await zipOf("0".repeat(5 * 1024 * 1024)))],
    ["a page", () => new Response("<!doctype html>")],
    ["a day to come", async () => new Response(await zipOf(historyCsv({ "2026-03-06": { USD: "1" } })))],
  ])("in place of the history: %s", async (_, answer) => {
    ecbAnswers({ ...daily(), history: answer });
    await runCron();
    await expectBothLedgers(ADDED_TODAY);
    expect(lines.at(-1)).toMatchObject({ file: "history" });
  });

  test("from the real network, of which the tests have none", async () => {
    await runCron();
    await expectBothLedgers([]);
    expect(lines).toEqual([expect.objectContaining({ event: "rates_unavailable", detail: "status 599" })]);
  });
});

describe("a database that is down", () => {
  test("rings, and the other ledger has its rates", async () => {
    await storeDaysUpTo("2026-03-04");
    faults.when((sql) => sql.some((text) => text.includes("insert")), failBefore());
    ecbAnswers(daily());
    await runCron();
    expect(await added(env.LEDGER_000)).toEqual([]);
    expect(await added(env.LEDGER_001)).toEqual(ADDED_TODAY);
    expect(lines).toContainEqual({
      level: "alarm",
      alarm: "rates_not_stored",
      ledger: "000",
      cause: "D1_ERROR: Network connection lost.",
      frames: expect.any(String),
    });
  });

  test("ends no job with an exception", async () => {
    faults.next(failBefore(), { binding: "LEDGER_000" });
    await runCron("* * * * *");
    expect(lines).toEqual([
      {
        level: "alarm",
        alarm: "job_failed",
        job: "sweep",
        ledger: "000",
        cause: "D1_ERROR: Network connection lost.",
        frames: expect.any(String),
      },
    ]);
  });
});
