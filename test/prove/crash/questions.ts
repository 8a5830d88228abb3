/** Acknowledged calls are repeated: by reading, and by sending the same again. */
import { type Problem, problem, unless } from "../../support/rules/book-rules.ts";
import { type Call, type Course, DONE, memberOf, type Told } from "./call.ts";
import { answerChanges, availabilityChanges, invoiceChanges, orderChanges } from "./changes.ts";
import { byThing, isIssuing, isOf, isOfInvoice, isOfOrder, isSending } from "./told-problems.ts";
import { pageAnswers } from "./viewing.ts";

export interface Question {
  readonly call: Call;
  /** The problem of the answer. */
  check(now: Told): Problem[];
}

export function questionsOf(
  told: readonly Told[],
  courses: readonly Course[],
  now: number,
): readonly Question[] {
  const done = told.filter(({ code }) => code === DONE);
  const released = new Set(
    courses.flatMap(({ ends }) => ends.flatMap((end) => (end.isReleased ? [end.idExternal] : []))),
  );
  return [
    ...byThing(done.filter(isOfInvoice)).flatMap(aboutInvoice),
    ...byThing(done.filter(isOf(["amend"]))).flatMap(([amended]) => (amended ? [theSame(amended)] : [])),
    ...byThing(done.filter((one) => isOfOrder(one) || one.call.kind === "answer")).flatMap((own) =>
      aboutOrder(own, released.has(own[0]?.call.about ?? "")),
    ),
    ...told.filter(({ code }) => code !== DONE).flatMap(refusedAgain),
    ...done
      .filter(isOf(["availability"]))
      .map((one) => again(one, (told) => availabilityChanges(one.data, told.data))),
    ...done.filter(isOf(["access"])).map((one) => lookAgain(one, told, now)),
    ...done.filter(isOf(["consent"])).map(theSame),
    ...done.filter(isOf(["deliver"])).map(deliveredAgain),
    ...done.filter(isOf(["mail"])).map(mailedAgain),
  ];
}

/** Read, issued once more and cancelled once more: each time the invoice that every answer was about. */
function aboutInvoice(own: readonly Told[]): Question[] {
  const changes = (now: Told) => own.flatMap((one) => invoiceChanges(one.data, now.data));
  const issued = own.find(isIssuing);
  const cancelled = own.find(isOf(["cancel"]));
  const { connection, about } = own[0]?.call ?? { connection: "api", about: "" };
  const read: Call = {
    ...{ id: `${about}/asked`, kind: "read_invoice", connection, about },
    ...{ method: "GET", path: `/api/v1/invoice/${about}`, expect: [DONE] },
  };
  return [
    asked(read, changes),
    ...(issued ? [again(issued, changes, 200)] : []),
    ...(cancelled ? [again(cancelled, changes, 200)] : []),
  ];
}

/** Read, and sent once more as it was sent last. */
function aboutOrder(own: readonly Told[], isReleased: boolean): Question[] {
  const answers = own.filter(isOfOrder);
  const last = answers.toSorted((one, other) => other.ended - one.ended)[0];
  const sent = own.filter(isSending).toSorted((one, other) => other.began - one.began)[0];
  if (!last || !sent) return [];
  const changes = (now: Told) =>
    own.flatMap((one) =>
      isOfOrder(one)
        ? orderChanges(one.data, now.data, { isLast: one === last && !isReleased })
        : answerChanges(one.data, now.data),
    );
  const { connection, about } = last.call;
  const read: Call = {
    ...{ id: `${about}/asked`, kind: "read_order", connection, about },
    ...{ method: "GET", path: `/api/v1/order/${about}`, expect: [DONE] },
  };
  return [
    asked(read, changes),
    again(sent, changes, 200),
    ...own.filter(isOf(["answer"])).map((one) => again(one, (now) => answersTwice(one, now))),
  ];
}

/** A repeat of an owner's answer returns its own documents, the earliest of the order. */
function answersTwice(one: Told, now: Told): string[] {
  const numbers = ({ data }: Told) =>
    [memberOf(data, "documents")].flat().map((document) => memberOf(document, "fullNumber"));
  const [then, after] = [numbers(one), numbers(now)];
  const isKept = then.every((number, index) => number === after[index]);
  return isKept ? [] : [`documents were ${then.join()} and are ${after.join()}`];
}

/** A refusal with a lasting reason is refused again for the same one. */
function refusedAgain(one: Told): Question[] {
  // Access may have been turned on again since.
  if (one.code === "customer_access_disabled" || one.call.kind === "page") return [];
  return [
    {
      call: { ...one.call, id: `${one.call.id}/again`, expect: [one.code] },
      check: (now) => unless(now.code === one.code, "lost", `${one.call.id} was ${one.code}, is ${now.code}`),
    },
  ];
}

/** The page of a URL that was handed out before. */
function lookAgain(access: Told, told: readonly Told[], at: number): Question {
  const { id, connection, about } = access.call;
  const url = String(memberOf(access.data, "viewer_url"));
  const expect = pageAnswers(access, told, at);
  const before = told.find(({ call, code }) => call.kind === "page" && call.path === url && code === DONE);
  return {
    call: { id: `${id}/page`, kind: "page", connection, about, method: "GET", path: url, expect },
    check: (now) => [
      ...unless(expect.includes(now.code), "lost", `the URL of ${id} is ${now.code}, not ${expect.join()}`),
      ...unless(
        !before || now.code !== DONE || before.data === now.data,
        "lost",
        `the page of ${id} is another`,
      ),
    ],
  };
}

/** A webhook of before is known by its id. */
function deliveredAgain(one: Told): Question {
  return again(one, (now) => {
    const outcome = memberOf(now.data, "outcome");
    return outcome === "duplicate" ? [] : [`it is ${outcome}`];
  });
}

/** An invoice that an address has is not mailed again. */
function mailedAgain(one: Told): Question {
  const id = memberOf(one.data, "delivery_id");
  const isOther = (now: Told) => memberOf(now.data, "delivery_id") !== id;
  return again(
    one,
    (now) => (isOther(now) ? [`it is the mail ${memberOf(now.data, "delivery_id")}`] : []),
    200,
  );
}

/** Answered as it was. */
function theSame(one: Told): Question {
  return again(one, (now) => (now.code === DONE ? [] : [`it is ${now.code}`]));
}

function again(one: Told, changes: (now: Told) => string[], status?: number): Question {
  const call = { ...one.call, id: `${one.call.id}/again`, expect: [DONE] };
  return asked(call, (now) => [
    ...(status === undefined || now.status === status ? [] : [`the same again answered ${now.status}`]),
    ...changes(now),
  ]);
}

function asked(call: Call, changes: (now: Told) => string[]): Question {
  return {
    call,
    check: (now) => {
      if (now.code !== DONE) return [problem("lost", `${call.id} is answered ${now.code}`)];
      return changes(now).map((change) => problem("lost", `${call.id}: ${change}`));
    },
  };
}
