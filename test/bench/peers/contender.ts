/** A contender gets the same body of the same tenant over HTTP, and reports the invoice it made. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { root } from "../../../src/ops/setup.mjs";
import { answers, localVars, type RunningWorker, send, startWorker } from "../local-worker.ts";
import type { PeerBody } from "./peer-body.ts";
import type { Tenants } from "./tenants.ts";

/** The acknowledged invoices; the books must have each of them. */
export interface Acknowledged {
  readonly tenant: number;
  readonly externalId: string;
  readonly number: number;
  readonly totalCents: number;
}

export interface Contender {
  readonly name: string;
  readonly url: string;
  readonly acknowledged: readonly Acknowledged[];
  issue(tenant: number, body: PeerBody): Promise<Acknowledged>;
  /** SIGKILL: every acknowledged invoice must be on the disk. */
  kill(): Promise<void>;
}

interface Way {
  readonly name: string;
  readonly url: string;
  readonly keyOf: (tenant: number) => string;
  readonly read: (data: ReadData) => Pick<Acknowledged, "number" | "totalCents">;
  readonly kill: () => Promise<void>;
}

interface ReadData {
  readonly number: number;
  readonly totals: { readonly total: number };
}

export function contender({ name, url, keyOf, read, kill }: Way): Contender {
  const acknowledged: Acknowledged[] = [];
  return {
    name,
    url,
    acknowledged,
    kill,
    async issue(tenant, body) {
      const response = await send(`${url}/api/v1/invoice`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-API-KEY": keyOf(tenant) },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${name} answered ${response.status}: ${text}`);
      const { data }: { readonly data: ReadData } = JSON.parse(text);
      const made = { tenant, externalId: body.external_id, ...read(data) };
      acknowledged.push(made);
      return made;
    },
  };
}

/** The product, or the product in another form, on the companies of a state. */
export async function productOn(
  name: string,
  { state, connections }: Tenants,
  port: number,
  entry = "src/worker.ts",
): Promise<Contender> {
  const worker = await startWorker({
    ...{ config: "wrangler.toml", entry, port, state: state.databases },
    vars: localVars(state.dir),
  });
  return contender({
    name,
    url: worker.url,
    keyOf: (tenant) => connections[tenant]?.key ?? "",
    read: ({ number, totals }) => ({ number, totalCents: Math.round(totals.total * 100) }),
    kill: worker.kill,
  });
}

export async function plainOn(file: string, port: number, tenants: number): Promise<Contender> {
  const script = join(root, "test/bench/peers/plain-server.ts");
  const child = spawn(process.execPath, [script, file, String(port), String(tenants)], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  const url = `http://127.0.0.1:${port}`;
  await answers(url);
  return contender({
    name: "plain",
    url,
    keyOf: (tenant) => `key-${tenant}`,
    read: ({ number, totals }) => ({ number, totalCents: totals.total }),
    kill: () => killed(child),
  });
}

async function killed(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

/** The least that an answer costs on each runtime, and the least that an insert costs on the product's. */
export interface Floors {
  bareWorker(): Promise<void>;
  bareNode(): Promise<void>;
  insert(body: PeerBody): Promise<void>;
  stop(): Promise<void>;
}

export async function floorsOn(
  state: string,
  ports: { readonly bare: number; readonly floor: number },
  plainUrl: string,
): Promise<Floors> {
  const start = (name: string, port: number): Promise<RunningWorker> =>
    startWorker({ config: `test/bench/${name}/wrangler.toml`, port, state: join(state, name) });
  const bare = await start("bare", ports.bare);
  const floor = await start("floor", ports.floor);
  const get = async (url: string) => {
    await (await send(url)).text();
  };
  return {
    bareWorker: () => get(bare.url),
    bareNode: () => get(plainUrl),
    async insert(body) {
      const response = await send(floor.url, { method: "POST", body: JSON.stringify(body) });
      const text = await response.text();
      if (response.status !== 201) throw new Error(`the floor answered ${response.status}: ${text}`);
    },
    async stop() {
      await bare.stop();
      await floor.stop();
    },
  };
}
