/**
 * `npm run prove:submission`: 5,000 invoices on three connections, while the sandbox authority fails in every way it
 * knows and the whole runtime is killed again and again. In the end every record is at the authority once, in
 * order. Each figure of the last lines is counted in the databases of both sides.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { advance, begin, ownFolder, PATIENCE_OF_A_START_MS } from "../support/progress/progress.ts";
import { type Place, startProduct } from "./local-product.ts";
import { control, invalidMessages, summaryOf, untilSubmitted } from "./sandbox.ts";
import { seeded } from "./seeded.ts";
import { type Call, callsOf } from "./submission-calls.ts";
import { booksOf, openRecords, problemsOf, receivedOf } from "./submitted-books.ts";

const TOTAL = Number(process.env.INVOICES || 5_000);
const KILLS = Number(process.env.KILLS || 6);
const AT_ONCE = 24;
const SEED = 20_261_128;

/** Shares of all messages; the rest is answered correctly. */
const MISBEHAVIOUR = {
  wait_seconds: 1,
  seed: SEED,
  random: [
    { fault: "timeout", when: "before_storing", share: 0.04 },
    { fault: "timeout", when: "after_storing", share: 0.04 },
    { fault: "http_error", status: 500, when: "after_storing", share: 0.06 },
    { fault: "http_error", status: 503, when: "before_storing", share: 0.04 },
    { fault: "http_error", status: 429, share: 0.03 },
    { fault: "html", share: 0.05 },
    { fault: "redirect", share: 0.03 },
    { fault: "truncated", share: 0.05 },
    { fault: "closed", when: "after_storing", share: 0.05 },
    { fault: "empty", share: 0.03 },
    { fault: "soap_fault", code: 4103, share: 0.04 },
    { fault: "slow", delay_ms: 1_500, share: 0.04 },
  ],
  records: [{ code: 1241, share: 0.002 }],
};

const PACE = {
  ...{ initialWaitSeconds: 1, backOffMs: [500, 1_000, 2_000], stoppedRetryMs: 1_000, timeLimitMs: 4_000 },
};

const place: Place = {
  stateDir: ownFolder(mkdtempSync(join(tmpdir(), "cuadre-prove-"))),
  port: Number(process.env.PORT || 8_750),
  env: { SUBMISSION_PACE: JSON.stringify(PACE) },
};

const startedAt = Date.now();
begin("start the product", { patienceMs: PATIENCE_OF_A_START_MS });
let product = await startProduct(place);
try {
  process.exitCode = (await prove()) ? 0 : 1;
} finally {
  await product.kill();
  rmSync(place.stateDir, { recursive: true, force: true });
}

async function prove(): Promise<boolean> {
  await untilSubmitted(place.stateDir, product.demo);
  await control(product.demo, MISBEHAVIOUR);
  const calls = callsOf(product.demo, TOTAL, startedAt);
  const told = { sent: 0, repeated: 0 };
  begin("calls acknowledged", { total: TOTAL, patienceMs: PATIENCE_OF_A_START_MS });
  const sending = sendAll(calls, told);
  const random = seeded(SEED);
  for (let kills = 0; kills < KILLS; kills += 1) {
    await delay(4_000 + random.below(8_000));
    console.log(`kill ${kills + 1} of ${KILLS}, ${told.sent} of ${TOTAL} acknowledged`);
    const killed = product;
    await killed.kill();
    product = await startProduct(place);
  }
  await sending;
  begin("the last records are submitted", { patienceMs: PATIENCE_OF_A_START_MS });
  const issuedAfterMs = Date.now() - startedAt;
  await untilSubmitted(place.stateDir, product.demo);
  const records = openRecords(place.stateDir);
  const received = await receivedOf(product.demo);
  const problems = [...problemsOf(records, received, calls), ...(await invalidMessages(product.demo))];
  const { messages, misbehaviours } = await summaryOf(product.demo);
  console.log(
    JSON.stringify(
      {
        ...{ invoices: TOTAL, kills: KILLS, calls: told.sent, repeated_calls: told.repeated },
        ...{ records: records.length, states: booksOf(records), messages, misbehaviours },
        sent_more_than_once: received.filter((record) => record.received > 1).length,
        issued_after_s: Math.round(issuedAfterMs / 1_000),
        all_after_s: Math.round((Date.now() - startedAt) / 1_000),
        ...{ problems: problems.length },
      },
      null,
      1,
    ),
  );
  for (const problem of problems.slice(0, 20)) console.log(problem);
  return problems.length === 0;
}

/** Every call until it is acknowledged, however often the other side dies. */
async function sendAll(calls: readonly Call[], told: { sent: number; repeated: number }): Promise<void> {
  const left = [...calls];
  const worker = async () => {
    for (let call = left.shift(); call; call = left.shift()) {
      for (let isAcknowledged = await send(call); !isAcknowledged; isAcknowledged = await send(call)) {
        told.repeated += 1;
        await delay(300);
      }
      told.sent += 1;
      advance();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function send({ path, key, body }: Call): Promise<boolean> {
  try {
    const response = await fetch(`${product.demo.api_url}${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-API-KEY": key },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    if (response.status >= 400 && response.status < 500) throw new Error(`${response.status} ${text}`);
    return response.ok;
  } catch (error) {
    if (error instanceof Error && /^4\d\d /.test(error.message)) throw error;
    return false;
  }
}
