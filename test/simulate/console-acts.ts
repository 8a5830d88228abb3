/** What people do in the console, over the product's own stores and the calls of its objects. */
import {
  type DraftDesk,
  type DraftIssue,
  type DraftIssueOutcome,
  decideDraft,
  issueDraft,
} from "../../src/console/drafts/issue-draft.ts";
import { questionReads } from "../../src/console/orders/questions-queries.ts";
import { plainReads } from "../../src/db/database.ts";
import { draftStore } from "../../src/db/drafts/draft-store.ts";
import { timely, Unavailable } from "../../src/db/store-calls.ts";
import { newId } from "../../src/domain/connection/ids.ts";
import type { DraftContent } from "../../src/domain/invoice/draft.ts";
import type { InvoiceView } from "../../src/domain/invoice/invoice-view.ts";
import type { LineBalance, LinePart } from "../../src/domain/invoice/line-balances.ts";
import type { OrderAnswer } from "../../src/domain/order/answers/table.ts";
import { type Decimal, decimal, isPositive } from "../../src/domain/shared/decimal.ts";
import type { LinesOutcome, LinesRequest } from "../../src/ledger/corrections/lines-outcomes.ts";
import type { OrderView } from "../../src/ledger/orders/order-outcomes.ts";
import { D1_DEADLINE_MS, withDeadline } from "../../src/platform/limits.ts";
import { A_DRAFT, aDraftLine } from "../support/builders/drafts.ts";
import { aSubmission } from "../support/builders/sent-bodies.ts";
import { preparedInvoice } from "./callers.ts";
import {
  type AskingId,
  askingAbout,
  askingBody,
  type ByLines,
  type ConsoleStep,
  type Manner,
  type Portion,
  questionAbout,
} from "./console-steps.ts";
import { count } from "./figures.ts";
import { issue, sendOrder } from "./sales.ts";
import { invoiceBody } from "./steps.ts";
import { LEDGER, OWNER, type SimulatedShop } from "./template.ts";
import type { World } from "./world.ts";

/** A draft as its writer knows it. */
interface WrittenDraft {
  readonly id: string;
  version: number;
  /** Told that it is discarded: no issue that begins later may make an invoice of it. */
  discardedAt: number | undefined;
}

/** An act that was confirmed, and what was confirmed with it. */
export interface LinesActed {
  readonly connectionId: string;
  readonly key: string;
  readonly target: string;
  readonly seen: { readonly total: Decimal; readonly left: Decimal };
  readonly made: { readonly invoiceId: string; readonly annulled: boolean };
}

export interface DraftIssued {
  readonly draftId: string;
  readonly seen: { readonly number: string; readonly total: Decimal };
  readonly made: { readonly invoiceId: string; readonly fullNumber: string };
}

/** What people in the console know. */
export class Desk {
  readonly drafts: WrittenDraft[] = [];
  readonly acted: LinesActed[] = [];
  readonly issued: DraftIssued[] = [];
}

export async function actInConsole(step: ConsoleStep, world: World): Promise<unknown> {
  switch (step.do) {
    case "rectify direct":
    case "rectify order":
      return rectify(world, step);
    case "order that asks":
      return sendAsking(world, step.id, step.changed);
    case "answer question":
      return answerQuestion(world, step);
    case "write draft":
      return writeDraft(world, step.pieces);
    case "save draft":
      return saveDraft(world, step);
    case "issue draft":
      return issueShown(world, step);
    case "discard draft":
      return discard(world, step.nth);
  }
}

/** Like the console's own Worker: each statement has the deadline of D1. */
function storesOf({ template, network, scheduler }: World) {
  const binding = template.database.d1(network.travelOf({ isOver: false }));
  const after = (delayMs: number, act: () => void) => scheduler.after(delayMs, "console deadline", act);
  const deps = {
    withDeadline: <T>(call: Promise<T>) => withDeadline(call, D1_DEADLINE_MS, after),
    alertOperator: () => {},
  };
  return {
    drafts: timely(draftStore(binding), deps),
    questions: timely(questionReads(plainReads(binding)), deps),
  };
}

