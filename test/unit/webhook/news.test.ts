/** The content of each event: the documented shape, sums digit by digit, nothing of a person. */
import { describe, expect, test } from "vitest";
import { webhookBody } from "../../../src/api/openapi/webhook-events.ts";
import { orderIdOf, originText } from "../../../src/domain/order/order-origin.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { webhookDelivery } from "../../../src/domain/webhook/delivery.ts";
import {
  type ChangedFact,
  eventOfChange,
  eventOfHold,
  eventOfTest,
  eventsOfIssued,
  type IssuedFact,
  type PublishedEvent,
} from "../../../src/domain/webhook/published-event.ts";
import { NOON } from "../../support/builders/callbacks.ts";

const TOTALS = { base: decimal("100"), tax: decimal("21"), surcharge: decimal("0"), total: decimal("121") };

function issued(change: Partial<IssuedFact["invoice"]> = {}): IssuedFact {
  return {
    installationId: "is1",
    position: 3,
    hash: "AB",
    generatedAt: NOON,
    invoice: {
      invoiceId: "in1",
      origin: "direct:e-1",
      series: "API-1-2026",
      number: 7,
      fullNumber: "API-1-2026-000007",
      invoiceType: "F1",
      issueDate: "2026-11-28",
      currency: "EUR",
      totals: TOTALS,
      totalsEur: TOTALS,
      ...change,
    },
  };
}

function changed(change: Partial<ChangedFact> = {}): ChangedFact {
  const { invoice } = issued();
  return {
    installationId: "is1",
    position: 3,
    changedSeq: 2,
    kind: "ALTA",
    state: "rejected",
    origin: invoice.origin,
    invoice,
    ...change,
  };
}

const bodyOf = (news: PublishedEvent) => webhookDelivery(news, { id: "msg_1", at: NOON + 1 }).body;
const told = (news: PublishedEvent) => webhookBody(news.event).parse(JSON.parse(bodyOf(news)));

describe("issued", () => {
  test("a direct invoice is one event", () => {
    const [news, ...others] = eventsOfIssued("cn1", issued());
    expect(others).toEqual([]);
    expect(news && told(news)).toEqual({
      type: "invoice.issued",
      timestamp: "2026-11-28T12:00:00.000Z",
      data: {
        connection_id: "cn1",
        invoice_id: "in1",
        external_id: "e-1",
        order_id: null,
        series: "API-1-2026",
        number: 7,
        full_number: "API-1-2026-000007",
        invoice_type: "F1",
        issue_date: "2026-11-28",
        currency: "EUR",
        totals: { base: 100, tax: 21, surcharge: 0, total: 121 },
        totals_eur: { base: 100, tax: 21, surcharge: 0, total: 121 },
        record: { record_id: "is1-3", kind: "ALTA", position: 3, hash: "AB" },
      },
    });
  });

  test("a test says so in every event about it, and an invoice says nothing of it", () => {
    const invoice = { ...issued({ origin: "order:5" }).invoice, test: true } as const;
    const events = [
      ...eventsOfIssued("cn1", issued(invoice)),
      eventOfChange("cn1", changed({ invoice }), NOON),
    ];
    const members = events.map((news) => JSON.parse(bodyOf(news)).data);
    expect(events.map(told).map(({ type }) => type)).toHaveLength(3);
    expect(members.map((data) => (data.invoice ?? data).test)).toEqual([true, true, true]);
    expect(bodyOf(eventOfChange("cn1", changed(), NOON))).not.toContain('"test"');
  });

  test.each([
    ["order:5:0:1", "5:0:1", ["invoice.issued", "order.invoiced"]],
    ["order:", "", ["invoice.issued", "order.invoiced"]],
    ["reissue:2:5:0:1", "5:0:1", ["invoice.issued", "order.invoiced"]],
    ["replacement:5", "5", ["invoice.issued"]],
    ["reissue_replacement:2:5", "5", ["invoice.issued"]],
    ["event_replacement:5%3A%25:r:1", "5:%", ["invoice.issued"]],
    ["event:5%3A%25:r:1", "5:%", ["invoice.issued"]],
  ])("of %s", (origin, order, events) => {
    const news = eventsOfIssued("cn1", issued({ origin }));
    expect(news.map(({ event }) => event)).toEqual(events);
    for (const each of news) {
      const { data } = JSON.parse(bodyOf(each));
      expect(data.id_external ?? data.order_id).toBe(order);
      expect((data.invoice ?? data).external_id).toBeNull();
    }
  });

  test("sums are written digit by digit, in the decimals of their currency", () => {
    const totals = { ...TOTALS, total: decimal("999999999999.1"), base: decimal("0.10") };
    const [euros] = eventsOfIssued("cn1", issued({ totals }));
    expect(euros && bodyOf(euros)).toContain(
      '"totals":{"base":0.1,"tax":21,"surcharge":0,"total":999999999999.1}',
    );
    const [yen] = eventsOfIssued("cn1", issued({ currency: "JPY" }));
    expect(yen && told(yen)).toMatchObject({ data: { currency: "JPY", totals: { total: 121 } } });
  });
});

