/** Every answer of an owner about one order, at the object: from the waiting order to the issued invoice. */
import { describe, expect, test } from "vitest";
import type { OrderAnswer } from "../../src/domain/order/answers/table.ts";
import { normalizeOrder } from "../../src/domain/order/normalize-order.ts";
import { aboutFact } from "../../src/domain/order/shop-facts.ts";
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import { decimal } from "../../src/domain/shared/decimal.ts";
import type { OwnerRequest } from "../../src/ledger/verbs/table.ts";
import { A_RECIPIENT } from "../support/builders/requests.ts";
import { failBefore, loseAnswer } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { expectBooksConsistent } from "../support/rules/consistency.ts";
import {
  aSentLine,
  aSentOrder,
  aSentRefund,
  aSubmission,
  type Connector,
  openCommerce,
  orderConnector,
  orderIn,
  type SentBody,
  toldOf,
} from "../support/worlds/order-calls.ts";
import { writesOrders } from "../support/worlds/order-changes.ts";
import {
  type AuditLine,
  answerOrder,
  auditOf,
  consent,
  decideAgain,
  MARTA,
  statesOf,
} from "../support/worlds/owners.ts";
import { act, ring } from "../support/worlds/shop.ts";

const ABOUT_COMPANY = {
  members: "company, vatNumber, country, address1, postcode, city",
  identifier: "******674",
};
const TICKET = "invoiced F2 PED-1S-2026-000001";
const INVOICED = `${TICKET} 121`;
const RELEASE: OrderAnswer = { answer: "release" };
const APPROVE: OrderAnswer = { answer: "approve" };
const CANCEL: OrderAnswer = { answer: "issue_cancellation" };
const NOTHING_AT_21 = { total: 100, breakdown: [aSentLine(100, 0, 0)] };

const RATELESS = aSentOrder("1", {
  breakdown: [aSentLine(100, 21, 0, { line_id: "l1" })],
  missing: [{ what: "tax_rate", where: "l1" }],
});
const { facts: RATELESS_FACTS } = normalizeOrder(aSubmission(RATELESS).sent, "Europe/Madrid");
const ABOUT_RATE = aboutFact({ what: "tax_rate", where: "l1" }, RATELESS_FACTS);

interface Course {
  readonly declared?: readonly OwnerRequest[];
  /** Sent one after the other. */
  readonly sent: readonly SentBody[];
  readonly before: string;
  /** An answer that does not fit, and the code of its refusal. */
  readonly unfit: readonly [answer: OrderAnswer, code: string];
  readonly answer: OrderAnswer;
  readonly after: string;
  readonly facts: AuditLine["facts"];
}

