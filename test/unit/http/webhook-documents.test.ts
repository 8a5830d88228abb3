/** The documents for receivers of webhooks: their examples verify. */
import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { webhookBody } from "../../../src/api/openapi/webhook-events.ts";
import { EXAMPLE_SECRET, exampleWebhook } from "../../../src/api/openapi/webhooks.ts";
import { type DeliveredEvent, TEST_EVENT, WEBHOOK_EVENTS } from "../../../src/domain/webhook/event.ts";
import { anEdge } from "../../support/worlds/http-edge.ts";

const EVENTS: readonly DeliveredEvent[] = [...WEBHOOK_EVENTS, TEST_EVENT];

async function read(path: string): Promise<string> {
  return (await anEdge().app.request(path)).text();
}

test("OpenAPI has every event with its schema, and an example of that shape", async () => {
  const { webhooks, components } = JSON.parse(await read("/openapi.json"));
  expect(Object.keys(webhooks)).toEqual(EVENTS);
  for (const event of EVENTS) {
    const { parameters, requestBody, responses } = webhooks[event].post;
    const { schema, example } = requestBody.content["application/json"];
    const name = schema.$ref.split("/").at(-1);
    expect(components.schemas[name]).toMatchObject({
      properties: { type: { const: event } },
      required: ["type", "timestamp", "data"],
      additionalProperties: false,
    });
    expect(webhookBody(event).parse(example)).toEqual(example);
    expect(parameters).toHaveLength(3);
    expect(Object.keys(responses)).toEqual(["410", "2XX", "default"]);
  }
});

test("the example is signed as the text says", () => {
  const { headers, body } = exampleWebhook("invoice.issued");
  const key = Buffer.from(EXAMPLE_SECRET.slice("whsec_".length), "base64");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  const signature = createHmac("sha256", key).update(signed).digest("base64");
  expect(headers["webhook-signature"]).toBe(`v1,${signature}`);
});

const ENTITIES: Readonly<Record<string, string>> = {
  "&quot;": '"',
  "&#39;": "'",
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
};

test("the code of the page takes the example, and nothing that was touched", async () => {
  const page = await read("/docs");
  const escaped = /\/\/ Node\.js\..*?<\/pre>/s.exec(page)?.[0].replace("</pre>", "") ?? "";
  const code = escaped.replace(/&(?:quot|#39|lt|gt|amp);/g, (entity) => ENTITIES[entity] ?? entity);
  const { isGenuine } = await import(
    /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(`${code}\nexport { isGenuine };`)}`
  );
  const { headers, body } = exampleWebhook("invoice.issued");
  const now = Number(headers["webhook-timestamp"]);
  const other = { ...headers, "webhook-signature": `v1,${"A".repeat(43)}= ${headers["webhook-signature"]}` };
  expect([
    isGenuine(headers, body, EXAMPLE_SECRET, now + 299),
    isGenuine(other, body, EXAMPLE_SECRET, now),
    isGenuine(headers, `${body} `, EXAMPLE_SECRET, now),
    isGenuine({ ...headers, "webhook-id": "msg_2" }, body, EXAMPLE_SECRET, now),
    isGenuine(headers, body, EXAMPLE_SECRET, now + 301),
    isGenuine({ ...headers, "webhook-timestamp": "soon" }, body, EXAMPLE_SECRET, now),
  ]).toEqual([true, true, false, false, false, false]);
});

test("/docs lists every event, the schedule and the limits of the promise", async () => {
  const page = await read("/docs");
  for (const event of EVENTS) expect(page).toContain(`id="event-${event}"`);
  expect(page).toContain("10 s, 1 min, 5 min, 30 min, 2 h, 6 h, 12 h and 24 h");
  expect(page).toContain("given up after 9 attempts");
  expect(page).toContain("Is not promised");
});
