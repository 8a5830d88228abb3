import { type Context, Hono } from "hono";
import * as z from "zod";
import { list } from "../../api/wire/values.ts";
import type { OrderAnswer } from "../../domain/order/answers/table.ts";
import { type Question, questionParts } from "../../domain/order/question.ts";
import { holds, type Reason } from "../../domain/order/reasons.ts";
import { answersTogether, checkTogether } from "../../domain/order/together.ts";
import { add, type Decimal, ZERO } from "../../domain/shared/decimal.ts";
import { isoInstant } from "../../domain/shared/instant.ts";
import type { PreviewOutcome } from "../../ledger/orders/order-outcomes.ts";
import { errorSentence, type Language } from "../../words/words.ts";
import type { ConsoleEnv } from "../deps.ts";
import { question } from "../gates.ts";
import { actAt } from "../owner-verb.ts";
import { cursor, cursorOf } from "../pages.ts";
import { refuse, refuseAtGate, refuseByRule } from "../refuse.ts";
import { body, changeId, freeText, idOf, orderId, query } from "../shapes.ts";
import { orderAnswer } from "./answers.ts";
import { PAGE } from "./listed-orders.ts";
import type { AskingOrder, QuestionListed } from "./questions-queries.ts";
import { reasonCode } from "./routes.ts";
import { shownReason } from "./view.ts";

/** Orders that a preview lists and decides. */
const MOST_PREVIEWED = 200;
/** Orders that are previewed at once: they share a turn of the queue. */
const AT_ONCE = 50;
/** Orders that can be left out: the page lists no more. */
const MOST_LEFT_OUT = MOST_PREVIEWED;

/** A question is known by its connection and its text. */
const questionAsked = z.strictObject({ connection: idOf(64), text: z.string().max(3_000) });

const questionKey = z.strictObject({
  orders: z.int(),
  connectionId: z.string().max(64),
  question: z.string().max(3_000),
});

export const questionsQuery = z.strictObject({
  connection: idOf(64).optional(),
  reason: reasonCode.optional(),
  cursor: cursor(questionKey).optional(),
});

export const questionPreviewBody = z.strictObject({
  question: questionAsked,
  /** Without it the orders are listed as they are. */
  answer: orderAnswer.optional(),
  except: list(orderId, MOST_LEFT_OUT),
});

export const questionAnswerBody = z.strictObject({
  idempotency_key: changeId,
  question: questionAsked,
  answer: orderAnswer,
  except: list(orderId, MOST_LEFT_OUT),
  remember: z.boolean(),
  /** `asOf` of the preview: orders that came or changed later are left alone. */
  as_of: z.int().min(0).optional(),
});

export const questionJobQuery = z.strictObject({
  connection: idOf(64),
  id: changeId,
  after: freeText(1_000).optional(),
});