const COURSES: Readonly<Record<OrderAnswer["answer"], Course>> = {
  release: {
    sent: [aSentOrder("1", { order_date: "2025-12-15 12:00:00" })],
    before: "before_cutoff before_cutoff",
    unfit: [APPROVE, "order_not_held"],
    answer: RELEASE,
    after: INVOICED,
    facts: {},
  },
  assign_profile: {
    declared: [{ verb: "add_profile", profile: { name: "Web", channel: "web", stem: "WEB" } }],
    sent: [aSentOrder("1")],
    before: "held profile_not_matched",
    unfit: [{ answer: "assign_profile", profileId: "pf000nobody" }, "profile_unknown"],
    answer: { answer: "assign_profile", profileId: "*" },
    after: "invoiced F2 WEBS-2026-000001 121",
    facts: { profile_id: "*" },
  },
  declare_treatment: {
    sent: [
      aSentOrder("1", { total: 133.1, unmapped_totals: [{ code: "cod_fee", name: "Fee", value: 12.1 }] }),
    ],
    before: "held untreated_total",
    unfit: [{ answer: "declare_treatment", code: "cod_fee", treatment: { as: "payment" } }, "treatment_sign"],
    answer: {
      answer: "declare_treatment",
      code: "COD_FEE",
      treatment: { as: "fee", rate: decimal("21") },
    },
    after: `${TICKET} 133.1`,
    facts: { code: "cod_fee", treatment: "fee", rate: "21" },
  },
  declare_sales: {
    sent: [aSentOrder("1", NOTHING_AT_21)],
    before: "held zero_rate_basis_missing",
    unfit: [{ answer: "declare_sales", sales: {} }, "nothing_declared"],
    answer: { answer: "declare_sales", sales: { zeroRateBasis: "E1" } },
    after: `${TICKET} 100`,
    facts: { zeroRateBasis: "E1" },
  },
  enter_recipient: {
    sent: [aSentOrder("1", { total: 1210, breakdown: [aSentLine(1000, 210, 21)] })],
    before: "held recipient_incomplete",
    unfit: [
      { answer: "enter_recipient", recipient: { ...A_RECIPIENT, vatNumber: "B12345675" } },
      "tax_identifier_invalid",
    ],
    answer: { answer: "enter_recipient", recipient: A_RECIPIENT },
    after: "invoiced F1 PED-1-2026-000001 1210",
    facts: ABOUT_COMPANY,
  },
  enter_tax_rate: {
    sent: [RATELESS],
    before: "held shop_facts_missing tax_mismatch zero_rate_basis_missing",
    unfit: [{ answer: "enter_tax_rate", about: "missing:1", rate: decimal("21") }, "tax_rate_not_missing"],
    answer: { answer: "enter_tax_rate", about: ABOUT_RATE, rate: decimal("21") },
    after: INVOICED,
    facts: { rate: "21" },
  },
  enter_country: {
    declared: [{ verb: "declare_sales", change: { zeroRateBasis: "E1" } }],
    sent: [aSentOrder("1", { ...NOTHING_AT_21, client: { first_name: "Ana" } })],
    before: "held country_unknown",
    unfit: [{ answer: "enter_country", country: "XX" }, "country_invalid"],
    answer: { answer: "enter_country", country: "ES" },
    after: `${TICKET} 100`,
    facts: { country: "ES" },
  },
  enter_exchange_rate: {
    sent: [aSentOrder("1", { currency: "ARS" })],
    before: "held currency_not_quoted",
    unfit: [
      { answer: "enter_exchange_rate", rate: decimal("0"), date: civilDate("2026-11-20") },
      "exchange_rate_invalid",
    ],
    answer: { answer: "enter_exchange_rate", rate: decimal("1000"), date: civilDate("2026-11-20") },
    after: INVOICED,
    facts: { rate: "1000", date: "2026-11-20" },
  },
  approve: {
    declared: [{ verb: "declare_sales", change: { issuingMode: "review" } }],
    sent: [aSentOrder("1")],
    before: "held manual_issuing",
    unfit: [RELEASE, "order_not_before_cutoff"],
    answer: APPROVE,
    after: INVOICED,
    facts: {},
  },
  rounding: {
    sent: [aSentOrder("1", { total: 121.01 })],
    before: "held totals_mismatch",
    unfit: [{ answer: "rounding", rate: decimal("10") }, "rounding_rate_unknown"],
    answer: { answer: "rounding", rate: decimal("21") },
    after: `${TICKET} 121.01`,
    facts: { rate: "21" },
  },
  keep_oss_rate: {
    sent: [
      aSentOrder("1", {
        total: 118,
        breakdown: [aSentLine(100, 18, 18)],
        client: { first_name: "Max", last_name: "Muster", country: "DE", postcode: "10115" },
      }),
    ],
    declared: [{ verb: "declare_sales", change: { destinations: { euConsumer: "oss" } } }],
    before: "held oss_rate_unknown",
    unfit: [{ answer: "keep_oss_rate", from: civilDate("2026-11-28") }, "oss_rate_from_too_late"],
    answer: { answer: "keep_oss_rate", from: civilDate("2026-07-01") },
    after: "invoiced F2 PED-1-2026-000001 118",
    facts: { from: "2026-07-01", area: "DE", rate: "18" },
  },
  declare_discount: {
    sent: [aSentOrder("1", { total: 100, discounts: [{ name: "Cupón", amount: 21, kind: "something" }] })],
    before: "held discount_kind_unknown",
    unfit: [{ answer: "declare_discount", name: "Otro", as: "discount" }, "discount_unknown"],
    answer: { answer: "declare_discount", name: "Cupón", as: "discount" },
    after: `${TICKET} 100`,
    facts: { name: "Cupón", as: "discount" },
  },
  mark_distinct: {
    sent: [
      aSentOrder("1"),
      aSentOrder("1", { correction_events: [aSentRefund("r1", 10, 2.1, 21)] }),
      aSentOrder("1", { refunds: [{ id_external: "x9", date: "2026-11-25", amount: 12.1 }] }),
    ],
    before: "held refund_possibly_repeated F2 PED-1S-2026-000001 121 R5 PED-1RS-2026-000001 -12.1",
    unfit: [{ answer: "mark_distinct", eventId: "r1" }, "event_not_repeated"],
    answer: { answer: "mark_distinct", eventId: "refund:x9" },
    after:
      "partially_rectified F2 PED-1S-2026-000001 121 R5 PED-1RS-2026-000001 -12.1 R5 PED-1RS-2026-000002 -12.1",
    facts: { event_id: "refund:x9" },
  },
  share_event: {
    sent: [
      aSentOrder("1", { total: 176, breakdown: [aSentLine(100, 21, 21), aSentLine(50, 5, 10)] }),
      aSentOrder("1", {
        total: 176,
        breakdown: [aSentLine(100, 21, 21), aSentLine(50, 5, 10)],
        correction_events: [{ id_external_event: "r1", event_type: "refund", amount: -22 }],
      }),
    ],
    before: "held refund_lines_needed F2 PED-1S-2026-000001 176",
    unfit: [
      { answer: "share_event", eventId: "r1", shares: [{ rate: decimal("21"), gross: decimal("12.1") }] },
      "event_shares_mismatch",
    ],
    answer: {
      answer: "share_event",
      eventId: "r1",
      shares: [
        { rate: decimal("10"), gross: decimal("9.9") },
        { rate: decimal("21"), gross: decimal("12.1") },
      ],
    },
    after: "partially_rectified F2 PED-1S-2026-000001 176 R5 PED-1RS-2026-000001 -22",
    facts: { event_id: "r1", shares: "10 %: 9.9, 21 %: 12.1" },
  },
  confirm_annulment: {
    sent: [
      aSentOrder("1"),
      aSentOrder("1", { correction_events: [{ id_external_event: "v1", event_type: "void" }] }),
    ],
    before: "held annulment_review F2 PED-1S-2026-000001 121",
    unfit: [{ answer: "confirm_annulment", eventId: "v2" }, "event_unknown"],
    answer: { answer: "confirm_annulment", eventId: "v1" },
    after: "cancelled F2 PED-1S-2026-000001 121",
    facts: { event_id: "v1" },
  },
  issue_cancellation: {
    sent: [aSentOrder("1")],
    before: INVOICED,
    unfit: [RELEASE, "order_already_invoiced"],
    answer: CANCEL,
    after: "rectified F2 PED-1S-2026-000001 121 R5 PED-1RS-2026-000001 -121",
    facts: {},
  },
  issue: {
    sent: [
      aSentOrder("1"),
      aSentOrder("1", { fiscal_event: "cancelled" }),
      aSentOrder("1", { fiscal_event: "invoice_candidate" }),
    ],
    before: "held reactivated F2 PED-1S-2026-000001 121 R5 PED-1RS-2026-000001 -121",
    unfit: [RELEASE, "order_already_invoiced"],
    answer: { answer: "issue" },
    after: "invoiced F2 PED-1S-2026-000001 121 R5 PED-1RS-2026-000001 -121 F2 PED-1S-2026-000002 121",
    facts: {},
  },
  ask_full_invoice: {
    sent: [aSentOrder("1")],
    before: INVOICED,
    unfit: [{ answer: "ask_full_invoice" }, "recipient_incomplete"],
    answer: { answer: "ask_full_invoice", recipient: A_RECIPIENT },
    after: "invoiced F2 PED-1S-2026-000001 121 F3 PED-1-2026-000001 121",
    facts: ABOUT_COMPANY,
  },
  dismiss: {
    sent: [aSentOrder("1", NOTHING_AT_21)],
    before: "held zero_rate_basis_missing",
    unfit: [{ answer: "dismiss", why: " " }, "dismissal_without_reason"],
    answer: { answer: "dismiss", why: "Pedido de prueba" },
    after: "stored dismissed",
    facts: { why: "Pedido de prueba" },
  },
};

