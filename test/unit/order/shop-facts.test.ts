/** Facts that a shop lacks or contradicts: the order waits, and nothing of it is guessed. */
import { describe, expect, test } from "vitest";
import { destinationsOf, UNDECLARED } from "../../../src/domain/billing/sales-settings.ts";
import {
  fiscalFingerprint,
  type MissingFact,
  newestFacts,
  type OrderFacts,
} from "../../../src/domain/order/facts.ts";
import { answersToReason } from "../../../src/domain/order/reasons.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { reasonText } from "../../../src/words/words.ts";
import { answering, asItStands, later, placed, verdict } from "../../support/builders/answers.ts";
import { eur, percent } from "../../support/builders/facts.ts";
import {
  A_PERSON,
  anOrder,
  CANCELLATION,
  codesOf,
  course,
  decide,
  groupsIn,
  linesOf,
  next,
  onlyIssue,
  outcomeOf,
  refundOf,
  type Situation,
  totalsIn,
} from "../../support/builders/orders.ts";

const RATE: MissingFact = { what: "tax_rate", where: "l1" };
const PAYMENTS: MissingFact = { what: "transactions" };
const DISCOUNTS: MissingFact = { what: "discounts", stated: "20", computed: "0" };
const LINE = linesOf("100+21@0#l1 50+5@10#l2");

const lacking = (...missing: readonly MissingFact[]) => anOrder({ missing });
const rateless = (change: Partial<OrderFacts> = {}) =>
  anOrder({ breakdown: LINE, missing: [RATE], ...change });

describe("each entry holds", () => {
  test.each<[string, OrderFacts, string]>([
    ["a fact that is missing", lacking(PAYMENTS), "held shop_facts_missing"],
    ["two figures that contradict each other", lacking(DISCOUNTS), "held shop_facts_contradict"],
    [
      "one figure alone is a missing fact",
      lacking({ what: "total", stated: "1" }),
      "held shop_facts_missing",
    ],
    ["both", lacking(DISCOUNTS, PAYMENTS), "held shop_facts_missing shop_facts_contradict"],
    [
      "behind a total that does not add up, before the shop's own totals",
      anOrder({
        missing: [PAYMENTS],
        total: decimal("9"),
        taxTotals: [{ rate: decimal("21"), tax: decimal("25") }],
      }),
      "held totals_mismatch shop_facts_missing tax_totals_mismatch",
    ],
    ["a shop that lacks nothing", lacking(), "invoiced"],
    [
      "an order that asks for nothing",
      anOrder({ missing: [RATE], isCandidate: false }),
      "stored not_a_candidate",
    ],
    ["a test", anOrder({ missing: [RATE], isTest: true }), "stored test_order"],
    [
      "a cancelled order",
      anOrder({ missing: [RATE], isCancelled: true, events: [CANCELLATION] }),
      "cancelled cancelled_before_invoice",
    ],
  ])("%s", (_, order, outcome) => {
    expect(outcomeOf(decide(order))).toBe(outcome);
  });

  test.each<[string, MissingFact, object]>([
    ["a known fact by its word", PAYMENTS, { what: { phrase: "transactions" } }],
    ["a member of the client", { what: "client.vat_number" }, { what: { phrase: "vat_number" } }],
    [
      "a fact of the shop by its own name",
      { what: "weee_tax", where: "x" },
      { what: "weee_tax", where: "x" },
    ],
    [
      "amounts in the currency of the order",
      DISCOUNTS,
      { what: { phrase: "discounts" }, stated: eur("20.00"), computed: eur("0.00") },
    ],
    [
      "rates as percents",
      { what: "tax_rate", where: "l1", stated: "10", computed: "20.97" },
      { what: { phrase: "tax_rate" }, where: "l1", stated: percent("10"), computed: percent("20.97") },
    ],
    [
      "figures that are text",
      { what: "currency", stated: "EUR", computed: "USD" },
      { what: { phrase: "currency" }, stated: "EUR", computed: "USD" },
    ],
  ])("it tells %s", (_, fact, facts) => {
    const decision = decide(lacking(fact));
    expect(codesOf(decision)).toHaveLength(1);
    expect(decision.reasons[0]?.facts).toEqual(facts);
  });

  test("while no profile takes the order, they are told with it", () => {
    const profile = { id: "p", name: "Web", channel: "web", stem: "W", sales: UNDECLARED };
    const decision = decide(lacking(PAYMENTS), { settings: { profiles: [profile] } });
    expect(codesOf(decision)).toEqual(["profile_not_matched", "shop_facts_missing"]);
  });

  test("sales that are invoiced elsewhere and ignored tags win over them", () => {
    expect(outcomeOf(decide(lacking(RATE), { sales: { issuingMode: "none" } }))).toBe(
      "stored invoiced_elsewhere",
    );
  });
});

