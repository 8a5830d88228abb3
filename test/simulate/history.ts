/** One history: steps and faults by the seed, then quiet, then everything that must hold. */
import type { Problem } from "../support/rules/book-rules.ts";
import { act } from "./acts.ts";
import {
  authorityProblems,
  booksOf,
  companyProblems,
  consentProblems,
  dueIn,
  lastWordProblems,
  messageProblems,
  rowsIn,
  stampOf,
  standingProblems,
  toldProblems,
} from "./books.ts";
import { type Chance, chanceOf } from "./chance.ts";
import { consoleProblems } from "./console-books.ts";
import { addTo, count, type Figures } from "./figures.ts";
import { switchMailsOn } from "./mail-acts.ts";
import { isErasedBody, mailMessageProblems, mailProblems } from "./mail-books.ts";
import { drawMailSteps, type MailStep } from "./mail-steps.ts";
import { connectShops } from "./native-acts.ts";
import { nativeProblems } from "./native-books.ts";
import { writesOrigin } from "./network.ts";
import type { SimulatedObject } from "./object.ts";
import { drawStep, type Mix, type Step } from "./steps.ts";
import { template } from "./template.ts";
import { World } from "./world.ts";

export interface HistoryResult {
  readonly seed: number;
  readonly problems: readonly Problem[];
  readonly figures: Figures;
  readonly traceHash: string;
  readonly lines: readonly string[];
}

/** Noon, midnight, New Year, the night with an hour twice; each begins a little before. */
const STARTS = [
  "2026-11-30T11:00:00Z",
  "2026-12-14T22:59:30Z",
  "2026-12-31T22:59:40Z",
  "2026-10-25T00:59:00Z",
].map((instant) => Date.parse(instant));

const MIXES: readonly (readonly [number, Mix])[] = [
  [4, { direct: 10, orders: 0, fresh: 0, owner: 0.7, trouble: 1.2 }],
  [4, { direct: 0, orders: 10, fresh: 0, owner: 1, trouble: 1.2 }],
  [2, { direct: 0, orders: 0, fresh: 8, owner: 3, trouble: 1.2 }],
  [1, { direct: 4, orders: 4, fresh: 4, owner: 2, trouble: 1.5 }],
];

/** Histories of shops with documents of their own; the others are as they would be without them. */
const NATIVE_MIX: Mix = { direct: 1, orders: 0, fresh: 0, owner: 0, trouble: 1.2, native: 10 };
const NATIVE_SHARE = 0.25;

/** Histories of people in the console, who rectify by lines, answer questions and write invoices. */
const CONSOLE_MIX: Mix = { direct: 5, orders: 6, fresh: 0, owner: 0.3, trouble: 1.2, console: 12 };
const CONSOLE_SHARE = 0.25;

/** Loads and faults of one history; many have few faults, so that single ones are met too. */
interface Plan {
  readonly startsAt: number;
  readonly steps: readonly (Step | MailStep)[];
  readonly tripFaults: number;
  readonly authorityFaults: number;
  readonly rejects: number;
  readonly receiverFaults: number;
  readonly alarmLost: number;
  readonly alarmTwice: number;
  readonly storageFails: number;
  readonly evidenceFails: number;
  readonly kvFaults: number;
  /** Batches with a record of this id are refused by D1 each time. */
  readonly poisoned: string | undefined;
  /** For each event: an instance ends between any two awaits. */
  readonly kills: number;
  readonly isNative: boolean;
  readonly shopFaults: number;
  readonly hasMails: boolean;
  readonly mailFaults: number;
}

