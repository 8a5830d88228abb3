import type { Context } from "hono";
import type { AppEnv } from "../api/deps.ts";
import { sha256Hex } from "../domain/shared/sha256.ts";
import type { Framing } from "../domain/viewer/access.ts";
import type { Viewing, ViewingOutcome } from "../ledger/access/customer-access.ts";
import type { OrderDocuments } from "../ledger/access/order-documents.ts";
import { BRAKE_SECONDS, isBraked } from "../platform/brake.ts";
import { networkIn } from "../platform/client-network.ts";
import { brakedHtml, goneHtml, unavailableHtml, viewerLanguage, viewerPolicy } from "./viewer.tsx";
import { openToken } from "./viewer-token.ts";

export interface Looked {
  readonly token: string;
  readonly framing: Framing;
  readonly documents: OrderDocuments;
  /** When the link ends, in whole seconds since 1970. */
  readonly expiresAt: number;
}

const RETRY_AFTER_SECONDS = 5;

/** The viewing of the token in the path; otherwise one page for every reason. */
export async function look(c: Context<AppEnv>): Promise<Looked | Response> {
  const { deps } = c.var;
  const token = c.req.param("token") ?? "";
  if (await isBraked(deps.looks.byNetwork, networkIn(c))) return braked(c);
  const opened = await openToken(token, { secrets: deps.viewerTokenSecrets }, deps.now());
  if (opened.is === "forged") return gone(c);
  const { grant } = opened;
  const { framing, connectionId, epoch, idExternal, expiresAt } = grant;
  frameBy(c, framing);
  if (opened.is === "over") return gone(c, 410);
  // Counted by its hash: the token itself opens the invoice and must appear only in its URL.
  if (await isBraked(deps.looks.byLink, sha256Hex(token))) return braked(c);
  const viewing: Viewing = { connectionId, epoch, idExternal, withDocuments: false };
  const [kept, confirmed] = await Promise.all([snapshotOf(c, token), ask(c, viewing)]);
  if (confirmed.outcome !== "open") return notShown(c, confirmed);
  const known = kept ?? confirmed.documents;
  if (known) return { token, framing, documents: known, expiresAt };
  const read = await ask(c, { ...viewing, withDocuments: true });
  if (read.outcome !== "open") return notShown(c, read);
  return read.documents ? { token, framing, documents: read.documents, expiresAt } : gone(c);
}

/** A page of the viewer, under its own policy. */
export function viewerResponse(
  c: Context<AppEnv>,
  html: string | Uint8Array<ArrayBuffer>,
  { status = 200, headers = {} }: { status?: number; headers?: Readonly<Record<string, string>> } = {},
): Response {
  return new Response(html, {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": viewerPolicy(c.var.framedBy),
      "X-Robots-Tag": "noindex",
      Vary: "Accept-Language",
      ...headers,
    },
  });
}

/** One page for unknown, expired and disabled links. */
export function gone(c: Context<AppEnv>, status: 404 | 410 = 404): Response {
  return viewerResponse(c, goneHtml(languageOf(c)), { status });
}

export function languageOf(c: Context<AppEnv>) {
  return viewerLanguage(c.req.header("Accept-Language"));
}

function braked(c: Context<AppEnv>): Response {
  c.set("errorCode", "rate_limited");
  const headers = { "Retry-After": String(BRAKE_SECONDS) };
  return viewerResponse(c, brakedHtml(languageOf(c)), { status: 429, headers });
}

function frameBy(c: Context<AppEnv>, framing: Framing): void {
  if (framing.presentation === "embed") c.set("framedBy", framing.origin);
}

/** A failing cache counts as a miss. */
async function snapshotOf(c: Context<AppEnv>, token: string): Promise<OrderDocuments | undefined> {
  try {
    return await c.var.deps.snapshots.read(token);
  } catch {
    c.set("failureCause", "snapshot_read");
    return undefined;
  }
}

async function ask(c: Context<AppEnv>, viewing: Viewing): Promise<ViewingOutcome> {
  const outcome = await c.var.deps.connection(viewing.connectionId).viewInvoices(viewing);
  c.set("d1Trips", (c.var.d1Trips ?? 0) + outcome.d1Trips);
  return outcome;
}

/** No document is shown while access cannot be confirmed. */
function notShown(c: Context<AppEnv>, outcome: Exclude<ViewingOutcome, { outcome: "open" }>): Response {
  if (outcome.outcome === "closed") return gone(c);
  c.set("failureCause", outcome.cause);
  const seconds = outcome.outcome === "unavailable" ? outcome.retryAfterSeconds : RETRY_AFTER_SECONDS;
  const headers = { "Retry-After": String(Math.max(1, Math.ceil(seconds))) };
  return viewerResponse(c, unavailableHtml(languageOf(c)), { status: 503, headers });
}
