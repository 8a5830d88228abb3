/** Some histories of `npm run prove:simulate`: every kind of step and of fault comes, and all of them hold. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AUTHORITY_FAULTS } from "../simulate/authority.ts";
import { CONSOLE_STEPS } from "../simulate/console-steps.ts";
import { addTo, type Figures } from "../simulate/figures.ts";
import { describe as describeProblem, runHistory } from "../simulate/history.ts";
import { MAIL_FAULTS } from "../simulate/mail-service.ts";
import { MAIL_STEPS } from "../simulate/mail-steps.ts";
import { MUTATIONS } from "../simulate/mutations.ts";
import { NATIVE_STEPS } from "../simulate/native-acts.ts";
import { SHOP_FAULTS } from "../simulate/native-shop.ts";
import { TRIP_FAULTS } from "../simulate/network.ts";
import { REPOSITORY } from "../support/rules/sources.ts";

/** Five that found a fault (56, 584, 102259, 105611, 132507), and those with the rarest kinds and with acts in the console. */
const CHOSEN = [56, 57, 67, 94, 98, 115, 136, 168, 255, 584, 102_259, 105_611, 132_507];
const SEEDS = [...Array.from({ length: 50 }, (_, index) => index + 1), ...CHOSEN];

const STEPS = [
  ...["issue", "take back", "replace", "cancel", "preview", "read", "correct", "owner rectifies", "together"],
  ...["order", "order preview", "orders together", "answer", "decide again", "read order", "view", "report"],
  ...[
    "consent",
    "withdraw",
    "cutoff",
    "webhook",
    "callback",
    "no callback",
    "second thoughts",
    "second key",
    "revoke key",
    "access",
    "company",
  ],
  ...["kill", "deploy", "outage", "authority down"],
  ...NATIVE_STEPS,
  ...MAIL_STEPS,
  ...CONSOLE_STEPS,
].map((step) => `step ${step}`);

const FAULTS = [
  ...TRIP_FAULTS,
  ...AUTHORITY_FAULTS.map((fault) => `authority ${fault}`),
  ...["alarm lost", "alarm twice", "kill", "deploy", "call of an older instance", "answer without a caller"],
  ...["forged delivery wrong_signature", "foreign delivery wrong_signature", "shop refused"],
  ...["delivery accepted", "delivery decided", "delivery duplicate"],
  ...SHOP_FAULTS.map((fault) => `shop ${fault}`),
  ...MAIL_FAULTS.map((fault) => `mail ${fault}`),
  ...["mail taken", "mail refused", "asked mail queued", "asked mail replayed", "erasure done"],
  ...["message refused", "record rejected", "evidence not kept", "kv fault", "poisoned", "sweep"],
];

/** Acts of people in the console that came to something. */
const ACTS = ["hand issued", "rectify rectified", "rectify-order rectified", "question done"].map(
  (act) => `told ${act}`,
);

/** A limit of time is for so many of them. */
const AT_ONCE = 5;

describe("histories", () => {
  const figures: Figures = new Map();
  const groups = Array.from({ length: Math.ceil(SEEDS.length / AT_ONCE) }, (_, index) =>
    SEEDS.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
  );

  test.each(groups.map((seeds) => ({ first: seeds[0], last: seeds.at(-1), seeds })))(
    "from seed $first to seed $last keep all rules",
    async ({ seeds }) => {
      for (const seed of seeds) {
        const { problems, figures: own } = await runHistory(seed);
        expect(problems.map(describeProblem), `seed ${seed}`).toEqual([]);
        addTo(figures, own);
      }
    },
  );

  test("have every kind of step and of fault", () => {
    const missing = [...STEPS, ...FAULTS, ...ACTS].filter((what) => !figures.has(what));
    expect(missing).toEqual([]);
  });
});

test("every break of the mutation check has its place in the source", () => {
  const lost = MUTATIONS.flatMap(({ name, patches = [] }) => {
    const own = patches.filter(({ file, from }) => {
      const source = readFileSync(join(REPOSITORY, file), "utf8");
      return source.split(from).length !== 2;
    });
    return own.map(({ from }) => `${name}: ${from}`);
  });
  expect(lost).toEqual([]);
});

test("a history is the same in every run of its seed", async () => {
  for (const seed of [3, 17, 29]) {
    const [one, other] = [await runHistory(seed, true), await runHistory(seed, true)];
    expect(other.lines).toEqual(one.lines);
    expect(other.traceHash).toBe(one.traceHash);
  }
});