/** A read or write of the console itself; undefined where the database gave no answer. */
async function tried<T>(world: World, call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    count(world.figures, "console without its database");
    return undefined;
  }
}

interface Confirming {
  readonly act: (key: string) => Promise<unknown>;
  /** What another does between the preview and this act. */
  readonly meanwhile: () => Promise<unknown>;
}

/** Runs requests with one key, or with two of two people who saw the same. */
async function inManner(
  { scheduler, chance, callers }: World,
  manner: Manner,
  { act, meanwhile }: Confirming,
): Promise<void> {
  const key = callers.nextRequest();
  if (manner === "late") await scheduler.sleep(chance.between(500, 90_000), "person reads");
  if (manner === "overtaken") await meanwhile();
  const [isTwice, areTwo] = [manner === "twice at once", manner === "two people"];
  await Promise.all([key, ...(isTwice ? [key] : []), ...(areTwo ? [callers.nextRequest()] : [])].map(act));
}

type Rectifying = Extract<ConsoleStep, { do: "rectify direct" | "rectify order" }>;

interface Target extends Pick<LinesRequest, "invoiceId" | "order"> {
  readonly shop: SimulatedShop;
}

async function rectify(world: World, step: Rectifying): Promise<void> {
  if (!targetOf(world, step)) await sell(world, step);
  const target = targetOf(world, step);
  if (target) await rectifyLines(world, target, step);
}

/** There is no sale yet: one is made for the person who wants to take it back. */
async function sell(world: World, step: Rectifying): Promise<void> {
  if (step.do === "rectify direct") await issue(world, preparedInvoice(invoiceBody("large", SOLD)));
  else await sendOrder(world, { shop: "orders", id: SOLD, events: [], flag: "plain", updatedAt: undefined });
}

const SOLD = "sold";

/** A small part that another takes back first, so that there is a rest of which the next one can take. */
const BEFORE = { what: "price_reduction", portion: "ten", everyLine: false, manner: "once" } as const;

async function rectifyLines(world: World, { shop, ...about }: Target, step: ByLines): Promise<void> {
  const { callers } = world;
  const cause = "Llegó rota";
  const looked = await previewLines(world, shop, { ...about, rectification: { ...step, parts: [], cause } });
  if (!looked) return;
  const rectification = { what: step.what, parts: partsOf(step, looked.lines), cause };
  const preview = await previewLines(world, shop, { ...about, rectification });
  if (preview?.total === undefined) return;
  const seen = { total: preview.total, left: preview.left };
  const target = preview.invoice.invoiceId;
  const act = (key: string) => {
    const request = { ...about, requestId: key, rectification, act: { userId: OWNER, ...seen } };
    return callers.settle(
      shop,
      `${about.order === undefined ? "rectify" : "rectify-order"} ${key}`,
      async () => {
        const outcome = await callers.to(shop).rectifyLines(shop.connectionId, request);
        if ("made" in outcome)
          world.desk.acted.push({ connectionId: shop.connectionId, key, target, seen, made: outcome.made });
        return outcome;
      },
    );
  };
  const meanwhile = () => rectifyLines(world, { shop, ...about }, BEFORE);
  await inManner(world, step.manner, { act, meanwhile });
}

/** One of the sales that callers were told of. */
function targetOf({ callers, chance, shops }: World, step: Rectifying): Target | undefined {
  const targets = callers.told.flatMap(({ about, outcome }): Target[] => {
    if (step.do === "rectify direct") {
      const isSale = /^issue ([a-d]|sold)$/.test(about) && "invoice" in outcome;
      return isSale ? [{ shop: shops.direct, invoiceId: (outcome.invoice as InvoiceView).invoiceId }] : [];
    }
    if (!about.startsWith("order ") || !("order" in outcome)) return [];
    const { idExternal: order, invoices } = outcome.order as OrderView;
    const sale = invoices.findLast(({ kind }) => kind !== "rectification")?.issued;
    return sale ? [{ shop: shops.orders, invoiceId: sale.invoiceId, order }] : [];
  });
  const [first] = chance.shuffled(targets);
  return first;
}