/** The questions of held orders, answered for all that ask them. */
export const questionRoutes = new Hono<ConsoleEnv>()
  .get("/review/questions", query(questionsQuery), async (c) => {
    const { account, reads, language } = c.var;
    const { cursor: from, connection: connectionId, reason } = c.req.valid("query");
    const filter = {
      ...(connectionId === undefined ? {} : { connectionId }),
      ...(reason === undefined ? {} : { reason }),
    };
    const { rows, hasMore } = await reads.questions.list(account.accountId, filter, {
      limit: PAGE,
      after: from?.key,
    });
    const last = hasMore ? rows.at(-1) : undefined;
    return c.json({
      success: true as const,
      data: {
        items: rows.map((row) => shownQuestion(row, language)),
        next: last ? cursorOf({ way: "after", key: keyOf(last) }) : null,
      },
    });
  })
  .post("/review/questions/preview", question, body(questionPreviewBody), async (c) => {
    const { account, reads } = c.var;
    const { question: asked, answer, except } = c.req.valid("json");
    await ownConnection(c, asked.connection);
    if (answer) refuseUnfit(c, asked.text, answer);
    const [orders, listed] = await Promise.all([
      reads.questions.countOf(account.accountId, asked.connection, asked.text),
      reads.questions.orders(account.accountId, asked.connection, asked.text, MOST_PREVIEWED),
    ]);
    const leftOut = new Set(except);
    const decided = listed.filter(({ idExternal }) => !leftOut.has(idExternal));
    const previews: Previews = answer ? await previewsOf(c, asked.connection, decided, answer) : new Map();
    const [first] = listed;
    const choices = first && (await choicesOf(c, asked.connection, first.idExternal));
    return c.json({
      success: true as const,
      data: {
        orders,
        asOf: seenUntil(orders, listed),
        /** More orders ask it than are listed here. */
        isMore: orders > listed.length,
        items: listed.map(({ idExternal, changedAt: _, ...row }) => ({
          ...row,
          orderId: idExternal,
          would: shownWould(previews.get(idExternal), c.var.language),
        })),
        choices: choices ?? null,
        consequence: answer ? consequenceOf([...previews.values()]) : null,
      },
    });
  })
  .post("/review/questions/answers", body(questionAnswerBody), async (c) => {
    const { account, reads, deps } = c.var;
    const { idempotency_key: id, question: asked, answer, except, remember, as_of } = c.req.valid("json");
    const { connection } = asked;
    await ownConnection(c, connection);
    const known = await reads.questions.job(account.accountId, connection, id);
    if (!known) {
      refuseUnfit(c, asked.text, answer);
      const orders = await reads.questions.countOf(account.accountId, connection, asked.text);
      if (orders === 0) return refuse(c, "question_settled");
      const asOf = Math.min(as_of ?? deps.now(), deps.now());
      await actAt(c, connection, {
        verb: "answer_question",
        ...{ id, question: asked.text, answer, except, remember, asOf },
      });
    }
    return c.json({ success: true as const, data: await jobShown(c, { connection, id }) });
  })
  .get("/review/questions/answers", query(questionJobQuery), async (c) => {
    const { connection, id, after } = c.req.valid("query");
    await ownConnection(c, connection);
    const data = await jobShown(c, { connection, id, ...(after === undefined ? {} : { after }) });
    return c.json({ success: true as const, data });
  });

/** Another account's connection and a missing connection get the same reply. */
async function ownConnection(c: Context<ConsoleEnv>, id: string): Promise<void> {
  const { account, reads } = c.var;
  if (!(await reads.accounts.readConnection(account.accountId, id))) return refuse(c, "not_found");
}

function refuseUnfit(c: Context<ConsoleEnv>, text: Question, answer: OrderAnswer): void {
  const parts = questionParts(text) ?? refuse(c, "question_settled");
  const fits = checkTogether(parts, answer);
  if (!fits.ok) refuseByRule(c, fits.error);
}

function shownQuestion(row: QuestionListed, language: Language) {
  const { reason, idExternal, question: text, ...listed } = row;
  const together = answersTogether(reason.code);
  return {
    ...listed,
    text,
    about: questionParts(text)?.about ?? [],
    orderId: idExternal,
    reason: { ...shownReason(reason, language), answers: together, facts: namesIn(reason) },
  };
}

/** Texts of the reason that name the question: the amount, the discount, the country. */
export function namesIn({ facts }: Reason): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(facts).flatMap(([name, fact]): [string, string][] => {
      if (typeof fact === "string") return [[name, fact]];
      return "country" in fact && typeof fact.country === "string" ? [[name, fact.country]] : [];
    }),
  );
}

/** When the newest of the listed orders was written; null where more orders ask than are listed. */
function seenUntil(orders: number, listed: readonly AskingOrder[]): number | null {
  if (listed.length === 0 || orders > listed.length) return null;
  return Math.max(...listed.map(({ changedAt }) => changedAt));
}

function keyOf({ orders, connectionId, question: text }: QuestionListed) {
  return { orders, connectionId, question: text };
}

type Previews = ReadonlyMap<string, PreviewOutcome>;

