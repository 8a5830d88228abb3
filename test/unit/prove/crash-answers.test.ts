/** The findings of the crash run: answers that are lost, doubled, changed, or undocumented. */
import { expect, test } from "vitest";
import { orderIdOf } from "../../../src/domain/order/order-origin.ts";
import { type Call, CONNECTIONS, DONE, type Told } from "../../prove/crash/call.ts";
import { NOT_OURS } from "../../prove/crash/caller.ts";
import {
  answerChanges,
  availabilityChanges,
  invoiceChanges,
  orderChanges,
} from "../../prove/crash/changes.ts";
import { problemsIn, sendingIn } from "../../prove/crash/figures.ts";
import { questionsOf } from "../../prove/crash/questions.ts";
import { type BooksOf, toldProblems } from "../../prove/crash/told-problems.ts";
import { askedAgain, faultProblems, writtenBetween } from "../../prove/crash/verdict.ts";
import { accessProblems, pageAnswers } from "../../prove/crash/viewing.ts";
import { submissionProblems } from "../../prove/submitted-books.ts";
import { soundBooks } from "../../support/builders/sound-books.ts";
import { contentOf, type Problem } from "../../support/rules/book-rules.ts";

const STORED = { connectionId: "cn1", ...soundBooks() };
const NOTHING = { connectionId: "cn0", invoices: [], records: [], orders: [], links: [] };
const BOOKS = Object.fromEntries(
  CONNECTIONS.map((name) => [name, name === "api" ? STORED : NOTHING]),
) as BooksOf;

let clock = 0;

/** As it was asked and answered; every one comes after the one before. */
function told(kind: Call["kind"], about: string, data: unknown, change: Partial<Told & Call> = {}): Told {
  clock += 2;
  const {
    method = "POST",
    path = "/",
    body,
    expect: expected = [DONE],
    connection = "api",
    ...rest
  } = change;
  const call = { id: `${about}/${kind}/${clock}`, kind, connection, about, method, path, expect: expected };
  const one = { status: 200, code: DONE, data, tries: 1, began: clock, ended: clock + 1, ...rest };
  return { ...one, call: body ? { ...call, body } : call };
}

/** The books' content about it, as the API shows it. */
function shown(externalId: string) {
  const row = STORED.invoices.find(({ origin }) => origin === `direct:${externalId}`);
  const [alta, ...others] = STORED.records.filter(({ invoice_id: id }) => id === row?.id);
  const record = (of = alta) => ({ position: of?.position, hash: of?.hash, state: "accepted" });
  const [cancellation] = others.filter(({ kind }) => kind === "ANULACION");
  return {
    external_id: externalId,
    invoice_id: row?.id,
    ...{
      series: row?.series,
      number: row?.number,
      full_number: row?.full_number,
      issue_date: row?.issue_date,
    },
    verifactu: record(),
    amendments: [],
    rectified_by: [],
    cancelled: cancellation !== undefined,
    ...(cancellation ? { cancellation: record(cancellation) } : {}),
  };
}

function shownOrder(idExternal: string) {
  const order = STORED.orders.find((one) => one.idExternal === idExternal);
  const invoices = STORED.invoices.filter(({ origin }) => orderIdOf(origin) === idExternal);
  return {
    id_external: idExternal,
    state: order?.state,
    reasons: [],
    invoices: invoices.map(({ id, full_number }) => ({ invoice_id: id, full_number, state: "accepted" })),
    contract_version: "1.8",
    warnings: [],
  };
}

const DIRECT = ["one", "two", "back", "gone"].map((id) => told("issue", id, shown(id), { status: 201 }));
const ORDERS = STORED.orders.map(({ idExternal: id }) => told("order", id, shownOrder(id), { status: 201 }));
const ALL = [...DIRECT, ...ORDERS];

const kindsOf = (problems: readonly Problem[]) => [...new Set(problems.map(({ kind }) => kind))];

test("all answers are in the books, and nothing else is", () => {
  expect(toldProblems(ALL, [], BOOKS)).toEqual([]);
});

test.each<[string, readonly Told[], Problem["kind"]]>([
  [
    "an invoice that is not in the books",
    [told("issue", "lost", { ...shown("one"), invoice_id: "in9" })],
    "lost",
  ],
  ["another number", [told("issue_again", "one", { ...shown("one"), number: 9 })], "lost"],
  [
    "another record",
    [told("read_invoice", "one", { ...shown("one"), verifactu: { position: 1, hash: "F" } })],
    "lost",
  ],
  [
    "a cancellation that is not there",
    [told("cancel", "one", { ...shown("one"), cancellation: { position: 99 } })],
    "lost",
  ],
  ["the invoice of another", [told("issue_again", "one", shown("two"))], "doubled"],
  ["new twice", [told("issue", "one", shown("one"), { status: 201 })], "doubled"],
  [
    "another invoice than was asked for",
    [told("issue", "one", shown("one"), { body: { description: "x" } })],
    "answer",
  ],
  [
    "a refusal that is not documented for it",
    [told("issue", "x", undefined, { code: "internal_error" })],
    "answer",
  ],
  ["an order that is not in the books", [told("order", "lost", shownOrder("lost"))], "lost"],
  ["a document that the order has not", [told("order", "plain", shownOrder("refunded"))], "lost"],
  ["a new order twice", [told("order", "plain", shownOrder("plain"), { status: 201 })], "doubled"],
  ["a correction that left no record", [told("amend", "one", { id: "in1" })], "lost"],
])("an answer about %s", (_, more, kind) => {
  expect(kindsOf(toldProblems([...ALL, ...more], [], BOOKS))).toContain(kind);
});

