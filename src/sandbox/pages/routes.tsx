/** Pages with the received data, for people. */
import { Hono } from "hono";
import { readControl } from "../behaviour/control.ts";
import type { AuthorityDeps } from "../deps.ts";
import { type Row, textOf } from "../store/database.ts";
import { latestMessages, messageText, readMessage } from "../store/messages.ts";
import { readRecord } from "../store/records.ts";
import { chainViews, lineViews, messageView, recordView, verdictViews } from "../views.ts";
import { Layout, STYLESHEET, STYLESHEET_PATH } from "./layout.tsx";
import { MessagePage } from "./messages.tsx";
import { Overview } from "./overview.tsx";
import { ChainPage, RECORDS_A_PAGE, RecordPage } from "./records.tsx";

const MESSAGES_SHOWN = 50;
const EVERYBODY = { nif: undefined, installation: undefined };

export function pageRoutes(deps: AuthorityDeps): Hono {
  const { database, initialControl } = deps;
  const app = new Hono();
  app.get(STYLESHEET_PATH, () => new Response(STYLESHEET, { headers: { "Content-Type": "text/css" } }));
  app.get("/favicon.ico", () => new Response(null, { status: 204 }));
  app.get("/", () => {
    const messages = latestMessages(database, MESSAGES_SHOWN).map(messageView);
    const control = readControl(database, initialControl);
    const chains = chainViews(database, EVERYBODY);
    return html(<Overview chains={chains} messages={messages} control={control} />);
  });
  app.get("/cadena/:id{[0-9]+}", ({ req }) => {
    const chain = chainViews(database, EVERYBODY).find(({ id }) => id === Number(req.param("id")));
    const start = Number(req.query("desde") ?? 0);
    const isPage = Number.isSafeInteger(start) && start >= 0 && start % RECORDS_A_PAGE === 0;
    return chain === undefined ? missing() : html(<ChainPage chain={chain} start={isPage ? start : 0} />);
  });
  app.get("/registro/:id{[0-9]+}", ({ req }) =>
    recordPage(deps, readRecord(database, Number(req.param("id")))),
  );
  app.get("/mensaje/:id{[0-9]+}", ({ req }) =>
    messagePage(deps, readMessage(database, Number(req.param("id")))),
  );
  return app;
}

function recordPage({ database }: AuthorityDeps, row: Row | undefined): Response {
  if (row === undefined) return missing();
  const record = recordView(row);
  const text = (column: string) => textOf(row, column) ?? "";
  const chain = { id: Number(row.chain_id), nif: text("nif"), installation: text("installation") };
  const verdicts = verdictViews(database, record.id);
  return html(<RecordPage record={record} chain={chain} verdicts={verdicts} xml={text("xml")} />);
}

function messagePage({ database }: AuthorityDeps, row: Row | undefined): Response {
  if (row === undefined) return missing();
  const message = messageView(row);
  const request = messageText(database, message.id, "request") ?? "";
  const response = messageText(database, message.id, "response");
  const lines = lineViews(database, message.id);
  return html(<MessagePage message={message} lines={lines} request={request} response={response} />);
}

function missing(): Response {
  const page = (
    <Layout title="No encontrado">
      <h1>No encontrado</h1>
      <p>
        No hay nada con ese número. <a href="/">Volver a lo recibido</a>
      </p>
    </Layout>
  );
  return html(page, 404);
}

/** The result of `hono/jsx`: a node with escaped HTML as its text. */
interface Rendered {
  toString(): string;
}

function html(page: Rendered, status = 200): Response {
  return new Response(`<!DOCTYPE html>${page.toString()}`, {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy":
        "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'",
      "Cache-Control": "no-store",
    },
  });
}
