import { and, eq, type SQL, sql } from "drizzle-orm";
import { BY_HAND } from "../../domain/connection/kind.ts";
import {
  contentFrom,
  type DraftContent,
  draftExternalId,
  type StoredContent,
} from "../../domain/invoice/draft.ts";
import { directOrigin } from "../../domain/invoice/origin.ts";
import { DRAFTS } from "../../domain/limits.ts";
import type { Decimal } from "../../domain/shared/decimal.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { databaseOn, fromOwnJson, plainReads } from "../database.ts";
import { invoiceDraft } from "../schema/drafts.ts";
import { connection, invoice, invoiceDocument } from "../schema/ledger.ts";

/** A draft as it was saved last. */
export interface StoredDraft {
  readonly id: string;
  readonly version: number;
  readonly content: DraftContent;
  readonly savedBy: string;
  readonly savedAt: Instant;
}

export interface ListedDraft extends Omit<StoredDraft, "content"> {
  readonly customer: string;
  /** Of its first line. */
  readonly description: string;
}

export interface DraftPlace {
  readonly savedAt: Instant;
  readonly id: string;
}

interface NewDraft extends Omit<StoredDraft, "version"> {
  readonly accountId: string;
  /** The page's id of the request. */
  readonly madeBy: string;
}

export type MadeDraft =
  | { readonly outcome: "made"; readonly draft: StoredDraft }
  /** The same request made it before. */
  | { readonly outcome: "known"; readonly draft: StoredDraft }
  /** The same request made it before, and it is an invoice by now. */
  | { readonly outcome: "issued"; readonly issued: IssuedDraft }
  | { readonly outcome: "full" };

/** `changed`: another has saved it since. `gone`: it was issued or discarded. */
export type SavedDraft =
  | { readonly outcome: "done"; readonly version: number }
  | { readonly outcome: "changed"; readonly draft: StoredDraft }
  | { readonly outcome: "gone" };

/** The invoice that a draft has become. */
export interface IssuedDraft {
  readonly invoiceId: string;
  readonly fullNumber: string;
  readonly total: Decimal;
}

export interface DraftStore {
  /** The last saved first. */
  list(accountId: string, limit: number, after?: DraftPlace): Promise<readonly ListedDraft[]>;
  read(accountId: string, draftId: string): Promise<StoredDraft | undefined>;
  make(draft: NewDraft): Promise<MadeDraft>;
  save(accountId: string, draft: StoredDraft): Promise<SavedDraft>;
  remove(accountId: string, draft: Pick<StoredDraft, "id" | "version">): Promise<SavedDraft>;
  findIssued(accountId: string, draftId: string): Promise<IssuedDraft | undefined>;
  /** The connection that issues them: that for tests while the issuer's NIF is not proven. */
  findConnection(accountId: string, environment: "test" | "production"): Promise<ByHand | undefined>;
}

/** The connection for invoices by hand, and whether its owner's consent is in force. */
export interface ByHand {
  readonly connectionId: string;
  readonly consented: boolean;
}

