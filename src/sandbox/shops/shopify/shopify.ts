/** A Shopify shop: the Admin API's GraphQL, and the token of an app by its client credentials. */
import { createHmac } from "node:crypto";
import { type Doc, docsOf, isDoc, numberOf, textOf, Unusable, unwrapped, withId } from "../documents.ts";
import { bucketOf } from "../limits.ts";
import { type Call, json, type Shop, type ShopDeps, type Webhook } from "../shop.ts";
import { costOf, execute, problemsOf, type Root } from "./execute.ts";
import { iso, type Orders, ordersIn } from "./orders.ts";
import { type Operation, parseOperation, SyntaxProblem } from "./parse.ts";
import { idOf, nodesIn, plainNode } from "./rest.ts";
import { orderRoot, shopRoot, webhookRoot } from "./roots.ts";

export const SHOPIFY_VERSION = "2025-10";
const TOPICS = [
  ...(["orders/create", "orders/updated", "orders/paid", "orders/cancelled", "orders/delete"] as const),
  "refunds/create",
] as const;
/** Points of the bucket, and those that come back each second. */
const BUCKET = 2_000;
const PER_SECOND = 100;
/** A query above this is never answered. */
const MOST_COST = 1_000;
const TOKEN_SECONDS = 86_399;

export function shopify(deps: ShopDeps): Shop {
  const { store, now } = deps;
  const orders = ordersIn(deps);
  const points = bucketOf({ size: BUCKET, perSecond: PER_SECOND, now });
  const touch = (id: string) => {
    const kept = store.get("orders", id);
    if (kept) store.put("orders", id, { ...kept, changedAt: iso(now()) });
  };
  const ofOrder = (name: "refunds" | "transactions") => ({
    put(id: string, sent: unknown) {
      store.put(name, id, { [name]: listAfter(name, docsOf(store.get(name, id)?.[name]), sent) });
      touch(id);
    },
    remove(id: string) {
      const isThere = store.remove(name, id);
      if (isThere) touch(id);
      return isThere;
    },
  });
  return {
    answer: (call) => answer(call, { ...deps, orders, points }),
    topics: TOPICS,
    resources: {
      orders: {
        put(id, sent) {
          const order = unwrapped(sent, "order", "data");
          if (!isDoc(order)) throw new Unusable("Send the order as a REST resource or as a node of GraphQL.");
          const isNode = "legacyResourceId" in order || /^gid:/.test(textOf(order.id) ?? "");
          if (isNode && idOf(order) !== id) {
            throw new Unusable(
              `The node's id is ${idOf(order)}: put it under ${idOf(order)}, not under ${id}.`,
            );
          }
          const doc = isNode ? plainNode("order", order) : withId(order, id);
          store.put("orders", id, { form: isNode ? "node" : "rest", doc, changedAt: iso(now()) });
        },
        remove: (id) => store.remove("orders", id),
      },
      refunds: ofOrder("refunds"),
      transactions: ofOrder("transactions"),
    },
    bodyOf(topic, id) {
      if (topic === "orders/delete") return { id: numberOf(id) };
      return topic === "refunds/create" ? orders.restRefundOf(id) : orders.restOf(id);
    },
    webhooksOf: (topic) =>
      store
        .list("webhooks")
        .filter((webhook) => webhook.topic === topic.toUpperCase().replace("/", "_"))
        .map((webhook) => webhookOf(webhook, deps)),
    giveUp: ({ id }) => void store.remove("webhooks", id),
  };
}

function webhookOf(webhook: Doc, { credentials }: ShopDeps): Webhook {
  const [id = "", url = ""] = [textOf(webhook.legacyResourceId), textOf(webhook.uri)];
  return { id, url, name: `Webhook ${id}`, secret: credentials.secret ?? "", sends: "documents" };
}

/** A list replaces the refunds or transactions of an order; one of them joins the others. */
function listAfter(name: "refunds" | "transactions", before: readonly Doc[], sent: unknown): readonly Doc[] {
  const given = unwrapped(sent, name, name.slice(0, -1), "data");
  const isList = Array.isArray(given) || (isDoc(given) && !("id" in given));
  const entries = isList ? nodesIn(given) : docsOf([given]);
  const ids = entries.map((entry) => idOf(entry) ?? textOf(entry.id));
  if (entries.length === 0 || ids.includes(undefined)) {
    throw new Unusable(`Send one of the order's ${name} with its id, or the list of them.`);
  }
  const kept = before.filter((entry) => !ids.includes(idOf(entry) ?? textOf(entry.id)));
  return isList ? entries : [...kept, ...entries];
}

interface Answering extends ShopDeps {
  readonly orders: Orders;
  readonly points: ReturnType<typeof bucketOf>;
}

