import { type Context, Hono } from "hono";
import * as z from "zod";
import { present } from "../../api/wire/json.ts";
import { list } from "../../api/wire/values.ts";
import type { LinePart } from "../../domain/invoice/line-balances.ts";
import { isTaxed } from "../../domain/invoice/line-nets.ts";
import { scaleOf } from "../../domain/invoice/prepare.ts";
import { type LinesRectification, SALE_CHANGES } from "../../domain/invoice/rectified-lines.ts";
import { isOss } from "../../domain/invoice/tax-groups.ts";
import { type Decimal, divide, isZero, toFixed, ZERO } from "../../domain/shared/decimal.ts";
import type {
  LinesAct,
  LinesOutcome,
  LinesPreview,
  LinesRefusal,
} from "../../ledger/corrections/lines-outcomes.ts";
import { errorSentence, type Language, reasonMessage } from "../../words/words.ts";
import type { ConsoleEnv } from "../deps.ts";
import { question } from "../gates.ts";
import { shownDraft } from "../orders/view.ts";
import { refuse, refuseAtGate, refuseByRule } from "../refuse.ts";
import { body, changeId, decimalText, freeText, signedDecimalText } from "../shapes.ts";
import { draftSheets, type SheetOf } from "../shown-look.ts";

/** An order may have thousands of lines. A person chooses fewer, so a longer list is refused. */
const MOST_LINES = 1_000;

const part = z.union([
  z.strictObject({ line: z.int().min(1), quantity: decimalText }),
  z.strictObject({ line: z.int().min(1), amount: signedDecimalText }),
]);

/** The lines that go back. The owner may look at a preview before writing the cause. */
export const linesPreviewBody = z.strictObject({
  what: z.enum(SALE_CHANGES),
  lines: list(part, MOST_LINES).default([]),
  cause: freeText(500).default(""),
});

export const linesBody = z.strictObject({
  idempotency_key: changeId,
  what: z.enum(SALE_CHANGES),
  lines: list(part, MOST_LINES).default([]),
  cause: freeText(500),
  /** The total and the rest of the invoice as the preview has shown them; others refuse the act. */
  expects: z.strictObject({ total: signedDecimalText, left: signedDecimalText.optional() }),
});

/** Of what is not issued, a cause that is not written yet. */
const NO_CAUSE = "…";

/** Refunds, price reductions, new issues and annulments by the lines of an invoice. */
export const lineRoutes = new Hono<ConsoleEnv>()
  .post("/invoices/:invoice/rectifications/preview", question, body(linesPreviewBody), async (c) => {
    const { cause, ...sent } = c.req.valid("json");
    const stated = cause.trim() === "" ? NO_CAUSE : cause;
    const { outcome, order } = await rectifyLines(c, { ...sent, cause: stated }, { requestId: "preview" });
    if (outcome.outcome !== "previewed") return refusedLines(c, outcome, order);
    const reader = { language: c.var.language, sheetOf: await draftSheets(c) };
    return c.json({ success: true as const, data: shownLines(outcome.preview, order, reader) });
  })
  .post("/invoices/:invoice/rectifications", body(linesBody), async (c) => {
    const { idempotency_key: requestId, expects, ...sent } = c.req.valid("json");
    const act = { userId: c.var.user.id, ...present(expects) };
    const { outcome, order } = await rectifyLines(c, sent, { requestId, act });
    if (outcome.outcome !== "rectified" && outcome.outcome !== "replayed")
      return refusedLines(c, outcome, order);
    const { invoiceId: id, fullNumber, annulled } = outcome.made;
    const replayed = outcome.outcome === "replayed";
    return c.json({ success: true as const, data: { id, fullNumber, annulled }, replayed });
  });

interface Sent {
  readonly what: LinesRectification["what"];
  readonly lines: readonly LinePart[];
  readonly cause: string;
}

interface Act {
  readonly requestId: string;
  readonly act?: LinesAct;
}