test("an invoice or an order that no answer named", () => {
  for (const one of ALL) {
    const others = ALL.filter((other) => other !== one);
    expect(kindsOf(toldProblems(others, [], BOOKS)), one.call.about).toEqual(["contradiction"]);
  }
});

test("an order that does not end as it should", () => {
  const end = { connection: "api", idExternal: "plain", state: "rectified", isReleased: false } as const;
  expect(kindsOf(toldProblems(ALL, [{ steps: [], ends: [end] }], BOOKS))).toEqual(["contradiction"]);
});

test("of an invoice only what the authority says and what comes after may differ", () => {
  const before = { ...shown("one"), verifactu: { position: 1, hash: "A", state: "pending_submission" } };
  const after = {
    ...before,
    verifactu: { position: 1, hash: "A", state: "accepted", aeat_code: 1 },
    amendments: [{ position: 3 }],
    rectified_by: [{ external_id: "back" }],
    cancelled: true,
    cancellation: { position: 4, state: "accepted" },
  };
  expect(invoiceChanges(before, after)).toEqual([]);
  expect(invoiceChanges(after, before)).toHaveLength(4);
  expect(invoiceChanges(before, { ...after, number: 2 })).toHaveLength(1);
  expect(invoiceChanges(before, { ...after, verifactu: { position: 1, hash: "B" } })).toHaveLength(1);
  expect(invoiceChanges(before, undefined)).not.toEqual([]);
});

test("an order keeps its documents in their order; of its last answer nothing differs", () => {
  const before = shownOrder("refunded");
  const more = { ...before, state: "rectified", invoices: [...before.invoices, { invoice_id: "in9" }] };
  expect(orderChanges(before, more, { isLast: false })).toEqual([]);
  expect(orderChanges(before, more, { isLast: true })).toHaveLength(2);
  expect(orderChanges(more, before, { isLast: false })).toHaveLength(1);
  const turned = { ...before, invoices: before.invoices.toReversed() };
  expect(orderChanges(before, turned, { isLast: false })).toHaveLength(2);
  const annulled = { ...before, invoices: [{ invoice_id: "in1", state: "cancelled" }] };
  const alive = { ...before, invoices: [{ invoice_id: "in1", state: "accepted" }] };
  expect(orderChanges(annulled, alive, { isLast: false })).toHaveLength(1);
});

test("an available document stays so, and documents of an answer are the order's", () => {
  const item = (state: string) => ({ items: [{ order_id: "1", state }] });
  expect(availabilityChanges(item("not_available"), item("available"))).toEqual([]);
  expect(availabilityChanges(item("available"), item("not_available"))).toHaveLength(1);
  const { invoices } = shownOrder("plain");
  const documents = invoices.map(({ full_number: fullNumber }) => ({ fullNumber }));
  expect(answerChanges({ documents }, { invoices })).toEqual([]);
  expect(answerChanges({ documents }, { invoices: [] })).toHaveLength(1);
});

test("everything is repeated, and a changed or missing answer is a loss", async () => {
  const one = told("issue", "one", shown("one"), { body: { external_id: "one" } });
  const clash = told("issue_changed", "one", undefined, { code: "idempotency_conflict", status: 409 });
  const order = told("order", "plain", shownOrder("plain"), { body: { id_external: "plain" } });
  const questions = questionsOf([one, clash, order], [], 0);
  expect(questions.map(({ call }) => `${call.method} ${call.kind}`)).toEqual([
    ...["GET read_invoice", "POST issue", "GET read_order", "POST order", "POST issue_changed"],
  ]);
  const heard = async (answer: (call: Call) => Partial<Told>) => {
    const until = async (call: Call): Promise<Told> => ({
      ...told(call.kind, call.about, {}),
      call,
      ...answer(call),
    });
    return askedAgain(questions, { told: [], unanswered: {}, early: 0, until }, 2);
  };
  const sound = ({ kind, about }: Call) =>
    kind === "issue_changed"
      ? { code: "idempotency_conflict" }
      : { data: kind.includes("order") ? shownOrder(about) : shown(about) };
  expect(await heard(sound)).toEqual([]);
  const changed = await heard((call) => ({
    ...sound(call),
    ...(call.method === "GET" ? { data: { number: 9 } } : {}),
  }));
  expect(kindsOf(changed)).toEqual(["lost"]);
  expect(await heard((call) => ({ ...sound(call), code: "invoice_not_found" }))).toHaveLength(5);
  expect(await heard((call) => ({ ...sound(call), status: 201 }))).toHaveLength(2);
});

