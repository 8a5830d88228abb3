/**
 * `npm run prove:crash`: several callers issue, retry, send orders, refund, cancel, view and answer, by a
 * plan made from the seed. All of `npm start` is killed several times, and unanswered calls are sent again
 * unchanged. Then nothing may be missing, doubled, changed or due: in the books, at the authority, and in
 * the answers to repeats.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ledgerOf } from "../../src/domain/connection/ids.ts";
import { advance, begin, ownFolder, PATIENCE_OF_A_START_MS } from "../support/progress/progress.ts";
import { type Problem, problem } from "../support/rules/book-rules.ts";
import { CONNECTIONS, type ConnectionName, type Course } from "./crash/call.ts";
import { type Caller, callerOf, type Session, signIn } from "./crash/caller.ts";
import { answersIn, problemsIn, sendingIn, spreadOf, standingIn } from "./crash/figures.ts";
import { mailProblems, storedMails } from "./crash/mails.ts";
import { callsIn, type Kill, killsOf, planOf } from "./crash/plan.ts";
import { type Question, questionsOf } from "./crash/questions.ts";
import { allConnections, demoShops } from "./crash/shops/connections.ts";
import { shopFigures, shopProblems, storedShops } from "./crash/shops/stored-shops.ts";
import { type ConnectionBooks, dueProblems, storedBooks } from "./crash/stored-books.ts";
import { askedAgain, faultProblems, standingProblems, writtenBetween } from "./crash/verdict.ts";
import { verifyProblems } from "./crash/verify.ts";
import { beginProduct, type Demo, type Place, startProduct } from "./local-product.ts";
import { control, invalidMessages, untilSubmitted } from "./sandbox.ts";
import { receivedOf } from "./submitted-books.ts";

const SEED = Number(process.env.SEED || 20_261_129);
const KILLS = Number(process.env.KILLS || 20);
const REQUESTS = Number(process.env.REQUESTS || 5_000);
const AT_ONCE = 24;
const DUE_WITHIN_MS = 180_000;

/** The authority answers correctly; late or repeated reports result from the kills alone. */
const PACE = {
  ...{ initialWaitSeconds: 1, backOffMs: [500, 1_000, 2_000], stoppedRetryMs: 1_000, timeLimitMs: 4_000 },
};

const place: Place = {
  stateDir: ownFolder(mkdtempSync(join(tmpdir(), "cuadre-crash-"))),
  port: Number(process.env.PORT || 8_850),
  env: { SUBMISSION_PACE: JSON.stringify(PACE) },
};

const startedAt = Date.now();
begin("start the product", { patienceMs: PATIENCE_OF_A_START_MS });
let product = await startProduct(place);
const connections = allConnections(product.demo);
const ids = Object.fromEntries(CONNECTIONS.map((name) => [name, connections[name]?.id ?? ""])) as Readonly<
  Record<ConnectionName, string>
>;
const restartsMs: number[] = [];
let isGone = false;
try {
  process.exitCode = (await prove(product.demo)) ? 0 : 1;
} finally {
  if (!isGone) await product.kill();
}

