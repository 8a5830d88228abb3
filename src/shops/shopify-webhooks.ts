import type { Native } from "../domain/shop/native.ts";
import type { ShopWebhook } from "../domain/shop/webhooks.ts";
import type { OpenedShop, ShopAnswer, WebhookApi } from "../platform/shop-api.ts";
import { answerWith, given } from "./ask.ts";
import { WEBHOOK_CREATE, WEBHOOK_DELETE, WEBHOOK_UPDATE, WEBHOOKS_QUERY } from "./shopify-queries.ts";

type Query = (shop: OpenedShop, text: string, variables: object) => Promise<ShopAnswer<Native>>;

const MOST_PAGES = 20;
const REFUSED_BY_RULE: ShopAnswer<never> = { answer: "failed", cause: "client_error" };

/** The API lists only the app's own webhooks, which Shopify signs with the app's secret and none of ours. */
export function webhooksBy(query: Query): WebhookApi {
  const changed = async (shop: OpenedShop, text: string, member: string, variables: object) =>
    given(await query(shop, text, variables), (data) => {
      const outcome = data.at(member);
      const isDone = outcome.isObject && outcome.at("userErrors").items().length === 0;
      return isDone ? answerWith({}) : REFUSED_BY_RULE;
    });
  return {
    async list(shop) {
      const all: ShopWebhook[] = [];
      let after: string | null = null;
      for (let pages = 0; pages < MOST_PAGES; pages += 1) {
        const listed: ShopAnswer<Native> = await query(shop, WEBHOOKS_QUERY, { after });
        if (listed.answer !== "given") return listed;
        const list = listed.value.at("webhookSubscriptions");
        all.push(...list.at("nodes").items().flatMap(webhookIn));
        const cursor = list.at("pageInfo", "endCursor").text(500);
        if (!list.at("pageInfo", "hasNextPage").flag() || cursor === undefined) return answerWith(all);
        after = cursor;
      }
      // A longer list may hide a webhook of ours, which would then be made a second time.
      return { answer: "failed", cause: "unexpected" };
    },
    create: (shop, { topic, url }) =>
      changed(shop, WEBHOOK_CREATE, "webhookSubscriptionCreate", {
        topic: enumOf(topic),
        webhook: { uri: url, format: "JSON" },
      }),
    change: (shop, id, { url }) =>
      changed(shop, WEBHOOK_UPDATE, "webhookSubscriptionUpdate", { id, webhook: { uri: url } }),
    remove: (shop, id) => changed(shop, WEBHOOK_DELETE, "webhookSubscriptionDelete", { id }),
  };
}

/** `orders/create` of a delivery is ORDERS_CREATE of the API. */
function enumOf(topic: string): string {
  return topic.replace("/", "_").toUpperCase();
}

function webhookIn(webhook: Native): readonly ShopWebhook[] {
  const [id, topic, url] = [
    webhook.at("id").text(200),
    webhook.at("topic").text(60),
    webhook.at("uri").text(2_000),
  ];
  if (id === undefined || topic === undefined || url === undefined) return [];
  return [{ id, topic: topic.toLowerCase().replace("_", "/"), url }];
}