export function planOf(seed: number): Plan {
  const chance = chanceOf(seed, 0);
  const native = chanceOf(seed, 9);
  const isNative = native.is(NATIVE_SHARE);
  const drawn = chance.weighted(MIXES);
  const isOfConsole = chanceOf(seed, 14).is(CONSOLE_SHARE);
  const others = isOfConsole ? CONSOLE_MIX : drawn;
  const mix = isNative ? NATIVE_MIX : others;
  const length = chance.weighted([
    [6, chance.between(4, 12)],
    [3, chance.between(12, 25)],
    [1, chance.between(25, 45)],
  ]);
  // Steps come in a rush, or minutes apart.
  const gapMs = chance.weighted([
    [4, 15],
    [4, 200],
    [2, 3_000],
    [1, 30_000],
  ]);
  let atMs = 0;
  const steps = Array.from({ length }, () => {
    atMs += chance.below(2 * gapMs);
    return drawStep(chance, mix, atMs);
  });
  const mailSteps = drawMailSteps(seed, steps, isNative);
  const some = (...choices: [number, ...number[]]) => chance.pick(choices);
  return {
    startsAt:
      chance.weighted([
        [5, STARTS[0]],
        [2, STARTS[1]],
        [2, STARTS[2]],
        [1, STARTS[3]],
      ]) ?? 0,
    steps: [...steps, ...(mailSteps ?? [])].toSorted((one, other) => one.atMs - other.atMs),
    tripFaults: some(0, 0.02, 0.05, 0.15, 0.3),
    authorityFaults: some(0, 0.2, 0.6),
    rejects: some(0, 0, 0.2),
    receiverFaults: some(0, 0.5),
    alarmLost: some(0, 0.2),
    alarmTwice: some(0, 0.2),
    storageFails: some(0, 0, 0.03),
    evidenceFails: some(0, 0.5),
    kvFaults: some(0, 0.5, 0.9),
    poisoned: chance.is(0.4) ? chance.pick(["a", "c"]) : undefined,
    kills: some(0, 0, 0.004, 0.02),
    isNative,
    shopFaults: native.pick([0, 0.2, 0.6]),
    hasMails: mailSteps !== undefined,
    mailFaults: chanceOf(seed, 13).pick([0, 0.5, 0.8]),
  };
}

export async function runHistory(seed: number, keepsLines = false): Promise<HistoryResult> {
  const plan = planOf(seed);
  const world = new World(await template(), { seed, startsAt: plan.startsAt, keepsLines });
  const { scheduler, figures, callers } = world;
  try {
    if (plan.isNative) await connectShops(world);
    if (plan.hasMails) await switchMailsOn(world);
    scheduler.note("phase suffer");
    await suffer(plan, world);
    scheduler.note("phase calm");
    await calmDown(world);
    scheduler.note("phase again");
    await askAgain(world);
    scheduler.note("phase rest");
    await rest(world);
    await expectNothingDue(world);
    judge(world);
  } catch (error) {
    world.fail("answer", `the history broke: ${error instanceof Error ? error.stack : error}`);
  }
  addTo(figures, world.network.counts);
  count(figures, "events", scheduler.events);
  scheduler.note(stampOf(world.template.database, { withFences: true }));
  return {
    seed,
    problems: [...world.problems, ...callers.problems],
    figures,
    traceHash: scheduler.traceHash(),
    lines: scheduler.lines(),
  };
}

/** The longest time for steps with their faults. */
const LONGEST_MS = 3_600_000;

async function suffer(plan: Plan, world: World): Promise<void> {
  const { scheduler, network, authority, receivers, snapshots, platform, callers, figures, chance, native } =
    world;
  network.weather.tripFaults = plan.tripFaults;
  authority.weather.faults = plan.authorityFaults;
  authority.weather.rejects = plan.rejects;
  authority.weather.evidenceFails = plan.evidenceFails;
  receivers.weather.faults = plan.receiverFaults;
  native.fetching.shop.weather.faults = plan.shopFaults;
  world.mails.service.weather.faults = plan.mailFaults;
  snapshots.weather.faults = plan.kvFaults;
  platform.alarmLost = plan.alarmLost;
  platform.alarmTwice = plan.alarmTwice;
  platform.storageFails = plan.storageFails;
  scheduler.beforeEvent = () => {
    if (chance.is(plan.kills)) world.disturb();
  };
  if (plan.poisoned) network.weather.isPoisoned = writesOrigin(`direct:${plan.poisoned}`);
  world.beginCron();
  for (const step of plan.steps) {
    scheduler.after(step.atMs, `step ${step.do}`, () => {
      count(figures, `step ${step.do}`);
      callers.begin(step.do, () => act(step, world));
    });
  }
  const last = plan.steps.at(-1)?.atMs ?? 0;
  await scheduler.runFor(last + pauseAfter(chance));
  const until = scheduler.now + LONGEST_MS;
  const isOver = await scheduler.runUntil(() => callers.open === 0, until);
  if (!isOver) world.fail("answer", `${callers.open} callers never got an answer`);
  const isCalm = plan.tripFaults === 0 && !plan.steps.some((step) => step.do === "outage");
  for (const { about, outcome } of callers.told) {
    const isPoison = about === `issue ${plan.poisoned}`;
    if (isCalm && !isPoison && Reflect.get(outcome, "cause") === "poisonous_batch") {
      world.fail("answer", `${about} failed with its neighbour`);
    }
  }
}