export function draftStore(binding: D1Database): DraftStore {
  const db = databaseOn(binding);
  const plain = plainReads(binding);
  const ours = (accountId: string, id: string) =>
    and(eq(invoiceDraft.accountId, accountId), eq(invoiceDraft.id, id));
  const read = async (accountId: string, id: string) => {
    const [row] = await db.select().from(invoiceDraft).where(ours(accountId, id));
    return row && draftFrom(row);
  };
  const ifNot = async (accountId: string, id: string): Promise<SavedDraft> => {
    const draft = await read(accountId, id);
    return draft ? { outcome: "changed", draft } : { outcome: "gone" };
  };
  const findIssued = async (accountId: string, draftId: string): Promise<IssuedDraft | undefined> => {
    const [row] = await plain.rows<IssuedRow>(sql`SELECT ${invoice.id} AS id,
        ${invoice.fullNumber} AS full_number, (SELECT ${invoiceDocument.document} ->> '$.totals.total'
          FROM ${invoiceDocument} WHERE ${invoiceDocument.invoiceId} = ${invoice.id}) AS total
      FROM ${ofDraft(accountId, draftId)}`);
    return row && { invoiceId: row.id, fullNumber: row.full_number, total: row.total };
  };
  return {
    read,
    async list(accountId, limit, after) {
      const { id, savedAt, content } = invoiceDraft;
      const older = after ? sql`AND (${savedAt}, ${id}) < (${after.savedAt}, ${after.id})` : sql``;
      const rows = await plain.rows<ListedRow>(sql`SELECT ${id} AS id, ${invoiceDraft.version} AS version,
          ${invoiceDraft.savedBy} AS saved_by, ${savedAt} AS saved_at,
          ${content} ->> '$.recipient.company' AS customer, ${content} ->> '$.lines[0].description' AS line
        FROM ${invoiceDraft} WHERE ${invoiceDraft.accountId} = ${accountId} ${older}
        ORDER BY ${savedAt} DESC, ${id} DESC LIMIT ${limit}`);
      return rows.map(listedFrom);
    },
    async make({ accountId, madeBy, id, content, savedBy, savedAt }) {
      // An INSERT from a SELECT takes the columns in their order.
      const made = await db
        .insert(invoiceDraft)
        .select(sql`SELECT ${id}, ${accountId}, ${madeBy}, 1, ${JSON.stringify(content)},
            ${savedBy}, ${savedAt}
          WHERE (SELECT count(*) FROM ${invoiceDraft} WHERE account_id = ${accountId}) < ${DRAFTS.most}
            AND NOT EXISTS (SELECT 1 FROM ${invoiceDraft}
              WHERE account_id = ${accountId} AND made_by = ${madeBy})
            AND NOT EXISTS (SELECT 1 FROM ${ofDraft(accountId, id)})`)
        .returning({ id: invoiceDraft.id });
      if (made.length > 0) return { outcome: "made", draft: { id, version: 1, content, savedBy, savedAt } };
      const isIts = and(eq(invoiceDraft.accountId, accountId), eq(invoiceDraft.madeBy, madeBy));
      const [known] = await db.select().from(invoiceDraft).where(isIts);
      if (known) return { outcome: "known", draft: draftFrom(known) };
      const issued = await findIssued(accountId, id);
      return issued ? { outcome: "issued", issued } : { outcome: "full" };
    },
    async save(accountId, { id, version, content, savedBy, savedAt }) {
      const json = JSON.stringify(content);
      const [saved] = await db
        .update(invoiceDraft)
        .set({ version: version + 1, content: json, savedBy, savedAt })
        .where(and(ours(accountId, id), eq(invoiceDraft.version, version)))
        .returning({ version: invoiceDraft.version });
      if (saved) return { outcome: "done", version: saved.version };
      const kept = await ifNot(accountId, id);
      // The answer to the same save was lost.
      const isRepeat =
        kept.outcome === "changed" &&
        kept.draft.version === version + 1 &&
        kept.draft.savedBy === savedBy &&
        JSON.stringify(kept.draft.content) === json;
      return isRepeat ? { outcome: "done", version: kept.draft.version } : kept;
    },
    async remove(accountId, { id, version }) {
      const removed = await db
        .delete(invoiceDraft)
        .where(and(ours(accountId, id), eq(invoiceDraft.version, version)))
        .returning({ id: invoiceDraft.id });
      return removed.length > 0 ? { outcome: "done", version } : ifNot(accountId, id);
    },
    findIssued,
    async findConnection(accountId, environment) {
      const isUnproven = sql`account.verification IN ('unverified', 'in_review')`;
      const isTest = sql`(${environment} = 'production' AND ${isUnproven})`;
      const [row] = await plain.rows<ConnectionRow>(sql`SELECT ${connection.id} AS id,
          coalesce((SELECT consent.withdrawn_at IS NULL FROM consent
            WHERE consent.connection_id = ${connection.id}
            ORDER BY consent.granted_at DESC LIMIT 1), 0) AS consented
        FROM account JOIN ${connection} ON ${connection.accountId} = account.id
        WHERE account.id = ${accountId} AND ${connection.kind} = ${BY_HAND}
          AND EXISTS (SELECT 1 FROM installation WHERE installation.connection_id = ${connection.id}
            AND installation.trial = 1) = ${isTest}`);
      return row && { connectionId: row.id, consented: row.consented === 1 };
    },
  };
}

/** The invoice of a draft, for a FROM. */
function ofDraft(accountId: string, draftId: string): SQL {
  const origin = directOrigin(draftExternalId(draftId));
  return sql`${connection} CROSS JOIN ${invoice} ON ${invoice.connectionId} = ${connection.id}
      AND ${invoice.origin} = ${origin}
    WHERE ${connection.accountId} = ${accountId} AND ${connection.kind} = ${BY_HAND}`;
}

interface ListedRow {
  readonly id: string;
  readonly version: number;
  readonly saved_by: string;
  readonly saved_at: number;
  readonly customer: string | null;
  readonly line: string | null;
}

interface IssuedRow {
  readonly id: string;
  readonly full_number: string;
  readonly total: Decimal;
}

interface ConnectionRow {
  readonly id: string;
  readonly consented: number;
}

function listedFrom({ id, version, customer, line, saved_by: savedBy, saved_at: savedAt }: ListedRow) {
  return { id, version, savedBy, savedAt, customer: customer ?? "", description: line ?? "" };
}

function draftFrom(row: typeof invoiceDraft.$inferSelect): StoredDraft {
  const { id, version, content, savedBy, savedAt } = row;
  return { id, version, content: contentFrom(fromOwnJson<StoredContent>(content)), savedBy, savedAt };
}
