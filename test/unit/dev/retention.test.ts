/** `npm run retention`: what it takes, and what it prints before anything leaves. */
import { describe, expect, test } from "vitest";
import type { YearPlan } from "../../../src/db/retention/retention-plan.ts";
import { type Obstacle, obstaclesOf } from "../../../src/domain/retention/keeping.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { HELP, readRetentionOptions } from "../../../src/ops/retention.ts";
import { begunReport, planReport } from "../../../src/ops/retention-report.ts";

const ACCOUNT = "ac0010123456789abcdef";
const ASKED = ["--account", ACCOUNT, "--year", "2019"];
const SIGNED = ["--confirm", "B70000009-2019", "--operator", "Marta", "--reason", "ticket 7"];

describe("options", () => {
  test("without --confirm it only looks", () => {
    expect(readRetentionOptions(ASKED, { STATE_DIR: "/state" })).toEqual({
      ...{ help: false, accountId: ACCOUNT, year: 2019 },
      target: { stateDir: "/state" },
    });
  });

  test("with it, a person has signed", () => {
    expect(readRetentionOptions([...ASKED, ...SIGNED, "--remote", "--env", "production"], {})).toEqual({
      ...{ help: false, accountId: ACCOUNT, year: 2019 },
      target: { wranglerFlags: ["--remote", "--env", "production"] },
      order: { confirmed: "B70000009-2019", operator: "Marta", reason: "ticket 7" },
    });
  });

  test("--help needs nothing else", () => {
    expect(readRetentionOptions(["--help"], {})).toEqual({ help: true });
    expect(HELP).toContain("--confirm");
  });

  test.each([
    ["no account", ["--year", "2019"]],
    ["an id of another kind", ["--account", "cn0010123456789abcdef", "--year", "2019"]],
    ["no year", ["--account", ACCOUNT]],
    ["a year that is none", ["--account", ACCOUNT, "--year", "19"]],
    ["a year of another century", ["--account", ACCOUNT, "--year", "1999"]],
    ["without a signer", [...ASKED, "--confirm", "B70000009-2019", "--reason", "ticket 7"]],
    ["no reason", [...ASKED, "--confirm", "B70000009-2019", "--operator", "Marta", "--reason", " "]],
    ["both places", [...ASKED, "--local", "x", "--remote"]],
    ["an unknown option", [...ASKED, "--force"]],
  ])("refused: %s", (_, args) => {
    expect(() => readRetentionOptions(args, {})).toThrow(/npm run retention|is not the id of an account/);
  });
});

const PLAN: YearPlan = {
  accountId: ACCOUNT,
  year: 2019,
  legalName: "Tienda SL",
  nif: "B70000009",
  isFrozen: false,
  isBlockedByAnotherYear: false,
  earliestYear: 2019,
  hasOneStopShop: false,
  chains: [
    {
      ...{ installationId: "is1", installationNumber: "N1", cut: 1200, records: 1200 },
      ...{ isUnsubmitted: false, isUnentered: false },
    },
  ],
  counts: { invoices: 1150, records: 1200, attempts: 14, auditLines: 9, corrected: 3 },
};

describe("what would leave", () => {
  const report = planReport(PLAN, []);

  test("is counted, and where the chain begins then", () => {
    expect(report).toContain("2019 of Tienda SL (B70000009), account ac0010123456789abcdef");
    expect(report).toMatch(/^ +1,150 {2}invoices, /m);
    expect(report).toContain("Installation N1 begins behind position 1200 then.");
    expect(report).toContain("3 of its invoices were corrected in later years");
  });

  test("the command to begin is printed only where nothing prevents it", () => {
    expect(report).toContain("--confirm B70000009-2019 --operator NAME --reason TEXT");
    expect(planReport(PLAN, [{ code: "frozen" }])).not.toContain("--confirm");
    expect(begunReport(PLAN)).toContain("npm run verify");
  });

  test("a begun run is reported instead", () => {
    const left = { invoices: 10, records: 5, orders: 1, attempts: 0, auditLines: 0 };
    const run = { begunBy: "Marta", begunAt: 0, reason: "ticket 7", left };
    const begun = planReport({ ...PLAN, run }, []);
    expect(begun).toContain("Begun by Marta at 1970-01-01T00:00:00.000Z: ticket 7");
    expect(begun).toContain("It is being worked off.");
    expect(planReport({ ...PLAN, run: { ...run, endedAt: 1000 } }, [])).toContain(
      "Ended at 1970-01-01T00:00:01",
    );
  });
});

const TODAY = civilDate("2026-11-28");

test.each<[string, Partial<YearPlan>, readonly Obstacle["code"][], RegExp]>([
  ["a frozen account", { isFrozen: true }, ["frozen"], /is frozen/],
  [
    "a year too young",
    { year: 2020, earliestYear: 2020 },
    ["too_young"],
    /kept until 2026-12-31 .*article 30/,
  ],
  ["the one-stop shop", { hasOneStopShop: true }, ["one_stop_shop"], /kept until 2029-12-31 .*article 369/],
  ["another year that leaves", { isBlockedByAnotherYear: true }, ["behind_another"], /in their order/],
  ["an earlier year", { earliestYear: 2018 }, ["earlier_year"], /invoices of 2018/],
  [
    "records on their way",
    { chains: PLAN.chains.map((chain) => ({ ...chain, isUnsubmitted: true, isUnentered: true })) },
    ["unsubmitted", "not_entered"],
    /N1 has records that the AEAT has not decided on/,
  ],
  [
    "a run that has ended",
    {
      isFrozen: true,
      run: { begunBy: "M", begunAt: 0, reason: "r", endedAt: 0, left: { ...PLAN.counts, orders: 0 } },
    },
    ["ended"],
    /Ended at/,
  ],
])("%s prevents it", (_, change, codes, words) => {
  const plan = { ...PLAN, ...change };
  const obstacles = obstaclesOf(plan, TODAY);
  expect(obstacles.map(({ code }) => code)).toEqual(codes);
  expect(planReport(plan, obstacles)).toMatch(words);
});
