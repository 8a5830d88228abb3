import { hc } from "hono/client";
import type { ConsoleApp } from "../../console/app.ts";
import { currentLanguage } from "../app/language.ts";
import { ApiError, errorFrom, OfflineError } from "./errors.ts";

/** Every route of the owner's API, typed by the API itself. */
export const api = hc<ConsoleApp>("/", {
  headers: () => ({ "Accept-Language": currentLanguage() }),
}).api;

interface Answer<Body> {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: Headers;
  json(): Promise<Body>;
}

/** The `data` of a response; anything else is thrown as an ApiError. */
export async function answer<Data>(
  call: Promise<Answer<{ readonly success: true; readonly data: Data }>>,
): Promise<Data> {
  const response = await call.catch(() => {
    throw new OfflineError();
  });
  if (!response.ok) throw await errorFrom(response);
  return (await response.json()).data;
}

export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}