async function previewLines(
  { callers }: World,
  shop: SimulatedShop,
  asked: Omit<LinesRequest, "requestId">,
): Promise<Extract<LinesOutcome, { outcome: "previewed" }>["preview"] | undefined> {
  const request = { ...asked, requestId: `preview-${callers.nextRequest()}` };
  const outcome = await callers.ask({ ...shop, about: "lines-preview" }, () =>
    callers.to(shop).rectifyLines(shop.connectionId, request),
  );
  return outcome?.outcome === "previewed" ? outcome.preview : undefined;
}

function partsOf({ what, portion, everyLine }: ByLines, lines: readonly LineBalance[]): LinePart[] {
  if (what === "void") return [];
  const open = lines.filter(({ left }) => isPositive(left.gross));
  return (everyLine ? open : open.slice(0, 1)).map((line) => partOf(what === "refund", portion, line));
}

function partOf(isByPieces: boolean, portion: Portion, { line, left }: LineBalance): LinePart {
  if (portion === "pieces" && isByPieces && isPositive(left.quantity)) {
    return { line, quantity: left.quantity };
  }
  const amounts = { pieces: left.gross, rest: left.gross, ten: decimal("10"), thirds: decimal("33.33") };
  return { line, amount: amounts[portion] };
}

function sendAsking({ callers, shops }: World, id: AskingId, changed: number): Promise<unknown> {
  const [caller, sent] = [callers.callerOf(shops.orders), aSubmission(askingBody(id, changed))];
  return callers.settle(shops.orders, `order ${id}`, () =>
    callers.to(shops.orders).submitOrder(caller, sent),
  );
}

const FEE_AS = { as: "fee", rate: decimal("21") } as const;

/** Each request has a person of its own, by whom its lines of the activity are known. */
async function answerQuestion(
  world: World,
  step: Extract<ConsoleStep, { do: "answer question" }>,
): Promise<void> {
  const { callers, shops, template } = world;
  const { connectionId } = shops.orders;
  const question = questionAbout(step.fee);
  const { questions } = storesOf(world);
  const read = () =>
    tried(world, () => questions.orders(template.accountId, connectionId, question, MOST_ASKING));
  if ((await read())?.length === 0) {
    await Promise.all(askingAbout(step.fee).map((id) => sendAsking(world, id, 0)));
  }
  const asking = await read();
  const [first] = asking ?? [];
  if (!asking || !first) return;
  const asOf = Math.max(...asking.map(({ changedAt }) => changedAt));
  const answer: OrderAnswer =
    step.answer === "fee"
      ? { answer: "declare_treatment", code: step.fee, treatment: FEE_AS }
      : { answer: "dismiss", why: "settled by telephone" };
  const except = step.leavesOut ? [first.idExternal] : [];
  const remember = step.remember && step.answer === "fee";
  const act = (key: string) =>
    callers.settle(shops.orders, `question ${key}`, () =>
      callers.to(shops.orders).act(connectionId, `${ANSWERING}${key}`, {
        ...{ verb: "answer_question", id: key, question, answer, except, remember, asOf },
      }),
    );
  const meanwhile = () => sendAsking(world, first.idExternal as AskingId, world.chance.below(3));
  await inManner(world, step.manner, { act, meanwhile });
}

const MOST_ASKING = 200;

/** Begins the ids of people who answer questions. */
export const ANSWERING = "us000answers-";

function contentOf(pieces: number): DraftContent {
  return { ...A_DRAFT, lines: [aDraftLine({ quantity: String(pieces), price_unit: "45.5" })] };
}

