/** The public API under requests that are made of its own document; `npm run prove:fuzz` makes many more. */
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import worker from "../../src/worker.ts";
import { judgeBy, type ToldAnswer } from "../support/fuzz/answers.ts";
import { utf8 } from "../support/fuzz/broken-bytes.ts";
import { type Contract, contractIn } from "../support/fuzz/contract.ts";
import { drawFrom } from "../support/fuzz/draw.ts";
import { fuzz, type Report } from "../support/fuzz/run.ts";
import { INVOICE } from "../support/fuzz/seeds.ts";
import { aForgetfulShop } from "../support/fuzz/world.ts";
import { aSentOrder } from "../support/worlds/order-calls.ts";

let networks = 0;

/** Each from a network of its own: the answer is tested, not the brake for frequent callers. */
async function send(path: string, init: RequestInit): Promise<ToldAnswer> {
  const request = new Request<unknown, IncomingRequestCfProperties>(
    `https://api.example${path}`,
    init as never,
  );
  request.headers.set("CF-Connecting-IP", `2001:db8:${(networks++).toString(16)}::1`);
  const response = await worker.fetch(request, env, createExecutionContext());
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const { requests, seed } = JSON.parse(env.FUZZ) as { requests: number; seed: number };
const OF_A_ROUND = 2_000;
const ROUND_MS = 600_000;
const rounds = Array.from({ length: Math.ceil(requests / OF_A_ROUND) }, (_, round) => ({
  seed: seed + round,
  requests: Math.min(OF_A_ROUND, requests - round * OF_A_ROUND),
}));

test.for(rounds)("seed $seed: $requests requests", { timeout: ROUND_MS }, async (round, { task }) => {
  const contract = contractIn(JSON.parse((await send("/openapi.json", {})).text));
  const report = await fuzz(contract, judgeBy(contract), drawFrom(round.seed), { send, ...round });
  task.meta.fuzz = report;
  expect(report.problems).toEqual([]);
  if (round.requests < ENOUGH) return;
  expect(untried(contract, report)).toEqual([]);
  expect(report.unusedFaults).toEqual([]);
});

/** So rare that chance may not meet it. */
test("a removed thing is answered as documented", async () => {
  const contract = contractIn(JSON.parse((await send("/openapi.json", {})).text));
  const { shop, gone } = await aForgetfulShop();
  const judge = judgeBy(contract);
  const answers: string[] = [];
  const problems: string[] = [];
  const ask = async (path: string, sent: object) => {
    const target = contract.operations.find((each) => each.path === path && each.method === "POST");
    if (!target) throw new Error(`the document has no ${path}`);
    const headers = { "X-API-KEY": shop.key, "Content-Type": "application/json" };
    const bytes = utf8(JSON.stringify(sent));
    const answer = await send(path, { method: "POST", headers, body: bytes });
    const { error_code: code }: { readonly error_code?: string } = JSON.parse(answer.text);
    answers.push(`${answer.status} ${code}`);
    const request = { target, method: "POST", path, headers, bytes, validity: "valid", fault: "" } as const;
    problems.push(...judge.problemsOf(request, answer));
  };
  const invoice = { ...INVOICE, external_id: gone.invoice };
  const correction = { invoice_type: "R1", rectification_method: "difference" };
  await ask("/api/v1/invoice", invoice);
  await ask("/api/v1/invoice", {
    ...{ ...invoice, ...correction, external_id: "rectificativa" },
    ...{ rectifies: [{ external_id: gone.invoice }], lines: [{ ...INVOICE.lines[0], quantity: -1 }] },
  });
  await ask("/api/v1/order", aSentOrder(gone.order));
  await ask("/api/v1/order", aSentOrder(gone.erased));
  expect(answers).toEqual([
    ...["410 invoice_erased", "422 rectified_invoice_erased", "410 order_erased", "410 order_erased"],
  ]);
  expect(problems).toEqual([]);
});

/** So many requests reach every route, also those of documents, whose id is known only after an invoice. */
const ENOUGH = 500;

/** Routes that never succeeded, and those with a body that never refused. */
function untried({ operations }: Contract, { statuses }: Report): string[] {
  return operations.flatMap(({ method, path, body }) => {
    const told = Object.keys(statuses[`${method} ${path}`] ?? {}).map(Number);
    const isTaken = told.some((status) => status < 300);
    const isRefused = body === undefined || told.some((status) => status >= 400);
    return isTaken && isRefused ? [] : [`${method} ${path}: ${told.join(", ")}`];
  });
}