/** Some histories go on until alarms and cron have done their work. */
function pauseAfter(chance: Chance): number {
  return chance.weighted([
    [5, 0],
    [3, 5_000],
    [1, 200_000],
  ]);
}

/** Some time later nothing that is due is without an alarm, after one sweep. */
async function calmDown(world: World): Promise<void> {
  const {
    scheduler,
    network,
    authority,
    receivers,
    snapshots,
    platform,
    objects,
    template: { database },
  } = world;
  world.isQuiet = true;
  scheduler.beforeEvent = () => {};
  snapshots.weather.faults = 0;
  network.weather.tripFaults = 0;
  network.weather.outageUntil = 0;
  network.weather.congestedUntil = 0;
  network.weather.isPoisoned = () => false;
  Object.assign(authority.weather, { faults: 0, rejects: 0, evidenceFails: 0 });
  receivers.weather.faults = 0;
  world.native.fetching.shop.weather.faults = 0;
  Object.assign(world.mails.service.weather, { faults: 0, downUntil: 0 });
  Object.assign(platform, { alarmLost: 0, alarmTwice: 0, storageFails: 0 });
  for (const object of objects.values()) object.settleDown();
  await scheduler.runFor(SWEPT_AFTER_MS);
  let isSwept = false;
  world.sweep().then(
    () => {
      isSwept = true;
    },
    (error: unknown) => world.fail("due", `the sweep failed: ${error}`),
  );
  await scheduler.runUntil(() => isSwept, scheduler.now + 60_000);
  for (const [connectionId, object] of objects) {
    const due = dueIn(database, connectionId, scheduler.now - OVERDUE_MS);
    const isAwake = object.alarmAt !== undefined || object.isInAlarm;
    if (due.length > 0 && !isAwake) world.fail("due", `${due.join(", ")}, and no alarm after a sweep`);
  }
}

/** Longer than any pause after a failure of the authority. */
const SWEPT_AFTER_MS = 75 * 60_000;

/** Every caller asks again and gets an answer; those with an invoice or an order get the same one, and nothing is written. */
async function askAgain(world: World): Promise<void> {
  const {
    callers,
    template: { database },
  } = world;
  const calls = [...callers.asked].filter(([name]) => REPEATED.test(name));
  const given: typeof calls = [];
  for (const [name, call] of calls) {
    const wasDone = ONE_ACT.test(name) && isToldDone(name, world);
    const outcome = await answerOf(name, call, world);
    if (KEPT.includes(outcome)) given.push([name, call]);
    else if (wasDone) world.fail("doubled", `${name} was done, and its repeat is ${outcome}`);
  }
  await rest(world);
  for (const isFenced of [true, false]) {
    const stamp = () => stampOf(database, { withFences: !isFenced });
    const before = stamp();
    for (const [name, call] of given) {
      if (FENCED.test(name) !== isFenced) continue;
      const outcome = await answerOf(name, call, world);
      if (!REPLAYED.includes(outcome))
        world.fail("doubled", `${name} was answered before, and now ${outcome}`);
    }
    const after = stamp();
    if (after !== before) world.fail("contradiction", `a repeat wrote a row: ${before} ${after}`);
  }
}

function isToldDone(name: string, { callers }: World): boolean {
  return callers.told.some(
    ({ connectionId, about, outcome }) =>
      `${connectionId} ${about}` === name && KEPT.includes(outcome.outcome),
  );
}

const KEPT = ["issued", "replayed", "cancelled", "corrected", "taken", "rectified", "conflict"];
const REPLAYED = ["replayed", "taken", "conflict"];
const NO_ANSWERS = ["unavailable", "failed", "unauthorized", "rate_limited"];