function answer(call: Call, deps: Answering): Response {
  const { method, path, headers } = call;
  if (path === "/admin/oauth/access_token" && method === "POST") return granted(call, deps);
  const [, version] = /^\/admin\/api\/(\d{4}-\d{2}|unstable)\/graphql\.json$/.exec(path) ?? [];
  if (version === undefined || method !== "POST") return json({ errors: "Not Found" }, 404);
  if (!isToken(headers.get("X-Shopify-Access-Token") ?? "", deps)) {
    const errors = "[API] Invalid API key or access token (unrecognized login or wrong password)";
    return json({ errors }, 401);
  }
  return json(answered(call, deps), 200, { "X-Shopify-API-Version": version });
}

/** A token says its end and proves it, so that it outlives a restart of the shop. */
function tokenUntil(until: number, { credentials }: ShopDeps): string {
  const proof = createHmac("sha256", credentials.secret ?? "")
    .update(`token ${until}`)
    .digest("hex");
  return `shpat_${until.toString(36)}_${proof.slice(0, 24)}`;
}

function isToken(token: string, deps: ShopDeps): boolean {
  const { credentials, now } = deps;
  if (credentials.token !== undefined && token === credentials.token) return true;
  const [, text = ""] = /^shpat_([0-9a-z]{1,11})_[0-9a-f]{24}$/.exec(token) ?? [];
  const until = Number.parseInt(text, 36);
  return until > now() && token === tokenUntil(until, deps);
}

function granted({ text, headers }: Call, deps: ShopDeps): Response {
  const sent = /json/.test(headers.get("Content-Type") ?? "")
    ? parsed(text)
    : Object.fromEntries(new URLSearchParams(text));
  const { client_id: id, client_secret: secret, grant_type: grant } = { ...Object(sent) };
  if (grant !== "client_credentials") return json({ error: "unsupported_grant_type" }, 400);
  if (id !== deps.credentials.client_id || secret !== deps.credentials.secret) {
    const error_description = "No application was found with this client id and secret.";
    return json({ error: "application_cannot_be_found", error_description }, 400);
  }
  const access_token = tokenUntil(deps.now() + TOKEN_SECONDS * 1_000, deps);
  return json({ access_token, scope: "read_orders", expires_in: TOKEN_SECONDS });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function answered({ text }: Call, deps: Answering): Doc {
  const sent = parsed(text);
  const query = isDoc(sent) ? textOf(sent.query) : undefined;
  const variables = isDoc(sent) && isDoc(sent.variables) ? sent.variables : {};
  if (query === undefined)
    return { errors: [{ message: "Bad Request", extensions: { code: "BAD_REQUEST" } }] };
  const operation = operationIn(query);
  if (operation instanceof SyntaxProblem)
    return { errors: [{ message: `syntax error: ${operation.message}` }] };
  const problems = problemsOf(operation, variables);
  if (problems.length > 0) return { errors: problems };
  const requestedQueryCost = costOf(operation, variables);
  if (requestedQueryCost > MOST_COST) {
    const limit = `the single query max cost limit (${MOST_COST})`;
    const message = `Query cost is ${requestedQueryCost}, which exceeds ${limit}.`;
    return {
      errors: [
        { message, extensions: { code: "MAX_COST_EXCEEDED", cost: requestedQueryCost, maxCost: MOST_COST } },
      ],
    };
  }
  const cost = (actualQueryCost: number | null) => ({
    cost: {
      ...{ requestedQueryCost, actualQueryCost },
      throttleStatus: {
        ...{
          maximumAvailable: BUCKET,
          currentlyAvailable: Math.floor(deps.points.left()),
          restoreRate: PER_SECOND,
        },
      },
    },
  });
  if (deps.points.left() < requestedQueryCost) {
    return { errors: [{ message: "Throttled", extensions: { code: "THROTTLED" } }], extensions: cost(null) };
  }
  const root: Root = { ...orderRoot(deps), ...shopRoot(deps), ...webhookRoot(deps) };
  const data = execute(operation, variables, root);
  const actual = operation.kind === "mutation" ? requestedQueryCost : objectsIn(data) - 1;
  deps.points.take(actual);
  return { data, extensions: cost(actual) };
}

function operationIn(query: string): Operation | SyntaxProblem {
  try {
    return parseOperation(query);
  } catch (error) {
    if (error instanceof SyntaxProblem) return error;
    throw error;
  }
}

function objectsIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, entry) => sum + objectsIn(entry), 0);
  return isDoc(value) ? Object.values(value).reduce((sum: number, entry) => sum + objectsIn(entry), 1) : 0;
}
