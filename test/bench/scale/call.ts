/** One call of the product, with ids from the middle of its books. */
import type { Answer, Asked, Scene } from "./scene.ts";

export interface Turn extends Scene {
  /** Its own for each request of a run: ids are made of it. */
  readonly n: string;
  /** When it began: a body that is sent twice is the same. */
  readonly at: number;
  /** The how-manieth of its call. */
  readonly index: number;
}

export interface Call {
  readonly name: string;
  /** Preparation that is neither counted nor timed. */
  readonly before?: (turn: Turn) => Promise<unknown>;
  readonly ask: (turn: Turn) => Asked | Promise<Asked>;
  /** Anything else is a failure of the bench. */
  readonly status: number;
  /** The most samples of a call that uses up its data. */
  readonly most?: number;
  /** Why the call may cost more with many invoices. */
  readonly grows?: string;
}

export function api(turn: Turn, method: Asked["method"], path: string, body?: object): Asked {
  return { method, path, key: turn.state.busy.key, ...(body ? { body } : {}) };
}

export function owner(turn: Turn, method: Asked["method"], path: string, body?: object): Asked {
  return { method, path: `/api/accounts/${turn.state.accountId}${path}`, ...(body ? { body } : {}) };
}

export function ofBusy(turn: Turn, path: string): string {
  return `/connections/${turn.state.busy.id}${path}`;
}

export function ofWaiting(turn: Turn, path: string): string {
  return `/connections/${turn.state.waiting.id}${path}`;
}

/** A place of a list, as its own addresses carry it. */
export function cursor(way: "after" | "before", key: object): string {
  return Buffer.from(JSON.stringify([way, key])).toString("base64url");
}

export async function succeed(asking: Promise<Answer>): Promise<Answer> {
  const answer = await asking;
  if (answer.status >= 400) throw new Error(`${answer.status} ${answer.text}`);
  return answer;
}

/** The object of the connection knows nothing from here on. */
export function forget({ ask, state }: Turn): Promise<Answer> {
  return succeed(ask({ method: "POST", path: `/bench/forget/${state.busy.id}` }));
}
