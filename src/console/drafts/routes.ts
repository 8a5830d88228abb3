import { type Context, Hono } from "hono";
import * as z from "zod";
import { sentText } from "../../api/wire/values.ts";
import { openByHand } from "../../db/accounts/opening.ts";
import { syncVerification } from "../../db/companies/sync-company.ts";
import type { ByHand, IssuedDraft, SavedDraft, StoredDraft } from "../../db/drafts/draft-store.ts";
import { derivedId } from "../../domain/connection/ids.ts";
import { draftOfInvoice } from "../../domain/invoice/draft-of-invoice.ts";
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
import { type DraftProblem, draftContent } from "./content.ts";
import { type DecidedDraft, type DraftDesk, decideDraft, issueDraft } from "./issue-draft.ts";
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
  .post("/invoices/:invoice/duplicate", body(duplicateBody), async (c) => {
    const { account, reads } = c.var;
    const read = await reads.invoice.readInvoice(account.accountId, c.req.param("invoice"));
    const copied = draftOfInvoice((read ?? refuse(c, "not_found")).stored.view.document);
    if (!copied.ok) return refuse(c, copied.error);
    const { idempotency_key: madeBy } = c.req.valid("json");
    return c.json({ success: true as const, data: await make(c, madeBy, copied.value) }, 201);
  })
  .post("/drafts/:draft/preview", question, async (c) => {
    const { id, version, content } = await readDraft(c);
    const decided = await decideDraft({ id, content, requestId: "preview" }, deskOf(c));
    const preview = "preview" in decided ? decided.preview : undefined;
    const shown = preview && shownPreview(c, preview, await readIssuer(c));
    const data = { version, problems: problemsIn(c, decided), preview: shown ?? null };
    return c.json({ success: true as const, data });
  })
  .post("/drafts/:draft/issue", body(draftIssueBody), async (c) => {
    const { idempotency_key: requestId, expects } = c.req.valid("json");
    const id = c.req.param("draft");
    const issue = { id, requestId, userId: c.var.user.id, expects };
    const outcome = await issueDraft(issue, deskOf(c));
    switch (outcome.outcome) {
      case "issued":
      case "replayed": {
        const { invoiceId, fullNumber } = outcome.made;
        const replayed = outcome.outcome === "replayed";
        return c.json({ success: true as const, data: { id: invoiceId, fullNumber }, replayed });
      }
      case "changed":
        return refuseOther(c, outcome.draft);
      case "gone":
        return refuseGone(c, outcome.issued);
      case "stale": {
        const { draft, preview } = outcome;
        const data = { version: draft.version, preview: shownPreview(c, preview, await readIssuer(c)) };
        return refuse(c, "preview_stale", { facts: { number: preview.fullNumber }, data });
      }
      case "misshapen": {
        const { problems } = outcome;
        const facts = { problems: String(problems.length) };
        return refuse(c, "validation_failed", { facts, details: problems });
      }
      case "refused":
        return refuseByRule(c, outcome.refusal);
      default:
        return refuseAtGate(c, outcome);
    }
  });

function deskOf({ var: { account, reads, deps, language } }: Context<ConsoleEnv>): DraftDesk {
  const { environment, owner } = deps;
  return { accountId: account.accountId, environment, language, drafts: reads.drafts, owner };
}

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
  const id = derivedId("dr", account.ledger, `${account.accountId} ${madeBy}`);
  const made = await reads.drafts.make({
    ...{ id, accountId: account.accountId, madeBy, content },
    ...{ savedBy: user.id, savedAt: deps.now() },
  });
  if (made.outcome === "full") return refuseByRule(c, quotaExceeded("quota_drafts", DRAFTS.most));
  if (made.outcome === "issued") return refuseGone(c, made.issued);
  const { draft } = made;
  return { id: draft.id, version: draft.version, savedAt: isoInstant(draft.savedAt) };
}

/** A draft that was issued says so; any other that is not there is unknown. */
async function readDraft(c: Context<ConsoleEnv>): Promise<StoredDraft> {
  const { account, reads } = c.var;
  const id = c.req.param("draft") ?? "";
  return (await reads.drafts.read(account.accountId, id)) ?? refuseGone(c, await readIssued(c, id));
}

function readIssued(c: Context<ConsoleEnv>, id: string): Promise<IssuedDraft | undefined> {
  return c.var.reads.drafts.findIssued(c.var.account.accountId, id);
}

function refuseGone(c: Context<ConsoleEnv>, issued: IssuedDraft | undefined): never {
  if (!issued) return refuse(c, "not_found");
  return refuse(c, "draft_issued", { facts: { number: issued.fullNumber }, data: { id: issued.invoiceId } });
}

async function refuseChanged(c: Context<ConsoleEnv>, id: string, saved: SavedDraft): Promise<number> {
  switch (saved.outcome) {
    case "done":
      return saved.version;
    case "gone":
      return refuseGone(c, await readIssued(c, id));
    case "changed":
      return refuseOther(c, saved.draft);
  }
}

/** Of two people on one draft one acts; the other is told who, and gets the draft as it is now. */
async function refuseOther(c: Context<ConsoleEnv>, other: StoredDraft): Promise<never> {
  const draft = await shownDraft(c, other);
  return refuse(c, "draft_changed", { facts: { person: draft.savedBy ?? "?" }, data: { draft } });
}

async function shownDraft(c: Context<ConsoleEnv>, { savedBy, savedAt, ...draft }: StoredDraft) {
  const names = await c.var.deps.members.namesOf([savedBy]);
  return { ...draft, savedAt: isoInstant(savedAt), savedBy: names.get(savedBy) ?? null };
}

/** The law names one problem, the shape all of its own. */
function problemsIn(c: Context<ConsoleEnv>, decided: DecidedDraft): readonly DraftProblem[] {
  switch (decided.outcome) {
    case "misshapen":
      return decided.problems;
    case "refused":
      return [problemOf(c, decided.refusal)];
    case "conflict":
      return refuse(c, "draft_issued", { facts: { number: decided.fullNumber } });
    case "unauthorized":
    case "rate_limited":
    case "unavailable":
    case "failed":
      return refuseAtGate(c, decided);
    default:
      return [];
  }
}

function problemOf(
  c: Context<ConsoleEnv>,
  { code, path = "", facts }: Extract<ByHandOutcome, { readonly outcome: "refused" }>["refusal"],
): DraftProblem {
  const known = { console_url: c.var.deps.consoleUrl, ...facts };
  return { path, code, message: errorSentence(code, known, c.var.language) };
}
