import { MOST_ATTEMPTS, retryDelayMs } from "../../domain/callback/delivery.ts";
import { KEPT_MS } from "../../domain/webhook/delivery.ts";
import { MOST_WEBHOOKS } from "../../domain/webhook/endpoint.ts";
import { EXAMPLE_SECRET, exampleWebhook, WEBHOOK_HEADERS, type WebhookDoc } from "../openapi/webhooks.ts";
import { CodeBlock, DocsRules, DocsTable, Marked } from "./page.tsx";

interface WebhooksProps {
  readonly webhooks: Readonly<Record<string, WebhookDoc>>;
}

/** The section shows receivers when each event comes, how to verify its origin, and how to answer. */
export function WebhooksSection({ webhooks }: WebhooksProps) {
  return (
    <section aria-labelledby="webhooks">
      <h2 id="webhooks">Webhooks</h2>
      <p>
        The owner of a connection registers up to {MOST_WEBHOOKS} addresses, each with the events that it
        wants to hear of; what happened before is not told. Every event is a POST of JSON in the form of
        Standard Webhooks. It holds ids, numbers, sums, states and codes, and nothing about people: read the
        rest with GET.
      </p>
      <EventTable webhooks={webhooks} />
      <h3>How to know that it comes from here</h3>
      <Verification />
      <h3>What to answer, and what to expect</h3>
      <DocsRules rules={RULES} />
    </section>
  );
}

function EventTable({ webhooks }: WebhooksProps) {
  return (
    <DocsTable columns={["Event", "When"]}>
      {Object.entries(webhooks).map(([event, { post }]) => {
        const name = post.requestBody.content["application/json"].schema.$ref.split("/").at(-1) ?? "";
        return (
          <tr id={`event-${event}`}>
            <td>
              <a href={`#schema-${name}`}>
                <code>{breakable(event)}</code>
              </a>
            </td>
            <td>
              <Marked text={`${post.summary}. ${post.description}`} />
            </td>
          </tr>
        );
      })}
    </DocsTable>
  );
}

/** On a phone the name may break after a dot or an underscore. */
function breakable(event: string) {
  return event.split(/(?<=[._])/).map((part) => (
    <>
      {part}
      <wbr />
    </>
  ));
}

const VERIFY = [
  "// Node.js. `body` is the request's body as text, before any JSON is parsed.",
  'import { createHmac, timingSafeEqual } from "node:crypto";',
  "",
  "function isGenuine(headers, body, secret, nowSeconds) {",
  '  const age = Math.abs(nowSeconds - Number(headers["webhook-timestamp"]));',
  "  if (!(age <= 300)) return false;",
  '  const signed = [headers["webhook-id"], headers["webhook-timestamp"], body].join(".");',
  '  const key = Buffer.from(secret.slice("whsec_".length), "base64");',
  '  const expected = createHmac("sha256", key).update(signed).digest();',
  '  return headers["webhook-signature"].split(" ").some((given) => {',
  '    const [version, signature] = given.split(",");',
  '    const bytes = Buffer.from(signature ?? "", "base64");',
  '    return version === "v1" && bytes.length === expected.length && timingSafeEqual(bytes, expected);',
  "  });",
  "}",
].join("\n");

function Verification() {
  const { headers, body } = exampleWebhook("invoice.issued");
  const request = [...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), "", body];
  return (
    <>
      <DocsTable columns={["Header", "Meaning"]}>
        {Object.values(WEBHOOK_HEADERS).map(({ name, description }) => (
          <tr>
            <td class="nb">
              <code>{name}</code>
            </td>
            <td>
              <Marked text={description} />
            </td>
          </tr>
        ))}
      </DocsTable>
      <p>
        The secret is shown when the webhook is registered. Take off <code>whsec_</code>, decode the rest from
        base64 and compute the HMAC-SHA-256 of webhook-id, webhook-timestamp and the body as it came, joined
        by full stops. One of the signatures in webhook-signature, in base64 behind <code>v1,</code>, must be
        it. While a secret is being rotated there are two: that of the new one, then that of the old one.
      </p>
      <CodeBlock text={VERIFY} />
      <p>
        With the secret <code>{EXAMPLE_SECRET}</code> this request is genuine, its age aside:
      </p>
      <CodeBlock text={request.join("\n")} />
    </>
  );
}

const RULES: readonly (readonly [rule: string, text: string])[] = [
  [
    "Answer",
    "2xx within 10 seconds, before any work of your own. 410 ends the webhook. Anything else is a failure; " +
      "a redirect is not followed. Retry-After is kept to, up to a day.",
  ],
  [
    "Retries",
    `A failed message is sent again after ${schedule()}, each up to a fifth longer, and given up after ` +
      `${MOST_ATTEMPTS} attempts. While you do not answer at all, or with 5xx or 429, the messages behind ` +
      "it wait too. The owner can have any message sent again.",
  ],
  [
    "At least once",
    "A message can come twice, under the same webhook-id. Keep the ids that you have taken for as long as " +
      "retries last.",
  ],
  [
    "Order",
    "Is not promised: a later event can arrive before an earlier one. What counts is what GET says of the " +
      "invoice or the order.",
  ],
  [
    "Log",
    `The owner sees every message with its attempts and the last outcome for ${KEPT_MS / 86_400_000} days.`,
  ],
];

function schedule(): string {
  const waits = Array.from({ length: MOST_ATTEMPTS - 1 }, (_, index) => {
    return waitText(retryDelayMs(index + 1, { chance: 0 }) ?? 0);
  });
  return `${waits.slice(0, -1).join(", ")} and ${waits.at(-1)}`;
}

function waitText(delayMs: number): string {
  const seconds = delayMs / 1_000;
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3_600 ? `${seconds / 60} min` : `${seconds / 3_600} h`;
}
