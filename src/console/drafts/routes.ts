import { type Context, Hono } from "hono";
import * as z from "zod";
import { sentText } from "../../api/wire/values.ts";
import { openByHand } from "../../db/accounts/opening.ts";
import { syncVerification } from "../../db/companies/sync-company.ts";
import type { ByHand, SavedDraft, StoredDraft } from "../../db/drafts/draft-store.ts";
import { newId } from "../../domain/connection/ids.ts";
import type { SeenDraft } from "../../domain/invoice/draft.ts";
import { DRAFTS } from "../../domain/limits.ts";
import { quotaExceeded } from "../../domain/quota.ts";
import { isoInstant } from "../../domain/shared/instant.ts";
import type { ByHandOutcome } from "../../ledger/issue/by-hand-outcomes.ts";
import { errorSentence } from "../../words/words.ts";
import type { ConsoleEnv } from "../deps.ts";
import { question } from "../gates.ts";
import { cursor, cursorOf } from "../pages.ts";
import { refuse, refuseAtGate, refuseByRule } from "../refuse.ts";
import { body, changeId, query, signedDecimalText } from "../shapes.ts";
import { type DraftProblem, draftContent, preparedDraft } from "./content.ts";
import { blankDraft, copiedDraft, draftForm, readIssuer, shownPreview } from "./view.ts";

const draftVersion = z.int().min(1);
const place = z.strictObject({ savedAt: z.int().min(0), id: z.string().max(40) });

export const draftsQuery = z.strictObject({ cursor: cursor(place).optional() });
export const newDraftBody = z.strictObject({ idempotency_key: changeId, content: draftContent });
export const draftBody = z.strictObject({ version: draftVersion, content: draftContent });
export const duplicateBody = z.strictObject({ idempotency_key: changeId });
export const discardQuery = z.strictObject({
  version: sentText(9)
    .regex(/^[1-9]\d{0,8}$/)
    .transform(Number),
});
export const draftIssueBody = z.strictObject({
  idempotency_key: changeId,
  /** The draft and the result that the person has seen. */
  expects: z.strictObject({
    version: draftVersion,
    number: z.string().min(1).max(60),
    total: signedDecimalText,
  }),
});

const PAGE = 25;
const NAME = { es: "Facturas a mano", en: "Invoices by hand" } as const;

