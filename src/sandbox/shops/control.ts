/** The control of the stand-in shops, for tests and demonstrations on this machine. */
import * as z from "zod";
import type { deliveriesOf } from "./deliveries.ts";
import { readExact, Unusable } from "./documents.ts";
import type { Misbehaviour } from "./misbehave.ts";
import { type Call, json, type Platform, type Shop, type Webhook } from "./shop.ts";

export interface ControlDeps {
  readonly platform: Platform;
  readonly shop: Shop;
  /** Where the launcher has the shop deliver. */
  readonly endpoints: readonly Webhook[];
  readonly deliver: ReturnType<typeof deliveriesOf>;
  readonly misbehave: (misbehaviour: Misbehaviour) => void;
  /** Acts as if it were that time. */
  readonly asOf: <Value>(at: number, act: () => Value) => Value;
}

const delivering = z.strictObject({
  topic: z.string(),
  id: z.union([z.string().regex(/^\d{1,20}$/), z.int().min(0)]).transform(String),
  /** Only to the connection without credentials, or only to the one that fetches. */
  to: z.enum(["posting", "fetching"]).optional(),
});
const misbehaving = z.strictObject({
  status: z.int().refine((status) => status === 0 || (status >= 200 && status <= 599)),
  times: z.int().min(0).max(100_000),
});

function refused(status: number, error: string, message: string): Response {
  return json({ error, message }, status);
}

export async function control(call: Call, deps: ControlDeps): Promise<Response> {
  const { method, path } = call;
  const [, resource = "", id, below] = path.split("/");
  if (id === undefined && method === "POST" && resource === "deliver") return delivered(call, deps);
  if (id === undefined && method === "POST" && resource === "misbehave") return misbehaved(call, deps);
  const { shop, platform } = deps;
  const known = shop.resources[resource];
  if (!known || id === undefined || below !== undefined) {
    const resources = Object.keys(shop.resources).join(", ");
    const message =
      `PUT or DELETE /${platform}/_sandbox/{resource}/{id} with one of ${resources}; ` +
      `POST /${platform}/_sandbox/deliver; POST /${platform}/_sandbox/misbehave.`;
    return refused(404, "no_such_control", message);
  }
  if (!/^\d{1,20}$/.test(id))
    return refused(422, "invalid_id", "The id in the path is the digits of the shop's id.");
  if (method === "DELETE") {
    if (known.remove(id)) return json({ removed: { resource, id } });
    return refused(404, "not_found", `The shop has no ${resource} under ${id}.`);
  }
  if (method !== "PUT") return refused(405, "method_not_allowed", "PUT a document, or DELETE it.");
  return put(call, id, { resource, known, asOf: deps.asOf });
}

interface Putting {
  readonly resource: string;
  readonly known: Shop["resources"][string];
  readonly asOf: ControlDeps["asOf"];
}

function put({ text, query }: Call, id: string, { resource, known, asOf }: Putting): Response {
  const at = query.get("at");
  if (at !== null && Number.isNaN(Date.parse(at))) {
    return refused(422, "invalid_time", "at is an instant, such as 2026-11-20T10:00:00Z.");
  }
  try {
    const sent = sentIn(text);
    const act = () => known.put(id, sent);
    if (at === null) act();
    else asOf(Date.parse(at), act);
    return json({ put: { resource, id } });
  } catch (error) {
    if (error instanceof Unusable) return refused(422, "unusable_document", error.message);
    throw error;
  }
}

/** JSON with its digits; a document of XML is for the platform that has some. */
function sentIn(text: string): unknown {
  if (text.trimStart().startsWith("<")) return text;
  try {
    return readExact(text);
  } catch {
    throw new Unusable("The body is no JSON.");
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function delivered(
  { text }: Call,
  { platform, shop, endpoints, deliver }: ControlDeps,
): Promise<Response> {
  const { data } = delivering.safeParse(jsonIn(text));
  const topics = shop.topics.join(", ");
  if (!data || !shop.topics.includes(data.topic)) {
    const message =
      `Send { "topic": one of ${topics}, "id": the native id }, and "to": "posting" or "fetching" ` +
      "for one of both.";
    return refused(422, "invalid_delivery", message);
  }
  const { topic, id, to } = data;
  const registered = shop.webhooksOf(topic);
  // A webhook that the product has made takes the place of the launcher's for the same address.
  const urls = new Set(registered.map(({ url }) => url));
  const given = endpoints.filter(({ url }) => !urls.has(url));
  const all = [...given, ...registered];
  const urlOf = endpoints.find(({ name }) => name === to)?.url;
  const webhooks = to === undefined ? all : all.filter(({ url }) => url === urlOf);
  const bodyOf = ({ sends }: Webhook) => shop.bodyOf(topic, id, sends);
  if (!bodyOf({ sends: "documents", id: "", name: "", url: "", secret: "" })) {
    const message = `The shop has no document ${id} for ${topic}: PUT it first under /${platform}/_sandbox/.`;
    return refused(404, "not_found", message);
  }
  if (webhooks.length === 0) {
    const message = `No webhook is registered for ${topic}; npm start registers two.`;
    return refused(409, "no_webhook", message);
  }
  return json({ deliveries: await deliver(webhooks, topic, (webhook) => bodyOf(webhook) ?? {}) });
}

function misbehaved({ text }: Call, { misbehave }: ControlDeps): Response {
  const { data } = misbehaving.safeParse(jsonIn(text));
  if (!data) {
    const message =
      'Send { "status": 200 to 599, or 0 to break the connection, "times": how many calls }. ' +
      "A status below 300 is a page of HTML, 300 to 399 a redirect.";
    return refused(422, "invalid_misbehaviour", message);
  }
  misbehave(data);
  return json({ misbehaving: data });
}
