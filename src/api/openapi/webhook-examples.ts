import { signedHeaders } from "../../domain/callback/message.ts";
import { decimal } from "../../domain/shared/decimal.ts";
import { webhookDelivery } from "../../domain/webhook/delivery.ts";
import type { ToldEvent } from "../../domain/webhook/event.ts";
import {
  type ChangedFact,
  type News,
  newsOfChange,
  newsOfHold,
  newsOfIssued,
  newsOfTest,
} from "../../domain/webhook/news.ts";

const CONNECTION = "cn000000000000000042";
const MESSAGE = "msg_000000000000000000000000042";
/** Belongs to no connection; it computes the signature of the example. */
export const EXAMPLE_SECRET = "whsec_RWplbXBsbyBkZSBzZWNyZXRvIHB1YmxpY2FkbyE=";
const HAPPENED_AT = Date.parse("2026-11-27T10:15:30+01:00");
const SENT_AT = HAPPENED_AT + 2_000;

const TOTALS = {
  base: decimal("106.4"),
  tax: decimal("22.34"),
  surcharge: decimal("0"),
  total: decimal("128.74"),
};

const INVOICE = {
  invoiceId: "in000000000000000042",
  origin: "direct:order-1001",
  series: "API-1-2026",
  number: 42,
  fullNumber: "API-1-2026-000042",
  invoiceType: "F1",
  issueDate: "2026-11-27",
  currency: "EUR",
  totals: TOTALS,
  totalsEur: TOTALS,
};

const RECORD = { installationId: "is000000000000000042", position: 42 };
const ISSUED = { ...RECORD, hash: "A".repeat(64), generatedAt: HAPPENED_AT };

function change(state: ChangedFact["state"], code?: number): News {
  const fact: ChangedFact = {
    ...RECORD,
    changedSeq: 7,
    kind: "ALTA",
    state,
    origin: INVOICE.origin,
    invoice: INVOICE,
    ...(code === undefined ? {} : { code }),
  };
  return newsOfChange(CONNECTION, fact, HAPPENED_AT);
}

/** Made by the code for real events. */
const NEWS: readonly News[] = [
  ...newsOfIssued(CONNECTION, { ...ISSUED, invoice: INVOICE }),
  change("accepted"),
  change("accepted_with_errors", 2001),
  change("rejected", 1110),
  newsOfHold(CONNECTION, {
    idExternal: "5001",
    heldSeq: 12,
    changedAt: HAPPENED_AT,
    reasons: ["recipient_incomplete"],
  }),
  ...newsOfIssued(CONNECTION, { ...ISSUED, invoice: { ...INVOICE, origin: "order:5001" } }).slice(1),
  newsOfTest(CONNECTION, { endpointId: "wh000000000000000042", deliveryId: MESSAGE, at: HAPPENED_AT }),
];

export interface ExampleWebhook {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The exact bytes that a receiver gets. */
export function exampleWebhooks(): Readonly<Partial<Record<ToldEvent, ExampleWebhook>>> {
  return Object.fromEntries(
    NEWS.map((news) => {
      const { id, body } = webhookDelivery(news, { id: MESSAGE, at: HAPPENED_AT });
      const secrets = { current: EXAMPLE_SECRET };
      return [news.event, { body, headers: signedHeaders({ id, url: "", body, secrets, at: SENT_AT }) }];
    }),
  );
}