/** Invoices that people of the company write in the console. */
export const draftRoutes = new Hono<ConsoleEnv>()
  .get("/drafts", query(draftsQuery), async (c) => {
    const { account, reads, deps } = c.var;
    const after = c.req.valid("query").cursor?.key;
    const rows = await reads.drafts.list(account.accountId, PAGE + 1, after);
    const items = rows.slice(0, PAGE);
    const last = items.at(-1);
    const names = await deps.members.namesOf([...new Set(items.map(({ savedBy }) => savedBy))]);
    const data = {
      items: items.map(({ savedBy, savedAt, ...item }) => ({
        ...item,
        savedAt: isoInstant(savedAt),
        savedBy: names.get(savedBy) ?? null,
      })),
      next:
        last && rows.length > PAGE
          ? cursorOf({ way: "after", key: { savedAt: last.savedAt, id: last.id } })
          : null,
    };
    return c.json({ success: true as const, data });
  })
  .get("/drafts/form", async (c) => {
    const issuer = await readIssuer(c);
    const byHand = await findByHand(c);
    const data = { form: draftForm(issuer), blank: blankDraft(issuer), byHand: byHand ?? null };
    return c.json({ success: true as const, data });
  })
  .post("/drafts/connection", async (c) => {
    await ensureConnection(c);
    return c.json({ success: true as const, data: (await findByHand(c)) ?? refuse(c, "not_found") });
  })
  .post("/drafts", body(newDraftBody), async (c) => {
    const { idempotency_key: madeBy, content } = c.req.valid("json");
    return c.json({ success: true as const, data: await make(c, madeBy, content) }, 201);
  })
  .get("/drafts/:draft", async (c) => {
    const data = await shownDraft(c, await readDraft(c));
    return c.json({ success: true as const, data });
  })
  .put("/drafts/:draft", body(draftBody), async (c) => {
    const { account, user, reads, deps } = c.var;
    const id = c.req.param("draft");
    const { version, content } = c.req.valid("json");
    const savedAt = deps.now();
    const change = { id, version, content, savedBy: user.id, savedAt };
    const saved = await refuseChanged(c, id, await reads.drafts.save(account.accountId, change));
    return c.json({ success: true as const, data: { version: saved, savedAt: isoInstant(savedAt) } });
  })
  .delete("/drafts/:draft", query(discardQuery), async (c) => {
    const id = c.req.param("draft");
    const { version } = c.req.valid("query");
    const removed = await c.var.reads.drafts.remove(c.var.account.accountId, { id, version });
    await refuseChanged(c, id, removed);
    return c.json({ success: true as const, data: {} });
  })
  .post("/drafts/:draft/duplicate", body(duplicateBody), async (c) => {
    const { content } = await readDraft(c);
    const { idempotency_key: madeBy } = c.req.valid("json");
    const data = await make(c, madeBy, copiedDraft(content));
    return c.json({ success: true as const, data }, 201);
  })
  .post("/drafts/:draft/preview", question, async (c) => {
    const { id, version, content } = await readDraft(c);
    const { problems, outcome } = await decide(c, { id, content, requestId: "preview" });
    const preview =
      outcome?.outcome === "previewed" || outcome?.outcome === "stale" ? outcome.preview : undefined;
    const shown = preview && shownPreview(c, preview, await readIssuer(c));
    return c.json({ success: true as const, data: { version, problems, preview: shown ?? null } });
  })
  .post("/drafts/:draft/issue", body(draftIssueBody), async (c) => {
    const { account, user, reads } = c.var;
    const { idempotency_key: requestId, expects } = c.req.valid("json");
    const id = c.req.param("draft");
    const draft = await reads.drafts.read(account.accountId, id);
    if (!draft) return c.json({ success: true as const, ...(await issuedBefore(c, id, expects)) });
    if (draft.version !== expects.version) await refuseChanged(c, id, { outcome: "changed", draft });
    const act = { userId: user.id, seen: { number: expects.number, total: expects.total } };
    const { problems, outcome } = await decide(c, { id, content: draft.content, requestId, act });
    switch (outcome?.outcome) {
      case "issued":
      case "replayed": {
        const { invoiceId, fullNumber } = outcome.invoice;
        const replayed = outcome.outcome === "replayed";
        return c.json({ success: true as const, data: { id: invoiceId, fullNumber }, replayed });
      }
      case "stale": {
        const { preview } = outcome;
        const data = { version: draft.version, preview: shownPreview(c, preview, await readIssuer(c)) };
        return refuse(c, "preview_stale", { facts: { number: preview.fullNumber }, data });
      }
      case "conflict":
        return refuse(c, "draft_issued", { facts: { number: outcome.fullNumber } });
      case "refused":
        return refuseByRule(c, outcome.refusal);
      case undefined:
        return refuse(c, "validation_failed", {
          facts: { problems: String(problems.length) },
          details: problems,
        });
      default:
        throw new Error("an issue is no preview");
    }
  });

async function findByHand(c: Context<ConsoleEnv>): Promise<ByHand | undefined> {
  const { account, reads, deps } = c.var;
  return reads.drafts.findConnection(account.accountId, deps.environment);
}

/** At the first draft the connection is opened; of two at once, one is. */
async function ensureConnection(c: Context<ConsoleEnv>): Promise<void> {
  const { account, user, deps, language } = c.var;
  if (await findByHand(c)) return;
  const { accountId, ledger } = account;
  const { environment, now, random } = deps;
  // The ledger decides for good if the connection is for tests, so it needs the company's current state.
  await syncVerification(accountId, deps.companies);
  await openByHand(
    { ledger, accountId, name: NAME[language], environment, openedBy: user.id },
    { connections: deps.accountsIn(ledger), now, random },
  );
}

async function make(c: Context<ConsoleEnv>, madeBy: string, content: StoredDraft["content"]) {
  const { account, user, reads, deps } = c.var;
  await ensureConnection(c);
  const id = newId("dr", account.ledger, deps.random);
  const made = await reads.drafts.make({
    ...{ id, accountId: account.accountId, madeBy, content },
    ...{ savedBy: user.id, savedAt: deps.now() },
  });
  if (made.outcome === "full") return refuseByRule(c, quotaExceeded("quota_drafts", DRAFTS.most));
  const { draft } = made;
  return { id: draft.id, version: draft.version, savedAt: isoInstant(draft.savedAt) };
}