describe("the shop corrects it", () => {
  test("the same order without the entry is invoiced", () => {
    const held = course(lacking(PAYMENTS));
    const { missing: _, ...whole } = held.context.facts;
    expect(outcomeOf(course(whole).decision)).toBe("invoiced");
  });

  test("the entry is no fiscal fact: the corrected order is the sale that was invoiced", () => {
    const released = answering(placed(lacking(PAYMENTS)), { answer: "release" });
    expect(released.course.issued).toHaveLength(1);
    const { missing: _, ...whole } = released.course.context.facts;
    expect(fiscalFingerprint(whole)).toBe(fiscalFingerprint(lacking(PAYMENTS)));
    const context = { ...released.course.context, facts: whole };
    expect(outcomeOf(next({ ...released.course, context }, {}).decision)).toBe("invoiced");
  });

  test("an older payload with a new event brings what its shop lacks along", () => {
    const known = anOrder({ updatedAt: 2000 });
    const older = anOrder({ updatedAt: 1000, missing: [RATE], events: [refundOf("r1", "1+0.21@21")] });
    expect(newestFacts(known, older).facts.missing).toEqual([RATE]);
    expect(newestFacts(known, { ...older, events: [] }).facts.missing).toBeUndefined();
    expect(newestFacts({ ...known, missing: [RATE] }, older).facts.missing).toEqual([RATE]);
  });
});

describe("the owner enters it", () => {
  const answer = (place = placed(rateless()), rate = "21") =>
    ({ answer: "enter_tax_rate", about: aboutIn(place), rate: decimal(rate) }) as const;

  test("the rate of a line", () => {
    const place = placed(rateless());
    const after = answering(place, answer(place));
    expect(outcomeOf(after.course.decision)).toBe("invoiced");
    expect(after.course.issued.map(groupsIn)).toEqual([["21: 100.00 / 21.00", "10: 50.00 / 5.00"]]);
  });

  test("instead of the one that contradicts its prices", () => {
    const missing = [{ ...RATE, stated: "10", computed: "21" }];
    const place = placed(anOrder({ breakdown: linesOf("100+21@10#l1"), missing }));
    expect(outcomeOf(place.course.decision)).toBe("held shop_facts_contradict tax_mismatch");
    const after = answering(place, answer(place));
    expect(after.course.issued.map(totalsIn)).toEqual(["100.00 / 21.00 / 121.00"]);
  });

  test("again, as long as the order waits", () => {
    const place = placed(rateless());
    const wrong = answering(place, answer(place, "4"));
    expect(outcomeOf(wrong.course.decision)).toBe("held tax_mismatch");
    const about = aboutIn(place);
    const right = answering(wrong, { answer: "enter_tax_rate", about, rate: decimal("21") });
    expect(outcomeOf(right.course.decision)).toBe("invoiced");
  });

  test("the shop's own rate afterwards is the sale that was invoiced", () => {
    const place = placed(rateless());
    const after = answering(place, answer(place));
    const breakdown = linesOf("100+21@21#l1 50+5@10#l2");
    const same = later(after, { breakdown, missing: [] }, { answers: after.answered.answers });
    expect(outcomeOf(same.course.decision)).toBe("invoiced");
    const other = linesOf("100+21@21#l1 60+6@10#l2");
    const changed = later(after, { breakdown: other, total: decimal("187"), missing: [] });
    expect(outcomeOf(changed.course.decision)).toBe("held changed_after_invoice");
  });

  test("for these amounts alone", () => {
    const place = placed(rateless({ total: decimal("177") }));
    const after = answering(place, answer(place));
    expect(outcomeOf(after.course.decision)).toBe("held totals_mismatch");
    const breakdown = linesOf("101+21.21@0#l1 50+5@10#l2");
    const changed = later(
      after,
      { breakdown, total: decimal("177.21") },
      { answers: after.answered.answers },
    );
    expect(codesOf(changed.course.decision)).toContain("shop_facts_missing");
  });

  test("the country", () => {
    const order = anOrder({ client: {}, missing: [{ what: "country" }] });
    const after = answering(placed(order), { answer: "enter_country", country: "es" });
    expect(outcomeOf(after.course.decision)).toBe("invoiced");
  });

  test("a member of the customer, and no other", () => {
    const place = placed(lacking({ what: "vat_number", where: "billing_address" }));
    const other = answering(place, { answer: "enter_recipient", recipient: { city: "Cádiz" } });
    expect(outcomeOf(other.course.decision)).toBe("held shop_facts_missing");
    const after = answering(place, { answer: "enter_recipient", recipient: { vatNumber: "12345678Z" } });
    expect(outcomeOf(after.course.decision)).toBe("invoiced");
  });

  test.each<[MissingFact, readonly string[]]>([
    [RATE, ["enter_tax_rate", "release", "dismiss"]],
    [{ what: "tax_rate" }, ["release", "dismiss"]],
    [{ what: "delivery.country" }, ["enter_country", "release", "dismiss"]],
    [{ what: "company" }, ["enter_recipient", "release", "dismiss"]],
    [PAYMENTS, ["release", "dismiss"]],
    [DISCOUNTS, ["release", "dismiss"]],
    [{ what: "constructor" }, ["release", "dismiss"]],
  ])("%j can be answered by %j", (fact, answers) => {
    const [reason] = decide(lacking(fact)).reasons;
    expect(reason && answersToReason(reason)).toEqual(answers);
  });
});