/** The decision itself for each order, a group after the other; nothing is stored. */
async function previewsOf(
  c: Context<ConsoleEnv>,
  connectionId: string,
  listed: readonly AskingOrder[],
  answer: OrderAnswer,
): Promise<Previews> {
  const previews = new Map<string, PreviewOutcome>();
  for (let at = 0; at < listed.length; at += AT_ONCE) {
    const group = listed.slice(at, at + AT_ONCE);
    const outcomes = await Promise.all(
      group.map(({ idExternal }) => previewOf(c, connectionId, idExternal, [answer])),
    );
    for (const [index, { idExternal }] of group.entries()) {
      const outcome = outcomes[index];
      if (outcome) previews.set(idExternal, outcome);
    }
  }
  return previews;
}

function previewOf(
  { var: { deps, requestId } }: Context<ConsoleEnv>,
  connectionId: string,
  idExternal: string,
  answers: readonly OrderAnswer[],
): Promise<PreviewOutcome> {
  return deps.owner(connectionId).previewOrder(connectionId, {
    ...{ idExternal, answers, requestId, isOfQuestion: true },
  });
}

/** The choices that the answer's fields offer, from the oldest order. */
async function choicesOf(c: Context<ConsoleEnv>, connectionId: string, idExternal: string) {
  const outcome = await previewOf(c, connectionId, idExternal, []);
  switch (outcome.outcome) {
    case "previewed":
      return outcome.preview.choices;
    case "refused":
      // Erased meanwhile.
      return undefined;
    default:
      return refuseAtGate(c, outcome);
  }
}

function shownWould(outcome: PreviewOutcome | undefined, language: Language) {
  const nothing = { message: "", total: "", currency: "" };
  if (outcome === undefined) return null;
  if (outcome.outcome !== "previewed") return { would: "unknown" as const, ...nothing };
  const { refusals, reasons, state } = outcome.preview;
  const [refused] = refusals;
  if (refused) {
    const { code, facts } = refused.refusal;
    return { would: "refused" as const, ...nothing, message: errorSentence(code, facts, language) };
  }
  const issued = issuedIn(outcome);
  if (issued) return { would: "issued" as const, ...nothing, ...issued };
  const next = reasons.find(holds);
  if (state !== "held" || !next) return { would: "settled" as const, ...nothing };
  return { would: "waiting" as const, ...nothing, message: shownReason(next, language).title };
}

function issuedIn(
  outcome: PreviewOutcome,
): { readonly total: Decimal; readonly currency: string } | undefined {
  if (outcome.outcome !== "previewed" || outcome.preview.refusals.length > 0) return undefined;
  const draft = outcome.preview.drafts.find(({ kind }) => kind === "invoice");
  return draft && { total: draft.document.totals.total, currency: draft.document.request.currency };
}

/** The invoices that the answer would have issued, their sums by currency, and how many orders wait on. */
function consequenceOf(outcomes: readonly PreviewOutcome[]) {
  const issued = outcomes.flatMap((outcome) => issuedIn(outcome) ?? []);
  const sums = new Map<string, Decimal>();
  for (const { currency, total } of issued) sums.set(currency, add(sums.get(currency) ?? ZERO, total));
  const waiting = outcomes.filter(
    (outcome) =>
      outcome.outcome !== "previewed" ||
      outcome.preview.refusals.length > 0 ||
      outcome.preview.state === "held",
  );
  return {
    issued: issued.length,
    totals: [...sums].map(([currency, total]) => ({ currency, total })),
    waiting: waiting.length,
  };
}

interface JobPlace {
  readonly connection: string;
  readonly id: string;
  readonly after?: string;
}

async function jobShown(c: Context<ConsoleEnv>, { connection, id, after }: JobPlace) {
  const { account, reads } = c.var;
  const job = await reads.questions.job(account.accountId, connection, id);
  if (!job) return refuse(c, "not_found");
  const outcomes = await reads.questions.outcomes(connection, id, { limit: PAGE, after });
  const last = outcomes.length === PAGE ? outcomes.at(-1) : undefined;
  return {
    id,
    orders: job.orders,
    done: job.done,
    issued: job.issued,
    begunAt: isoInstant(job.begunAt),
    endedAt: job.endedAt === undefined ? null : isoInstant(job.endedAt),
    outcomes: outcomes.map(({ idExternal, ...row }) => ({ orderId: idExternal, ...row })),
    next: last?.idExternal ?? null,
  };
}