test.each([
  ["the same documents", ["A-1", "A-2"], []],
  ["with those of later calls after them", ["A-1", "A-2", "A-3"], []],
  ["one less", ["A-1"], ["lost"]],
  ["another in the place of one", ["A-1", "A-3"], ["lost"]],
  ["the same in another order", ["A-2", "A-1"], ["lost"]],
])("a repeated answer of the owner returns %s", (_, numbers, problems) => {
  const documents = (...all: readonly string[]) => ({ documents: all.map((fullNumber) => ({ fullNumber })) });
  const answer = told("answer", "plain", documents("A-1", "A-2"));
  const sent = told("order", "plain", shownOrder("plain"));
  const question = questionsOf([sent, answer], [], 0).find(({ call }) => call.kind === "answer");
  const found = question?.check(told("answer", "plain", documents(...numbers)));
  expect(kindsOf(found ?? [])).toEqual(problems);
});

test("asking again has written something", () => {
  expect(writtenBetween([STORED], [STORED])).toEqual([]);
  const more = { ...STORED, invoices: STORED.invoices.slice(1) };
  expect(kindsOf(writtenBetween([more], [STORED]))).toEqual(["doubled"]);
});

test("customers' URLs: open, closed by the owner's switch, over", () => {
  const expires_at = "2026-11-28T12:30:00Z";
  const on = { expires_at };
  const before = told("access", "o1", on, { connection: "profiled" });
  const off = told("switch_access", "", {}, { connection: "profiled" });
  const during = told("access", "o2", on, { connection: "profiled" });
  const back = told("switch_access", "", {}, { connection: "profiled" });
  const after = told("access", "o3", on, { connection: "profiled" });
  const elsewhere = told("access", "o4", on, { connection: "commerce" });
  const all = [before, off, during, back, after, elsewhere];
  const noon = Date.parse("2026-11-28T12:00:00Z");
  const shows = (one: Told, at = noon) => pageAnswers(one, all, at);
  expect([before, after, elsewhere].map((one) => shows(one))).toEqual([["gone"], [DONE], [DONE]]);
  expect(shows(after, noon + 40 * 60_000)).toEqual(["gone"]);
  expect(shows(after, noon + 30 * 60_000)).toEqual([DONE, "gone"]);
  const beside = { ...before, ended: off.began + 1 };
  expect(shows(beside)).toEqual([DONE, "gone"]);
  expect(kindsOf(accessProblems(all))).toEqual(["answer"]);
  const refused = { ...during, code: "customer_access_disabled" };
  expect(accessProblems([before, off, refused, back, after])).toEqual([]);
  expect(accessProblems([{ ...before, code: "customer_access_disabled" }, off])).toHaveLength(1);
});

test("at the authority: missing, changed, twice, out of order, too many, not accepted", () => {
  const records = STORED.records.map(({ content, hash, origin }) => ({
    ...{ content: contentOf(content), hash, origin, state: "accepted" },
  }));
  const received = records.map(({ content: { reference }, hash }, index) => ({
    ...{
      reference,
      hash,
      state: "Correcto",
      received: 1,
      changed: false,
      link: index === 0 ? "first" : "linked",
    },
  }));
  const [first, second, ...rest] = received;
  if (!first || !second) throw new Error("there are records");
  expect(submissionProblems(records, received)).toEqual([]);
  for (const broken of [
    [second, ...rest],
    [{ ...first, changed: true }, second, ...rest],
    [{ ...first, hash: second.hash }, second, ...rest],
    [{ ...first, state: "Incorrecto" }, second, ...rest],
    [first, first, second, ...rest],
    [first, { ...second, link: "fork" }, ...rest],
    [...received, { ...first, reference: "another" }],
  ]) {
    expect(submissionProblems(records, broken)).toHaveLength(1);
  }
  const waiting = records.map((record) => ({ ...record, state: "submitted" }));
  expect(submissionProblems(waiting, received)).toHaveLength(records.length);
});

test("a kill excuses no answer that reports our fault", () => {
  const unanswered = { "no answer": 40, "503 temporarily_unavailable": 2, [`500 ${NOT_OURS}`]: 3 };
  expect(faultProblems({ unanswered })).toEqual([]);
  expect(kindsOf(faultProblems({ unanswered: { ...unanswered, "500 internal_error": 1 } }))).toEqual([
    "answer",
  ]);
});

test("figures count each kind of problem, and the results of calls with a lost answer", () => {
  const heard = { unanswered: {}, early: 0, until: async () => told("issue", "", {}) };
  const again = told("issue", "two", shown("two"), { tries: 2 });
  expect(sendingIn({ ...heard, told: [...ALL, again] })).toMatchObject({ made_unheard: 0, retried: 1 });
  const unheard = ALL.filter(({ call }) => call.about !== "two");
  expect(sendingIn({ ...heard, told: [...unheard, again] })).toMatchObject({ made_unheard: 1 });
  const problems = toldProblems(ALL.slice(1), [], BOOKS);
  expect(problemsIn(problems)).toMatchObject({
    ...{ lost: 0, doubled: 0, gaps: 0, other_problems: { contradiction: 1, answer: 0 } },
  });
});
