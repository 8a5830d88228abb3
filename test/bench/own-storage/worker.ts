/**
 * A prototype for a decision of docs/capacity.md. `OverD1` issues as the product does: groups of calls, one batch to
 * D1 each. `OwnStorage` issues into its own SQLite, and its alarm copies the rows to D1 behind the answer.
 */
import { DurableObject } from "cloudflare:workers";
import { type Head, INSERTS, issuedAfter, SCHEMA } from "./rows.ts";

interface Env {
  readonly DB: D1Database;
  readonly OVER_D1: DurableObjectNamespace<OverD1>;
  readonly OWN: DurableObjectNamespace<OwnStorage>;
  /** Added to every trip to D1. */
  readonly DELAY_MS: string;
}

const GROUP = 64;
const COPIED_AT_ONCE = 200;
const EMPTY: Head = { number: 0, hash: "" };

async function toD1(env: Env, statements: D1PreparedStatement[]): Promise<void> {
  await scheduler.wait(Number(env.DELAY_MS));
  await env.DB.batch(statements);
}

interface Call {
  readonly body: string;
  readonly answer: (number: number) => void;
  readonly fail: (error: unknown) => void;
}

export class OverD1 extends DurableObject<Env> {
  #head: Head | undefined;
  #waiting: Call[] = [];
  #isBusy = false;

  issue(tenant: string, body: string): Promise<number> {
    return new Promise((answer, fail) => {
      this.#waiting.push({ body, answer, fail });
      if (!this.#isBusy) this.ctx.waitUntil(this.#work(tenant));
    });
  }

  async #work(tenant: string): Promise<void> {
    this.#isBusy = true;
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, GROUP);
      try {
        let head = this.#head ?? (await this.#readHead(tenant));
        const numbers: number[] = [];
        const statements: D1PreparedStatement[] = [];
        for (const { body } of group) {
          const { head: next, values } = issuedAfter(head, tenant, body);
          for (const [at, sql] of INSERTS.entries())
            statements.push(this.env.DB.prepare(sql).bind(...(values[at] ?? [])));
          numbers.push(next.number);
          head = next;
        }
        await toD1(this.env, statements);
        this.#head = head;
        for (const [at, { answer }] of group.entries()) answer(numbers[at] ?? 0);
      } catch (error) {
        this.#head = undefined;
        for (const { fail } of group) fail(error);
      }
    }
    this.#isBusy = false;
  }

  async #readHead(tenant: string): Promise<Head> {
    await scheduler.wait(Number(this.env.DELAY_MS));
    const sql = "SELECT position AS number, hash FROM record WHERE tenant = ? ORDER BY position DESC LIMIT 1";
    return (await this.env.DB.prepare(sql).bind(tenant).first<Head>()) ?? EMPTY;
  }
}

export class OwnStorage extends DurableObject<Env> {
  #isArmed = false;
  #head: Head;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    for (const sql of SCHEMA) ctx.storage.sql.exec(sql);
    ctx.storage.sql.exec(
      "CREATE TABLE IF NOT EXISTS copied (id INTEGER PRIMARY KEY, number INTEGER NOT NULL)",
    );
    ctx.storage.sql.exec("INSERT OR IGNORE INTO copied VALUES (1, 0)");
    const last = "SELECT position AS number, hash FROM record ORDER BY position DESC LIMIT 1";
    const [head] = ctx.storage.sql.exec<{ number: number; hash: string }>(last);
    this.#head = head ?? EMPTY;
  }

  /** The runtime holds the answer back until the rows are on the disk. */
  async issue(tenant: string, body: string): Promise<number> {
    const { head, values } = issuedAfter(this.#head, tenant, body);
    this.ctx.storage.transactionSync(() => {
      for (const [at, sql] of INSERTS.entries()) this.ctx.storage.sql.exec(sql, ...(values[at] ?? []));
    });
    this.#head = head;
    if (!this.#isArmed) {
      this.#isArmed = true;
      await this.ctx.storage.setAlarm(Date.now());
    }
    return head.number;
  }

  override async alarm(): Promise<void> {
    const { sql } = this.ctx.storage;
    for (;;) {
      const { number: from } = sql.exec<{ number: number }>("SELECT number FROM copied").one();
      const to = Math.min(from + COPIED_AT_ONCE, this.#head.number);
      if (to === from) break;
      const statements = [
        ...this.#copy("invoice", "number", from, to, INSERTS[0]),
        ...this.#copy("record", "position", from, to, INSERTS[1]),
        ...this.#copy("entry", "number", from, to, INSERTS[2]),
        ...this.#copy("message", "position", from, to, INSERTS[3]),
      ];
      await toD1(this.env, statements);
      sql.exec("UPDATE copied SET number = ?", to);
    }
    this.#isArmed = false;
  }

  *#copy(table: string, key: string, from: number, to: number, insert = ""): Generator<D1PreparedStatement> {
    const rows = this.ctx.storage.sql.exec(
      `SELECT * FROM ${table} WHERE ${key} > ? AND ${key} <= ?`,
      from,
      to,
    );
    for (const row of rows.raw()) yield this.env.DB.prepare(insert).bind(...row);
  }

  /** Issued into its own storage. */
  count(): number {
    return this.#head.number;
  }
}

export default {
  async fetch(request, env) {
    const [, way, tenant = ""] = new URL(request.url).pathname.split("/");
    if (!way) {
      for (const sql of SCHEMA) await env.DB.prepare(sql).run();
      return new Response("ready");
    }
    if (request.method === "GET") {
      const sql = "SELECT count(*) AS n, max(number) AS last FROM invoice WHERE tenant = ?";
      const inD1 = await env.DB.prepare(sql).bind(`${way}-${tenant}`).first();
      const own = way === "own" ? await env.OWN.getByName(tenant).count() : 0;
      return Response.json({ ...inD1, own });
    }
    const body = await request.text();
    const object = way === "own" ? env.OWN.getByName(tenant) : env.OVER_D1.getByName(tenant);
    return Response.json({ number: await object.issue(`${way}-${tenant}`, body) }, { status: 201 });
  },
} satisfies ExportedHandler<Env>;