describe("the owner releases it as the lines say", () => {
  test("all of it, or one thing", () => {
    const place = placed(lacking(PAYMENTS, DISCOUNTS));
    expect(outcomeOf(answering(place, { answer: "release" }).course.decision)).toBe("invoiced");
    const [{ about = "" } = {}] = asItStands(place).reasons;
    const one = answering(place, { answer: "release", about });
    expect(outcomeOf(one.course.decision)).toBe("held shop_facts_contradict");
    expect(verdict(one, { answer: "release", about })).toBe("order_not_before_cutoff");
  });

  test("with the shop's contradicting totals, each by itself", () => {
    const order = { ...lacking(PAYMENTS), taxTotals: [{ rate: decimal("21"), tax: decimal("25") }] };
    const place = placed(order);
    expect(outcomeOf(place.course.decision)).toBe("held shop_facts_missing tax_totals_mismatch");
    const lines = answering(place, { answer: "release", about: "" });
    expect(outcomeOf(lines.course.decision)).toBe("held shop_facts_missing");
    expect(outcomeOf(answering(lines, { answer: "release" }).course.decision)).toBe("invoiced");
  });

  test("it is no release from before the cutoff, and none of a test", () => {
    const { answered } = answering(placed(lacking(PAYMENTS)), { answer: "release" });
    expect([answered.answers.released, answered.answers.testReleased]).toEqual([false, undefined]);
    const place = placed(anOrder({ missing: [PAYMENTS], isTest: true }));
    const test = answering(place, { answer: "release" });
    expect(outcomeOf(test.course.decision)).toBe("held shop_facts_missing");
  });

  test("other amounts, and another entry, are asked about again", () => {
    const released = answering(placed(lacking(PAYMENTS)), { answer: "release" });
    const { answers } = released.answered;
    const fresh = placed(anOrder({ missing: [PAYMENTS], breakdown: linesOf("10+2.10@21") }), { answers });
    expect(outcomeOf(fresh.course.decision)).toBe("held shop_facts_missing");
    const same = placed(lacking(PAYMENTS, RATE), { answers });
    expect(codesOf(same.course.decision)).toEqual(["shop_facts_missing"]);
  });
});