async function prove(demo: Demo): Promise<boolean> {
  await control(demo, { wait_seconds: 1 });
  const shopsUrl = `http://127.0.0.1:${place.port + 3}`;
  const session = { demo: { ...demo, connections }, cookie: await signIn(demo), shopsUrl };
  const places = await placesOf(session);
  const shops = demoShops(demo);
  const courses = planOf({ seed: SEED, requests: REQUESTS, now: startedAt, places, shops });
  const requests = callsIn(courses).length;
  const kills = killsOf(SEED, KILLS, requests);
  const load = callerOf(session);
  begin("calls answered", { total: requests, patienceMs: PATIENCE_OF_A_START_MS });
  await Promise.all([runAll(courses, load), killAll(kills, load, requests)]);
  const answeredAfterMs = Date.now() - startedAt;
  begin("the last records are submitted, and the last work is done", {
    patienceMs: PATIENCE_OF_A_START_MS,
  });
  await untilSubmitted(place.stateDir, demo);
  await untilNothingIsDue();
  const settledAfterMs = Date.now() - startedAt;
  const standing = { books: storedBooks(place.stateDir), received: await receivedOf(demo) };
  const questions = questionsOf(load.told, courses, Date.now());
  const problems = [
    ...standingProblems({ told: load.told, courses, ids, ...standing }),
    ...dueProblems(place.stateDir),
    ...mailProblems(load.told, storedMails(place.stateDir), standing.books),
    ...shopProblems(load.told, storedShops(place.stateDir), { courses, ids, books: standing.books }),
    ...faultProblems(load),
    ...(await askAll(questions, session, standing.books)),
    ...(await invalidMessages(demo)).map((what) => problem("submission", what)),
  ];
  begin("verify the books", { patienceMs: PATIENCE_OF_A_START_MS });
  await product.kill();
  isGone = true;
  problems.push(...verifyProblems(place.stateDir, Object.values(ids)));
  const figures = {
    ...{ seed: SEED, kills: KILLS, killed_while_starting: kills.flatMap(({ startsMs }) => startsMs).length },
    ...{ requests, courses: courses.length, ...sendingIn(load), ...answersIn(load.told) },
    ...{ ...standingIn(standing), asked_again: questions.length, ...problemsIn(problems) },
    shops: shopFigures(load.told, storedShops(place.stateDir)),
    restart_s: spreadOf(restartsMs),
    answered_after_s: Math.round(answeredAfterMs / 1_000),
    settled_after_s: Math.round(settledAfterMs / 1_000),
  };
  console.log(JSON.stringify(figures, null, 1));
  for (const { kind, what } of problems.slice(0, 50)) console.log(`${kind}: ${what}`);
  return problems.length === 0;
}

/** Everything once more, which is to write nothing. */
async function askAll(
  questions: readonly Question[],
  session: Session,
  before: readonly ConnectionBooks[],
): Promise<readonly Problem[]> {
  const asker = callerOf(session);
  begin(`ask ${questions.length} calls again`, { patienceMs: PATIENCE_OF_A_START_MS });
  const changed = await askedAgain(questions, asker, AT_ONCE);
  const written = writtenBetween(before, storedBooks(place.stateDir));
  return [...changed, ...faultProblems(asker), ...written];
}

/** The console's path of each connection. */
async function placesOf({ demo, cookie }: Session) {
  const me = await fetch(`${demo.console_url}/api/me`, { headers: { Cookie: cookie } });
  const { data } = (await me.json()) as { data: { accounts: readonly { readonly id: string }[] } };
  const placeOf = (id: string) => {
    const account = data.accounts.find((one) => ledgerOf(one.id, "ac") === ledgerOf(id, "cn"))?.id ?? "";
    return { account, connection: `/api/accounts/${account}/connections/${id}` };
  };
  // One for each name, because there is an id for each.
  return Object.fromEntries(CONNECTIONS.map((name) => [name, placeOf(ids[name])])) as Readonly<
    Record<ConnectionName, ReturnType<typeof placeOf>>
  >;
}

/** Courses run concurrently; so do the calls of one step of a course, steps in turn. */
async function runAll(courses: readonly Course[], caller: Caller): Promise<void> {
  const left = [...courses];
  const worker = async () => {
    for (let course = left.shift(); course; course = left.shift()) {
      for (const step of course.steps) {
        await Promise.all(step.map((call) => caller.until(call)));
        advance(step.length);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function killAll(kills: readonly Kill[], { told }: Caller, requests: number): Promise<void> {
  for (const [index, { answered, delayMs, startsMs }] of kills.entries()) {
    while (told.length < answered) await delay(5);
    await delay(delayMs);
    console.log(`kill ${index + 1} of ${kills.length}, ${told.length} of ${requests} answered`);
    await product.kill();
    for (const startMs of startsMs) {
      const starting = beginProduct(place);
      await delay(startMs);
      await starting.kill();
    }
    const begunAt = Date.now();
    product = await startProduct(place);
    restartsMs.push(Date.now() - begunAt);
  }
}

/** Lists and releases follow automatically; those not done by then are reported as left. */
async function untilNothingIsDue(): Promise<void> {
  const deadline = Date.now() + DUE_WITHIN_MS;
  while (dueProblems(place.stateDir).length > 0 && Date.now() < deadline) await delay(1_000);
}
