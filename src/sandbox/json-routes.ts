/** The control and the received data, for tests. */
import { type Context, Hono } from "hono";
import { type Control, controlSchema, readControl, writeControl } from "./behaviour/control.ts";
import type { AuthorityDeps } from "./deps.ts";
import { toResponse, xmlAnswer } from "./soap/answer.ts";
import { emptyTables } from "./store/database.ts";
import { messageText, readMessage } from "./store/messages.ts";
import { readRecord } from "./store/records.ts";
import {
  chainViews,
  lineViews,
  messageView,
  messageViews,
  recordView,
  summary,
  verdictViews,
} from "./views.ts";

const MOST_MESSAGES = 1_000;

export function json(body: unknown, status = 200): Response {
  return Response.json(body, { status, headers: { "Cache-Control": "no-store" } });
}

/** Writing takes PUT, PATCH and DELETE, which no page of another origin can send unasked. */
export function jsonRoutes(deps: AuthorityDeps): Hono {
  const { database } = deps;
  const app = new Hono();
  app.get("/control", () => json(controlOf(deps)));
  app.put("/control", (context) => setControl(deps, context, {}));
  app.patch("/control", (context) => setControl(deps, context, controlOf(deps)));
  app.delete("/control", () => {
    writeControl(database, deps.initialControl);
    return json(controlOf(deps));
  });
  app.get("/summary", () => json(summary(database)));
  app.delete("/records", () => {
    emptyTables(database);
    return json({ emptied: true });
  });
  app.get("/records", ({ req }) => {
    const chains = chainViews(database, { nif: req.query("nif"), installation: req.query("installation") });
    return json({ chains });
  });
  app.get("/records/:id{[0-9]+}", (context) => oneRecord(deps, context));
  app.get("/messages", ({ req }) => {
    const after = Number(req.query("after") ?? 0) || 0;
    return json({ messages: messageViews(database, after, MOST_MESSAGES) });
  });
  app.get("/messages/:id{[0-9]+}", (context) => oneMessage(deps, context));
  app.get("/messages/:id{[0-9]+}/:part{request|response}", (context) => messagePart(deps, context));
  return app;
}

function controlOf({ database, initialControl }: AuthorityDeps): Control {
  return readControl(database, initialControl);
}

/** Missing top-level members keep the value of `base`, else their default. */
async function setControl(deps: AuthorityDeps, { req }: Context, base: Partial<Control>): Promise<Response> {
  const sent = await sentObject(req.raw);
  if (sent === undefined) return json({ error: "invalid_json" }, 400);
  const parsed = controlSchema.safeParse({ ...base, ...sent });
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
    return json({ error: "invalid_control", issues }, 422);
  }
  writeControl(deps.database, parsed.data);
  return json(controlOf(deps));
}

async function sentObject(request: Request): Promise<object | undefined> {
  try {
    const body: unknown = await request.json();
    return typeof body === "object" && body !== null && !Array.isArray(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

function oneRecord({ database }: AuthorityDeps, { req }: Context): Response {
  const row = readRecord(database, Number(req.param("id")));
  if (row === undefined) return json({ error: "not_found" }, 404);
  const record = recordView(row);
  return json({ ...record, nif: row.nif, xml: row.xml, verdicts: verdictViews(database, record.id) });
}

function oneMessage({ database }: AuthorityDeps, { req }: Context): Response {
  const row = readMessage(database, Number(req.param("id")));
  if (row === undefined) return json({ error: "not_found" }, 404);
  const message = messageView(row);
  return json({ ...message, lines: lineViews(database, message.id) });
}

/** The XML as received and as sent. Plain text, so that browsers do not render an error page. */
function messagePart({ database }: AuthorityDeps, { req }: Context): Response {
  const part = req.param("part") === "request" ? "request" : "response";
  const text = messageText(database, Number(req.param("id")), part);
  if (text === undefined) return json({ error: "not_found" }, 404);
  return toResponse({ ...xmlAnswer(text), contentType: "text/plain; charset=utf-8" });
}
