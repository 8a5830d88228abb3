/** The public API under requests that are made of its own document; `npm run prove:fuzz` makes many more. */
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import worker from "../../src/worker.ts";
import { judgeBy, type ToldAnswer } from "../support/fuzz/answers.ts";
import { type Contract, contractIn } from "../support/fuzz/contract.ts";
import { drawFrom } from "../support/fuzz/draw.ts";
import { fuzz, type Report } from "../support/fuzz/run.ts";

async function send(path: string, init: RequestInit): Promise<ToldAnswer> {
  const request = new Request<unknown, IncomingRequestCfProperties>(
    `https://api.example${path}`,
    init as never,
  );
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
  if (round.requests >= ENOUGH) expect(untried(contract, report)).toEqual([]);
});

/** So many requests reach everything. */
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