interface Rectified {
  readonly outcome: LinesOutcome;
  /** The reference of the invoice's order. */
  readonly order: string | undefined;
}

async function rectifyLines(
  c: Context<ConsoleEnv>,
  { what, lines, cause }: Sent,
  act: Act,
): Promise<Rectified> {
  const { account, reads, deps } = c.var;
  const invoiceId = c.req.param("invoice") ?? "";
  const place = await reads.invoice.findPlace(account.accountId, invoiceId);
  if (!place) return refuse(c, "not_found");
  const { connectionId, order } = place;
  const outcome = await deps.owner(connectionId).rectifyLines(connectionId, {
    ...act,
    invoiceId,
    ...(order ? { order: order.id } : {}),
    rectification: { what, parts: lines, cause },
  });
  return { outcome, order: order?.reference };
}

async function refusedLines(
  c: Context<ConsoleEnv>,
  refused: LinesOutcome,
  order: string | undefined,
): Promise<never> {
  switch (refused.outcome) {
    case "previewed":
    case "rectified":
    case "replayed":
      throw new Error("what was asked for is no refusal");
    case "stale": {
      const { preview } = refused;
      const facts = { number: preview.invoice.fullNumber };
      const reader = { language: c.var.language, sheetOf: await draftSheets(c) };
      return refuse(c, "preview_stale", { facts, data: shownLines(preview, order, reader) });
    }
    case "conflict":
      return refuse(c, "idempotency_conflict", {
        facts: { number: refused.fullNumber, external_id: "idempotency_key" },
      });
    case "refused":
      return refuseByRule(c, said(refused.refusal, refused.waits, c.var.language));
    default:
      return refuseAtGate(c, refused);
  }
}

/** A refusal because of the order says the order's reason. */
function said(refusal: LinesRefusal, waits: LinesPreview["waits"], language: Language): LinesRefusal {
  if (!waits) return refusal;
  const why = reasonMessage(waits, language).replace(/\.$/, "");
  return { ...refusal, facts: { ...refusal.facts, why } };
}

function shownLines(
  preview: LinesPreview,
  order: string | undefined,
  { language, sheetOf }: { readonly language: Language; readonly sheetOf: SheetOf },
) {
  const { invoice, refusal, waits, parts, total, leftAfter } = preview;
  const scale = scaleOf(invoice.currency);
  const inCoin = (amount: Decimal) => toFixed(amount, scale);
  const now = new Map(parts.map((each) => [each.line, each.gross]));
  return {
    invoice,
    order: order ?? null,
    changes: preview.changes,
    lines: preview.lines.map(({ line, key, description, quantity, worth, taken, left }) => ({
      ...{ line, description, quantity },
      tax: key.tax,
      regime: key.regime ?? "",
      qualification: key.qualification,
      country: isOss(key) ? (invoice.consumedIn ?? "") : "",
      rate: isTaxed(key) ? key.rate : null,
      surchargeRate: key.surchargeRate ?? null,
      /** Of one piece, with tax. */
      price: inCoin(isZero(quantity) ? worth : divide(worth, quantity, scale)),
      worth: inCoin(worth),
      taken: { quantity: taken.quantity, amount: inCoin(taken.gross) },
      left: { quantity: left.quantity, amount: inCoin(left.gross) },
      amount: inCoin(now.get(line) ?? ZERO),
    })),
    left: inCoin(preview.left),
    leftAfter: leftAfter === undefined ? null : inCoin(leftAfter),
    total: total === undefined ? null : inCoin(total),
    drafts: preview.drafts.map((draft) => shownDraft(draft, sheetOf)),
    annulled: preview.annulled,
    problem: refusal ? shownProblem(said(refusal, waits, language), language) : null,
  };
}

function shownProblem({ code, path = "", facts }: LinesRefusal, language: Language) {
  return { code, path, message: errorSentence(code, facts, language) };
}
