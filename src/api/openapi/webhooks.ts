import { TEST_EVENT, type ToldEvent, WEBHOOK_EVENTS } from "../../domain/webhook/event.ts";
import { WEBHOOK_BODIES } from "../wire/webhook-bodies.ts";
import type { NamedSchema, Schema } from "./schema.ts";
import { exampleWebhooks } from "./webhook-examples.ts";

/** One event, in the form that OpenAPI has for requests of a service. */
export interface WebhookDoc {
  readonly post: {
    readonly operationId: string;
    readonly tags: readonly string[];
    readonly security: readonly { readonly WebhookSignature: readonly string[] }[];
    readonly summary: string;
    readonly description: string;
    readonly parameters: readonly { readonly $ref: string }[];
    readonly requestBody: {
      readonly required: true;
      readonly content: {
        readonly "application/json": {
          readonly schema: { readonly $ref: string };
          readonly example: unknown;
        };
      };
    };
    readonly responses: Readonly<Record<string, { readonly description: string }>>;
  };
}

/** When each event is sent. */
const MEANINGS: Readonly<Record<ToldEvent, readonly [summary: string, description: string]>> = {
  "invoice.issued": [
    "An invoice was issued",
    "It has its number and its record stands in the chain. Rectifying invoices and the invoices of orders " +
      "are told too; amendments and cancellations of records are not. What is no invoice but a test says " +
      "so by test.",
  ],
  "record.accepted": [
    "The AEAT accepted a record",
    "Of an invoice, of its amendment or of its cancellation.",
  ],
  "record.accepted_with_errors": [
    "The AEAT accepted a record with errors",
    "It counts, and should be amended; `code` says what is wrong.",
  ],
  "record.rejected": [
    "The AEAT rejected a record",
    "It does not count; `code` says why. The owner of the connection sees the AEAT's words and what can be " +
      "done.",
  ],
  "order.held": [
    "An order waits for its owner",
    "Told while it still waits. An order that comes to wait for other reasons is told again.",
  ],
  "order.invoiced": [
    "An order got its invoice",
    "Its first one, and the new one of an order that came back after it was cancelled; invoice.issued " +
      "tells of the same invoice and of those that correct it.",
  ],
  [TEST_EVENT]: ["A test", "Sent when the owner asks for it; every webhook gets it, whatever it has chosen."],
};

export const WEBHOOK_NAMES: readonly ToldEvent[] = [...WEBHOOK_EVENTS, TEST_EVENT];

export const WEBHOOK_SCHEMAS: readonly NamedSchema[] = WEBHOOK_NAMES.map((event) => ({
  name: schemaName(event),
  contract: WEBHOOK_BODIES[event],
  io: "output",
}));

/** `invoice.issued` has the schema InvoiceIssuedEvent. */
function schemaName(event: ToldEvent): string {
  const words = event.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join("")}Event`;
}

export interface WebhookHeader {
  readonly name: string;
  readonly in: "header";
  readonly required: true;
  readonly description: string;
  readonly schema: Schema;
}

export const WEBHOOK_HEADERS = {
  webhook_id: {
    name: "webhook-id",
    in: "header",
    required: true,
    description: "The same at every attempt of one message: what a repeat is known by.",
    schema: { type: "string" },
  },
  webhook_timestamp: {
    name: "webhook-timestamp",
    in: "header",
    required: true,
    description: "When this attempt was made, in seconds since 1970. Refuse what is older than five minutes.",
    schema: { type: "string" },
  },
  webhook_signature: {
    name: "webhook-signature",
    in: "header",
    required: true,
    description: "One `v1,` and a signature for every secret alive, separated by a space.",
    schema: { type: "string" },
  },
} as const satisfies Readonly<Record<string, WebhookHeader>>;

const RESPONSES = {
  "2XX": { description: "Taken. Whatever stands in the body is not looked at." },
  "410": { description: "Wants no more: the webhook ends, and nothing is sent to it again." },
  default: { description: "Anything else, a redirect included, is a failure: it is sent again later." },
} as const;

const SECURITY = [{ WebhookSignature: [] }];

export function webhookDocs(): Readonly<Record<string, WebhookDoc>> {
  const examples = exampleWebhooks();
  const parameters = Object.keys(WEBHOOK_HEADERS).map((name) => ({
    $ref: `#/components/parameters/${name}`,
  }));
  return Object.fromEntries(
    WEBHOOK_NAMES.map((event) => {
      const [summary, description] = MEANINGS[event];
      const schema = { $ref: `#/components/schemas/${schemaName(event)}` };
      const example: unknown = JSON.parse(examples[event]?.body ?? "{}");
      const requestBody = { required: true, content: { "application/json": { schema, example } } } as const;
      const operationId = `on${schemaName(event)}`;
      const told = { operationId, tags: ["Webhooks"], security: SECURITY, summary, description } as const;
      return [event, { post: { ...told, parameters, requestBody, responses: RESPONSES } }];
    }),
  );
}
