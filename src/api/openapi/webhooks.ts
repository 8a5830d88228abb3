import { signedHeaders } from "../../domain/callback/message.ts";
import { webhookDelivery } from "../../domain/webhook/delivery.ts";
import { type DeliveredEvent, TEST_EVENT, WEBHOOK_EVENTS } from "../../domain/webhook/event.ts";
import type { NamedSchema, Schema } from "./schema.ts";
import { EXAMPLE_AT, EXAMPLE_ID, WEBHOOK_DOCS, webhookBody } from "./webhook-events.ts";

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

export const WEBHOOK_NAMES: readonly DeliveredEvent[] = [...WEBHOOK_EVENTS, TEST_EVENT];

export const WEBHOOK_SCHEMAS: readonly NamedSchema[] = WEBHOOK_NAMES.map((event) => ({
  name: schemaName(event),
  contract: webhookBody(event),
  io: "output",
}));

/** `invoice.issued` has the schema InvoiceIssuedEvent. */
function schemaName(event: DeliveredEvent): string {
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
  const parameters = Object.keys(WEBHOOK_HEADERS).map((name) => ({
    $ref: `#/components/parameters/${name}`,
  }));
  return Object.fromEntries(
    WEBHOOK_NAMES.map((event) => {
      const { summary, description } = WEBHOOK_DOCS[event];
      const schema = { $ref: `#/components/schemas/${schemaName(event)}` };
      const example: unknown = JSON.parse(exampleWebhook(event).body);
      const requestBody = { required: true, content: { "application/json": { schema, example } } } as const;
      const operationId = `on${schemaName(event)}`;
      const shown = { operationId, tags: ["Webhooks"], security: SECURITY, summary, description } as const;
      return [event, { post: { ...shown, parameters, requestBody, responses: RESPONSES } }];
    }),
  );
}

/** Belongs to no connection; it computes the signature of the example. */
export const EXAMPLE_SECRET = "whsec_RWplbXBsbyBkZSBzZWNyZXRvIHB1YmxpY2FkbyE=";
const SENT_AT = EXAMPLE_AT + 2_000;

export interface ExampleWebhook {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The exact bytes that a receiver gets. */
export function exampleWebhook(event: DeliveredEvent): ExampleWebhook {
  const { id, body } = webhookDelivery(WEBHOOK_DOCS[event].example, { id: EXAMPLE_ID, at: EXAMPLE_AT });
  const secrets = { current: EXAMPLE_SECRET };
  return { body, headers: signedHeaders({ id, url: "", body, secrets, at: SENT_AT }) };
}