/** A draft that was issued says so; any other that is not there is unknown. */
async function readDraft(c: Context<ConsoleEnv>): Promise<StoredDraft> {
  const { account, reads } = c.var;
  const id = c.req.param("draft") ?? "";
  return (await reads.drafts.read(account.accountId, id)) ?? refuseGone(c, id);
}

async function refuseGone(c: Context<ConsoleEnv>, id: string): Promise<never> {
  const issued = await c.var.reads.drafts.findIssued(c.var.account.accountId, id);
  if (!issued) return refuse(c, "not_found");
  return refuse(c, "draft_issued", { facts: { number: issued.fullNumber }, data: { id: issued.invoiceId } });
}

/** Of two people on one draft one acts; the other is told who, and gets the draft as it is now. */
async function refuseChanged(c: Context<ConsoleEnv>, id: string, saved: SavedDraft): Promise<number> {
  switch (saved.outcome) {
    case "done":
      return saved.version;
    case "gone":
      return refuseGone(c, id);
    case "changed": {
      const draft = await shownDraft(c, saved.draft);
      return refuse(c, "draft_changed", { facts: { person: draft.savedBy ?? "?" }, data: { draft } });
    }
  }
}

async function shownDraft(c: Context<ConsoleEnv>, { savedBy, savedAt, ...draft }: StoredDraft) {
  const names = await c.var.deps.members.namesOf([savedBy]);
  return { ...draft, savedAt: isoInstant(savedAt), savedBy: names.get(savedBy) ?? null };
}

interface Deciding {
  readonly id: string;
  readonly content: StoredDraft["content"];
  readonly requestId: string;
  readonly act?: { readonly userId: string; readonly seen: SeenDraft };
}

interface Decided {
  readonly problems: readonly DraftProblem[];
  /** Absent where the shape is wrong. */
  readonly outcome?: ByHandOutcome;
}

/** The shape by the contract, then the law by the connection's object. */
async function decide(c: Context<ConsoleEnv>, { id, content, requestId, act }: Deciding): Promise<Decided> {
  const { deps, language } = c.var;
  const prepared = preparedDraft(id, content, language);
  if (!prepared.ok) return { problems: prepared.error };
  const byHand = await findByHand(c);
  // The company was verified since, and its connection is for tests: no other is open yet.
  const closed = { outcome: "refused", refusal: { code: "invoicing_not_enabled", facts: {} } } as const;
  if (!byHand) return { problems: [problemOf(c, closed.refusal)], outcome: closed };
  const { connectionId } = byHand;
  const request = { requestId, invoice: prepared.value, ...(act ? { act } : {}) };
  const outcome = await deps.owner(connectionId).issueByHand(connectionId, request);
  switch (outcome.outcome) {
    case "refused":
      return { problems: [problemOf(c, outcome.refusal)], outcome };
    case "conflict":
      return refuse(c, "draft_issued", { facts: { number: outcome.fullNumber } });
    case "unauthorized":
    case "rate_limited":
    case "unavailable":
    case "failed":
      return refuseAtGate(c, outcome);
    default:
      return { problems: [], outcome };
  }
}

function problemOf(
  c: Context<ConsoleEnv>,
  { code, path = "", facts }: Extract<ByHandOutcome, { readonly outcome: "refused" }>["refusal"],
): DraftProblem {
  const known = { console_url: c.var.deps.consoleUrl, ...facts };
  return { path, code, message: errorSentence(code, known, c.var.language) };
}

/** The draft ended with its invoice: the same issue is a replay, and another person's is told. */
async function issuedBefore(c: Context<ConsoleEnv>, id: string, { number, total }: SeenDraft) {
  const issued = await c.var.reads.drafts.findIssued(c.var.account.accountId, id);
  if (issued?.fullNumber !== number || issued.total !== total) return refuseGone(c, id);
  return { data: { id: issued.invoiceId, fullNumber: number }, replayed: true };
}