interface Placed {
  readonly connector: Connector;
  readonly answer: OrderAnswer;
  readonly facts: AuditLine["facts"];
  /** Lines before the answer. */
  readonly lines: number;
}

async function placed({ declared = [], sent, before, answer, facts }: Course): Promise<Placed> {
  const connector = orderConnector(await openCommerce());
  let profileId = "";
  for (const request of declared) {
    const outcome = await act(connector.shop, request, MARTA);
    profileId = (outcome.outcome === "done" && outcome.shown?.profile_id) || profileId;
  }
  for (const body of sent) await connector.send(body);
  expect(toldOf(await connector.read("1"))).toBe(before);
  const ready = { connector, lines: declared.length };
  if (answer.answer !== "assign_profile") return { ...ready, answer, facts };
  return { ...ready, answer: { ...answer, profileId }, facts: { profile_id: profileId } };
}

async function expectOneLine({ connector, answer, facts, lines }: Placed): Promise<void> {
  expect((await auditOf(connector.shop)).slice(lines)).toEqual([
    { verb: "answer_order", userId: MARTA, facts: { order: "1", answer: answer.answer, ...facts } },
  ]);
}

describe.each(Object.entries(COURSES))("%s", (_, course) => {
  test("acts, with its line, and a repeat is no second change", async () => {
    const ready = await placed(course);
    const { connector, answer } = ready;
    const first = await answerOrder(connector.shop, "1", answer);
    expect(first).toMatchObject({ outcome: "taken" });
    expect(toldOf(await connector.read("1"))).toBe(course.after);
    await expectOneLine(ready);
    await answerOrder(connector.shop, "1", answer);
    expect(toldOf(await connector.read("1"))).toBe(course.after);
    await expectOneLine(ready);
    await expectBooksConsistent(connector.shop.connectionId);
  });

  test("acts once where the database's answer is lost", async () => {
    const ready = await placed(course);
    faults.when(writesOrders, loseAnswer());
    expect((await answerOrder(ready.connector.shop, "1", ready.answer)).outcome).toBe("taken");
    expect(faults.pending()).toEqual([]);
    expect(toldOf(await ready.connector.read("1"))).toBe(course.after);
    await expectOneLine(ready);
  });

  test("an answer that does not fit is refused, and nothing is written", async () => {
    const { connector, lines } = await placed(course);
    const [answer, code] = course.unfit;
    const before = orderIn(await connector.read("1"));
    faults.take();
    expect(await answerOrder(connector.shop, "1", answer)).toMatchObject({
      outcome: "refused",
      refusal: { code },
    });
    expect(faults.take().map(({ rowsWritten }) => rowsWritten)).toEqual([0]);
    expect(orderIn(await connector.read("1"))).toEqual(before);
    expect(await auditOf(connector.shop)).toHaveLength(lines);
  });
});