describe("after the invoice", () => {
  const refund = refundOf("r1", "10+2.10@21");
  const doubted: MissingFact = { what: "refund_above_paid", where: "r1", stated: "12.10", computed: "10" };
  const held = () => later(placed(anOrder()), { events: [refund], missing: [doubted] });

  test("the order waits, its invoice and its refunds untouched", () => {
    expect(outcomeOf(held().course.decision)).toBe("held shop_facts_contradict");
    expect(held().course.issued).toHaveLength(1);
  });

  test.each([
    ["released", { answer: "release" }],
    ["dismissed", { answer: "dismiss", why: "Está bien" }],
  ] as const)("%s, the refund acts", (_, answer) => {
    const after = answering(held(), answer);
    expect(outcomeOf(after.course.decision)).toBe("partially_rectified");
    const again = later(after, { events: [refund, refundOf("r2", "10+2.10@21")] });
    expect(again.course.issued).toHaveLength(3);
  });

  test("corrected in the shop, it acts as it is then", () => {
    const after = later(held(), { events: [refundOf("r1", "8.26+1.74@21")], missing: [] });
    expect(after.course.issued.map(totalsIn)).toEqual(["100.00 / 21.00 / 121.00", "-8.26 / -1.74 / -10.00"]);
  });

  test("the shop's contradicting totals are released too", () => {
    const totals = { taxTotals: [{ rate: decimal("21"), tax: decimal("25") }], events: [refund] };
    const place = later(placed(anOrder()), totals);
    expect(outcomeOf(place.course.decision)).toBe("held tax_totals_mismatch");
    const after = answering(place, { answer: "release" });
    expect(outcomeOf(after.course.decision)).toBe("partially_rectified");
  });

  test("no rate is entered any more", () => {
    const place = later(placed(anOrder({ breakdown: linesOf("100+21@21#l1") })), { missing: [RATE] });
    const answer = { answer: "enter_tax_rate", about: aboutIn(place), rate: decimal("10") } as const;
    expect(verdict(place, answer)).toBe("order_already_invoiced");
  });
});

test("a rate of the destination can be entered for a one-stop-shop sale", () => {
  const situation: Situation = { sales: { destinations: destinationsOf("oss") } };
  const client = { ...A_PERSON, country: "IT" };
  const place = placed(anOrder({ client, breakdown: linesOf("100+22@0#l1"), missing: [RATE] }), situation);
  const answer = { answer: "enter_tax_rate", about: aboutIn(place), rate: decimal("22") } as const;
  expect(onlyIssueOf(answering(place, answer))).toEqual(["22: 100.00 / 22.00"]);
});

function onlyIssueOf({ course: { issued } }: ReturnType<typeof answering>) {
  const [issue, ...more] = issued;
  expect(more).toEqual([]);
  return issue && groupsIn(issue);
}

function aboutIn(place: ReturnType<typeof placed>): string {
  const [reason] = asItStands(place).reasons.filter(({ code }) => code.startsWith("shop_facts"));
  return reason?.about ?? "";
}

test("without entries an order is decided as it always was", () => {
  expect(totalsIn(onlyIssue(decide(anOrder({ missing: [] }))))).toBe(totalsIn(onlyIssue(decide(anOrder()))));
});

describe("the line that a reason is about", () => {
  const missing = [{ what: "tax_rate", where: "l1" }];
  const named = (...names: readonly (string | undefined)[]) =>
    anOrder({
      missing,
      breakdown: linesOf(names.map((_, index) => `100+21@21#l${index + 1}`).join(" ")).map((line, index) => {
        const name = names[index];
        return name === undefined ? line : { ...line, name };
      }),
    });

  test.each([
    ["its name", ["Vino tinto"], "Vino tinto", "Falta en «Vino tinto»"],
    ["its name and id, if two have the name", ["Vino", "Vino"], "Vino (l1)", "Falta en «Vino (l1)»"],
    ["its id without a name", [undefined], undefined, "Falta en «l1»"],
  ])("is shown by %s", (_, names, line, sentence) => {
    const reason = decide(named(...names)).reasons.find(({ code }) => code === "shop_facts_missing");
    if (reason === undefined) throw new Error("not held");
    expect([reason.facts.where, reason.facts.line]).toEqual(["l1", line]);
    expect(reasonText(reason, "es").sentence).toContain(sentence);
    expect(reasonText(reason, "en").sentence).toContain(line ?? "l1");
  });
});