async function answerOf(name: string, call: () => Promise<{ readonly outcome: string }>, world: World) {
  const { scheduler, callers } = world;
  let outcome: { readonly outcome: string } | undefined;
  call().then(
    (came) => {
      outcome = came;
    },
    (error: unknown) => world.fail("answer", `${name} threw ${error}`),
  );
  await scheduler.runUntil(() => outcome !== undefined, scheduler.now + 60_000);
  const [connectionId = "", ...about] = name.split(" ");
  const came = outcome ?? { outcome: "none" };
  scheduler.note(`again ${name} ${JSON.stringify(came)}`);
  callers.told.push({ connectionId, about: about.join(" "), outcome: came });
  if (!outcome || NO_ANSWERS.includes(outcome.outcome)) {
    world.fail("answer", `${name} is answered with ${JSON.stringify(came)}`);
  }
  return came.outcome;
}

const REPEATED = /^\S+ (issue|cancel|order|correct|deliver|rectify|rectify-order|hand) /;
/** Each has a name of its own, so that whatever it is answered is about the same act. */
const ONE_ACT = /^\S+ (rectify|rectify-order|hand) /;
/** A repeat that answers an owner about an order writes the fence, and nothing behind it. */
const FENCED = /^\S+ rectify-order /;

/** Alarms ring until none is left. */
async function rest(world: World): Promise<void> {
  const {
    scheduler,
    objects,
    template: { database },
  } = world;
  const isAtRestNow = ([id, { alarmAt, isInAlarm }]: [string, SimulatedObject]) =>
    !isInAlarm && (alarmAt === undefined || isOnlySearching(id, alarmAt, world));
  const isResting = () => [...objects].every(isAtRestNow);
  const events = scheduler.events;
  const isAtRest = await scheduler.runUntil(() => isResting() || scheduler.events > events + MOST_EVENTS);
  if (!isAtRest || scheduler.events > events + MOST_EVENTS)
    world.fail("due", "the objects never come to rest");
  for (const connectionId of objects.keys()) {
    for (const due of dueIn(database, connectionId)) world.fail("due", `${due}, at rest`);
  }
}

/** A shop is searched every hour without an end: nothing else of it is due, and the search is not yet. */
function isOnlySearching(connectionId: string, alarmAt: number, { template, scheduler }: World): boolean {
  const [row] = rowsIn<{ due_at: number | null }>(
    template.database,
    "SELECT due_at FROM shop WHERE connection_id = ?",
    connectionId,
  );
  const searchedAt = row?.due_at ?? 0;
  return (
    searchedAt > scheduler.now && alarmAt >= searchedAt && dueIn(template.database, connectionId).length === 0
  );
}

/** By the product's own question, too, which knows more kinds of work. */
async function expectNothingDue(world: World): Promise<void> {
  let due: readonly string[] | undefined;
  world.dueNow().then(
    (found) => {
      due = found;
    },
    (error: unknown) => world.fail("due", `cron cannot ask: ${error}`),
  );
  await world.scheduler.runUntil(() => due !== undefined, world.scheduler.now + 60_000);
  if (due && due.length > 0) world.fail("due", `cron would wake ${due.join(", ")} at rest`);
}

const MOST_EVENTS = 20_000;
/** As late as work is before cron looks for it. */
const OVERDUE_MS = 180_000;

function judge(world: World): void {
  const {
    template: { database },
    objects,
    callers,
    problems,
  } = world;
  for (const [connectionId, { hasSkew }] of objects) {
    const books = booksOf(database, connectionId);
    problems.push(...mailProblems(world, books, database));
    problems.push(...lastWordProblems(world, books, { database, hasSkew }));
    const connected = Object.values(world.native).find((one) => one.connection.connectionId === connectionId);
    if (connected?.secret) problems.push(...nativeProblems(connected, books, database));
    if (books.invoices.length + books.orders.length === 0) continue;
    problems.push(
      ...standingProblems(books, connected !== undefined).filter((each) => !isErasedBody(each, books, world)),
      ...consoleProblems(world.desk, books, database),
      ...toldProblems(callers.told, books),
      ...consentProblems(world, books),
      ...companyProblems(world, books),
      ...authorityProblems(world, books),
    );
    count(world.figures, "invoices", books.invoices.length);
    count(world.figures, "records", books.records.length);
    for (const { state } of books.orders) count(world.figures, `order ${state}`);
    for (const { state } of books.records) count(world.figures, `record ${state}`);
  }
  problems.push(...messageProblems(world), ...mailMessageProblems(world));
}

export function describe({ kind, what }: Problem): string {
  return `${kind}: ${what}`;
}