async function writeDraft(world: World, pieces: number): Promise<void> {
  const { template, scheduler, chance, callers } = world;
  const { drafts } = storesOf(world);
  const id = newId("dr", LEDGER, chance.bytes);
  const draft = {
    ...{ id, accountId: template.accountId, madeBy: callers.nextRequest(), content: contentOf(pieces) },
    ...{ savedBy: OWNER, savedAt: scheduler.now },
  };
  for (let tries = 0; tries < 3; tries += 1) {
    const made = await tried(world, () => drafts.make(draft));
    if (made?.outcome === "made" || made?.outcome === "known") {
      world.desk.drafts.push({ id: made.draft.id, version: made.draft.version, discardedAt: undefined });
      return;
    }
  }
}

async function saveDraft(
  world: World,
  { nth, pieces, isOld }: Omit<Extract<ConsoleStep, { do: "save draft" }>, "do">,
): Promise<void> {
  const { template, scheduler, desk } = world;
  const draft = desk.drafts.at(nth % desk.drafts.length);
  if (!draft) return;
  const version = isOld ? Math.max(1, draft.version - 1) : draft.version;
  const change = { id: draft.id, version, content: contentOf(pieces), savedBy: OWNER };
  const saved = await tried(world, () =>
    storesOf(world).drafts.save(template.accountId, { ...change, savedAt: scheduler.now }),
  );
  count(world.figures, `draft ${saved?.outcome}`);
  if (saved?.outcome === "done") draft.version = Math.max(draft.version, saved.version);
}

async function discard(world: World, nth: number): Promise<void> {
  const { template, scheduler, desk } = world;
  const draft = desk.drafts.at(nth % desk.drafts.length);
  if (!draft) return;
  const { id, version } = draft;
  const removed = await tried(world, () =>
    storesOf(world).drafts.remove(template.accountId, { id, version }),
  );
  count(world.figures, `draft discarded ${removed?.outcome}`);
  if (removed?.outcome === "done") draft.discardedAt = scheduler.now;
}

/** A person sees number and total, and confirms them. */
async function issueShown(
  world: World,
  { nth, manner }: Extract<ConsoleStep, { do: "issue draft" }>,
): Promise<void> {
  const { callers, shops, template, desk } = world;
  if (desk.drafts.length === 0) await writeDraft(world, 2);
  const draft = desk.drafts.at(nth % desk.drafts.length);
  if (!draft) return;
  const { id } = draft;
  const { byHand } = shops;
  const at: DraftDesk = {
    ...{ accountId: template.accountId, environment: "test", language: "es" },
    drafts: storesOf(world).drafts,
    owner: () => callers.to(byHand),
  };
  const shown = await tried(world, () => at.drafts.read(template.accountId, id));
  if (!shown) return;
  const requestId = `preview-${callers.nextRequest()}`;
  const decided = await tried(world, () => decideDraft({ id, content: shown.content, requestId }, at));
  if (decided?.outcome !== "previewed") return;
  const { fullNumber: number, draft: would } = decided.preview;
  const seen = { number, total: would.document.totals.total };
  const act = (key: string) => {
    const asked = { id, requestId: key, userId: OWNER, expects: { version: shown.version, ...seen } };
    return callers.settle(byHand, `hand ${key} ${id}`, () => issueOnce(world, draft, asked, at));
  };
  const meanwhile = () => saveDraft(world, { nth, pieces: 5, isOld: false });
  await inManner(world, manner, { act, meanwhile });
}

async function issueOnce(
  world: World,
  draft: WrittenDraft,
  asked: DraftIssue,
  at: DraftDesk,
): Promise<DraftIssueOutcome | { readonly outcome: "unavailable" }> {
  const { discardedAt } = draft;
  const outcome = await tried(world, () => issueDraft(asked, at));
  if (!outcome) return { outcome: "unavailable" };
  if (outcome.outcome === "issued" || outcome.outcome === "replayed") {
    const { version: _, ...seen } = asked.expects;
    if (outcome.outcome === "issued" && discardedAt !== undefined)
      world.fail("contradiction", `${asked.id} was issued after it was discarded`);
    world.desk.issued.push({ draftId: asked.id, seen, made: outcome.made });
  }
  return outcome;
}
