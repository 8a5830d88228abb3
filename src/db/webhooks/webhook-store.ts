import { and, eq, isNull } from "drizzle-orm";
import type { Page, PageRead } from "../../domain/webhook/page.ts";
import type { Database } from "../database.ts";
import type { FencedStatement } from "../fence.ts";
import { webhookEndpoint } from "../schema/submission.ts";
import {
  changedFact,
  heldFact,
  issuedFact,
  selectChanged,
  selectHeld,
  selectIssued,
} from "./webhook-pages.ts";
import type { Begun, BegunAttempt, WebhookListing, WebhookStatus, WebhookStore } from "./webhook-ports.ts";
import {
  chainFrom,
  deliveryFrom,
  endpointFrom,
  logPageFrom,
  selectChainHeads,
  selectCursors,
  selectDue,
  selectEndpoints,
  selectLastHeld,
  selectLog,
  selectStanding,
  standingFrom,
} from "./webhook-reads.ts";
import {
  beginAttempt,
  endEndpoint,
  forgetDeliveries,
  forgetEndpoints,
  passageStatements,
  settleAttempt,
  stopDeliveries,
} from "./webhook-writes.ts";

/** Webhooks of one connection: rows of others are neither read nor written. */
export function webhookStore(db: Database, connectionId: string): WebhookStore {
  return {
    readStanding: () => readStanding(db, connectionId),
    readPages: (pages) => readPages(db, connectionId, pages),
    pass: async (passages) =>
      allOf(
        db,
        passages.flatMap((passage) => passageStatements(db, connectionId, passage)),
      ),
    readDue: async (asked) => (await selectDue(db, asked)).map(deliveryFrom),
    begin: (endpointId, attempts) => begin(db, endpointId, attempts),
    settle: async (settled, end) =>
      allOf(db, [
        ...settled.map((delivery) => settleAttempt(db, delivery)),
        ...(end ? [endEndpoint(db, connectionId, end)] : []),
      ]),
    end: async (end) => allOf(db, [endEndpoint(db, connectionId, end)]),
    stop: async (at, limit) => (await stopDeliveries(db, connectionId, at, limit)).length,
    forget: async (before, limit) => {
      const deliveries = forgetDeliveries(db, connectionId, before, limit);
      const [made, , ended] = await db.batch([deliveries, ...forgetEndpoints(db, connectionId, before)]);
      return made.length + ended.length;
    },
    list: () => list(db, connectionId),
    listDeliveries: async (asked) => logPageFrom(await selectLog(db, connectionId, asked), asked),
  };
}

async function readStanding(db: Database, connectionId: string): Promise<WebhookStatus> {
  const [webhooks, cursors, chains, [held]] = await db.batch([
    selectStanding(db, connectionId),
    selectCursors(db, connectionId),
    selectChainHeads(db, connectionId),
    selectLastHeld(db, connectionId),
  ]);
  return {
    frozen: webhooks.some(({ frozen }) => frozen !== 0),
    webhooks: webhooks.map((row) => standingFrom(row, cursors)),
    heads: { chains: chains.map(chainFrom), heldSeq: held?.heldSeq ?? 0 },
  };
}

async function readPages(
  db: Database,
  connectionId: string,
  pages: readonly Page[],
): Promise<readonly PageRead[]> {
  const [first, ...others] = pages.map((page) => pageOf(db, connectionId, page));
  if (!first) return [];
  const rows = await db.batch([first.select, ...others.map(({ select }) => select)]);
  return [first, ...others].map(({ read }, index) => read(rows[index] ?? []));
}

interface PageSelect {
  readonly select: FencedStatement;
  /** Types the rows of the select next to it: a mixed batch has no types. */
  readonly read: (rows: unknown) => PageRead;
}

function pageOf(db: Database, connectionId: string, page: Page): PageSelect {
  switch (page.source) {
    case "issued": {
      const select = selectIssued(db, connectionId, page);
      const read = (rows: Awaited<typeof select>) => ({
        ...page,
        facts: rows.map((row) => issuedFact(page, row)),
      });
      return { select, read: (rows) => read(rows as Awaited<typeof select>) };
    }
    case "changed": {
      const select = selectChanged(db, connectionId, page);
      const read = (rows: Awaited<typeof select>) => ({
        ...page,
        facts: rows.map((row) => changedFact(page, row)),
      });
      return { select, read: (rows) => read(rows as Awaited<typeof select>) };
    }
    case "held": {
      const select = selectHeld(db, connectionId, page);
      const read = (rows: Awaited<typeof select>) => ({ ...page, facts: rows.map(heldFact) });
      return { select, read: (rows) => read(rows as Awaited<typeof select>) };
    }
  }
}

async function begin(db: Database, endpointId: string, attempts: readonly BegunAttempt[]): Promise<Begun> {
  const alive = and(eq(webhookEndpoint.id, endpointId), isNull(webhookEndpoint.endedAt));
  const [endpoints, ...begun] = await db.batch([
    db.select().from(webhookEndpoint).where(alive),
    ...attempts.map((attempt) => beginAttempt(db, endpointId, attempt)),
  ]);
  const [endpoint] = endpoints.map(endpointFrom);
  const target = endpoint && { url: endpoint.url, secrets: endpoint.secrets };
  return { ids: begun.flatMap((rows) => rows.map(({ id }) => id)), ...(target ? { target } : {}) };
}

async function list(db: Database, connectionId: string): Promise<readonly WebhookListing[]> {
  const endpoints = (await selectEndpoints(db, connectionId)).map(endpointFrom);
  return endpoints.map(({ secrets, ...shown }) => ({ ...shown, rotating: secrets.previous !== undefined }));
}

async function allOf(db: Database, statements: readonly FencedStatement[]): Promise<void> {
  const [first, ...others] = statements;
  if (first) await db.batch([first, ...others]);
}