describe("an answer", () => {
  test("about an unknown order is refused", async () => {
    const shop = await openCommerce();
    const refused = { outcome: "refused", refusal: { code: "order_not_found" } };
    expect(await answerOrder(shop, "nobody", RELEASE)).toMatchObject(refused);
    expect(await decideAgain(shop, "nobody")).toMatchObject(refused);
    expect(await auditOf(shop)).toEqual([]);
  });

  test("given while the database is down can be given again", async () => {
    const { connector, answer } = await placed(COURSES.release);
    faults.next(failBefore(), { times: 20 });
    expect((await answerOrder(connector.shop, "1", answer)).outcome).toBe("unavailable");
    faults.reset();
    expect((await answerOrder(connector.shop, "1", answer)).outcome).toBe("taken");
    expect(toldOf(await connector.read("1"))).toBe(INVOICED);
  });

  test("given while consent is withdrawn waits for it", async () => {
    const { connector } = await placed(COURSES.issue_cancellation);
    await act(connector.shop, { verb: "withdraw_consent" }, MARTA);
    await answerOrder(connector.shop, "1", CANCEL);
    await answerOrder(connector.shop, "1", CANCEL);
    expect(toldOf(await connector.read("1"))).toMatch(/^deferred deferred F2 /);
    expect(await auditOf(connector.shop)).toHaveLength(2);
    await consent(connector.shop);
    await ring(connector.shop);
    expect(toldOf(await connector.read("1"))).toBe(COURSES.issue_cancellation.after);
  });
});

describe("decided again", () => {
  test("with a line where the result changes, and without one where it does not", async () => {
    const connector = orderConnector(await openCommerce());
    const { shop } = connector;
    await connector.send(aSentOrder("1", { tags: ["aparte"], fiscal_event: "none" }));
    await decideAgain(shop, "1");
    expect(await auditOf(shop)).toEqual([]);
    await act(shop, { verb: "set_tag_rule", rule: { tag: "aparte", action: "ignore" } }, MARTA);
    await connector.send(aSentOrder("2", { tags: ["aparte"] }));
    await act(shop, { verb: "remove_tag_rule", tag: "aparte" }, MARTA);
    expect((await decideAgain(shop, "2")).outcome).toBe("taken");
    expect(await statesOf(shop)).toEqual({ invoiced: 1, stored: 1 });
    expect((await auditOf(shop)).at(-1)).toEqual({
      verb: "decide_again",
      userId: MARTA,
      facts: { order: "2" },
    });
  });
});
