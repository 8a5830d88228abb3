/**
 * The modules `cloudflare:workers` and `cloudflare:test` in plain Node, as far as the product and its tests
 * use them: bindings, objects that are called within the process, no KV and no R2.
 */
import { inject } from "vitest";
import { nodeDatabases } from "./node-ledger.ts";
import { inNextTurn } from "./sqlite-d1.ts";

declare module "vitest" {
  interface ProvidedContext {
    readonly variables: Readonly<Record<string, unknown>>;
  }
}

type ObjectClass = new (ctx: DurableObjectState, env: Cloudflare.Env) => object;

/** The exports of the Worker under test. */
export interface Served {
  readonly default: ExportedHandler<Cloudflare.Env>;
  readonly OwnerApi: new (
    ctx: ExecutionContext,
    env: Cloudflare.Env,
  ) => { fetch(request: Request): Promise<Response> };
  readonly ConnectionLedger: ObjectClass;
}

let served: Served | undefined;

/** The product's modules import this one, so they are handed over when both are loaded. */
export function serve(worker: Served): void {
  served = worker;
}

function servedWorker(): Served {
  if (!served) throw new Error("the setup file has handed over no Worker");
  return served;
}

const databases = nodeDatabases();

export function freshWorld(): void {
  databases.empty();
  opened.clear();
  storages.clear();
}

export class DurableObject {
  ctx: DurableObjectState;
  env: Cloudflare.Env;

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    this.ctx = ctx;
    this.env = env;
  }
}

export class WorkerEntrypoint {
  ctx: ExecutionContext;
  env: Cloudflare.Env;

  constructor(ctx: ExecutionContext, env: Cloudflare.Env) {
    this.ctx = ctx;
    this.env = env;
  }
}

export function waitUntil(work: Promise<unknown>): void {
  work.catch(() => undefined);
}

export function createExecutionContext(): ExecutionContext {
  const context = { waitUntil, passThroughOnException: () => {}, props: {} };
  return context as unknown as ExecutionContext;
}

const unlimited = { limit: async () => ({ success: true }) };

/** Objects of a class by their name. The product uses no other member of a namespace. */
const namespace = {
  getByName: (name: string) => stubOf(name),
  jurisdiction: () => namespace,
};

const bindings = {
  ...inject("variables"),
  ...databases.bindings,
  CONNECTION_LEDGER: namespace,
  FAILED_AUTHENTICATION_LIMIT: unlimited,
  LOOKS_BY_LINK_LIMIT: unlimited,
  LOOKS_BY_NETWORK_LIMIT: unlimited,
};

export const env = bindings as unknown as Cloudflare.Env;

/** Node wants to know that a body in pieces is sent before the response comes. */
function requestOf(input: string | Request, init: RequestInit = {}): Request {
  if (input instanceof Request) return input;
  const inPieces = init.body instanceof ReadableStream ? { duplex: "half" } : {};
  return new Request(input, { ...init, ...inPieces });
}

export const exports = {
  default: {
    fetch: async (input: string | Request, init?: RequestInit) =>
      servedWorker().default.fetch?.(requestOf(input, init) as never, env, createExecutionContext()),
  },
  OwnerApi: {
    fetch: (input: string | Request, init?: RequestInit) => {
      const { OwnerApi } = servedWorker();
      return new OwnerApi(createExecutionContext(), env).fetch(requestOf(input, init));
    },
  },
};

interface Opened {
  readonly instance: object;
  readonly ctx: DurableObjectState;
}

const opened = new Map<string, Opened>();
/** The objects' own storage. */
const storages = new Map<string, object>();

function openedObject(name: string): Opened {
  const known = opened.get(name);
  if (known) return known;
  const storage = storages.get(name) ?? memoryStorage();
  storages.set(name, storage);
  const ctx = { id: { name, toString: () => name }, storage } as unknown as DurableObjectState;
  const made = { ctx, instance: new (servedWorker().ConnectionLedger)(ctx, env) };
  opened.set(name, made);
  return made;
}

type Stub = Pick<DurableObjectStub, "id">;

/** The instance ends between two calls; the next call opens another one over the same storage. */
export async function evictDurableObject({ id }: Stub): Promise<void> {
  opened.delete(id.toString());
}

/** False if the object has set no alarm. */
export async function runDurableObjectAlarm({ id }: Stub): Promise<boolean> {
  const { instance, ctx } = openedObject(id.toString());
  if ((await ctx.storage.getAlarm()) === null) return false;
  await ctx.storage.deleteAlarm();
  await (instance as { alarm(): Promise<void> }).alarm();
  return true;
}

export async function runInDurableObject<T>(
  { id }: Stub,
  work: (instance: object, ctx: DurableObjectState) => T | Promise<T>,
): Promise<T> {
  const { instance, ctx } = openedObject(id.toString());
  return work(instance, ctx);
}

export function createScheduledController({ cron = "", scheduledTime = new Date() } = {}) {
  return { cron, scheduledTime: scheduledTime.getTime(), noRetry: () => {} };
}

/** Calls the object of that name. Values cross as they cross RPC: as copies, and only if they are plain. */
function stubOf(name: string): object {
  const id = { name, toString: () => name };
  return new Proxy(
    { id },
    {
      get(target, member) {
        if (member in target || member === "then") return Reflect.get(target, member);
        return async (...given: unknown[]) => {
          const { instance } = openedObject(name);
          const method: unknown = Reflect.get(instance, member);
          if (typeof method !== "function") throw new TypeError(`no method ${String(member)} over RPC`);
          const answer = await Reflect.apply(method, instance, given.map(copied));
          return inNextTurn(() => copied(answer), []);
        };
      },
    },
  );
}

/** RPC refuses instances of classes, of which a structured clone would keep the fields. */
function copied(value: unknown): unknown {
  if (typeof value === "function") throw new DOMException("a function does not cross RPC", "DataCloneError");
  if (typeof value !== "object" || value === null || value instanceof ReadableStream) return value;
  if (value instanceof Uint8Array || value instanceof Date) return structuredClone(value);
  if (Array.isArray(value)) return value.map(copied);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new DOMException(`${value.constructor.name} does not cross RPC`, "DataCloneError");
  }
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copied(member)]));
}

function memoryStorage() {
  const kept = new Map<string, unknown>();
  let alarm: number | null = null;
  return {
    get: async (key: string) => structuredClone(kept.get(key)),
    put: async (key: string, value: unknown) => void kept.set(key, structuredClone(value)),
    getAlarm: async () => alarm,
    setAlarm: async (at: number) => {
      alarm = at;
    },
    deleteAlarm: async () => {
      alarm = null;
    },
    list: async () => new Map(kept),
  };
}