describe("changed", () => {
  test.each(["accepted", "accepted_with_errors", "rejected"] as const)("%s", (state) => {
    const news = eventOfChange("cn1", changed({ state, code: 1110, hold: "foreign_duplicate" }), NOON);
    expect(news.subject).toBe("is1-3");
    expect(told(news)).toMatchObject({
      type: `record.${state}`,
      data: { record: { record_id: "is1-3", state, amends: false }, code: 1110, hold: "foreign_duplicate" },
    });
  });

  test("an amendment and a cancellation name the invoice that they are of", () => {
    const amendment = eventOfChange("cn1", changed({ origin: "amend:is1-1" }), NOON);
    expect(told(amendment)).toMatchObject({
      data: { record: { amends: true }, invoice: { external_id: "e-1" } },
    });
    const cancellation = eventOfChange("cn1", changed({ kind: "ANULACION", origin: "cancel:in1:1" }), NOON);
    expect(told(cancellation)).toMatchObject({
      data: { record: { kind: "ANULACION", amends: false }, code: null, hold: null },
    });
  });
});

test("held: which reasons, and not their facts; held anew it is another subject", () => {
  const fact = { idExternal: "5", heldSeq: 12, changedAt: NOON, reasons: ["recipient_incomplete"] };
  const news = eventOfHold("cn1", fact);
  expect(told(news)).toEqual({
    type: "order.held",
    timestamp: "2026-11-28T12:00:00.000Z",
    data: {
      connection_id: "cn1",
      id_external: "5",
      state: "held",
      reasons: [{ code: "recipient_incomplete" }],
    },
  });
  expect([news.subject, eventOfHold("cn1", { ...fact, heldSeq: 13 }).subject]).toEqual(["12:5", "13:5"]);
});

test("a test names the webhook", () => {
  const news = eventOfTest("cn1", { endpointId: "wh1", deliveryId: "msg_1", at: NOON });
  expect(told(news)).toMatchObject({
    type: "webhook.test",
    data: { connection_id: "cn1", webhook_id: "wh1" },
  });
});

test.each(["5", "5:1", "5%3A1", "%25", "a:b%c", "á\nb"])(
  "the order %j is read back from every origin",
  (id) => {
    const origins = [
      originText(id, { of: "order" }),
      originText(id, { of: "replacement" }),
      originText(id, { of: "event", eventId: "x:y" }),
      originText(id, { of: "event_replacement", eventId: "x:y" }),
      originText(id, { of: "order", generation: 12 }),
      originText(id, { of: "replacement", generation: 12 }),
    ];
    expect(origins.map(orderIdOf)).toEqual(origins.map(() => id));
    expect(new Set(origins).size).toBe(origins.length);
  },
);
test("a direct invoice is of no order", () => expect(orderIdOf("direct:order:5")).toBeUndefined());
