import { z } from "zod";
import { text } from "../values.ts";

/** Platforms that a shop can say it runs on; "other" for the rest. */
export const PLATFORMS = ["woocommerce", "prestashop", "shopify", "magento", "other"] as const;

export const newConnectionBody = z.strictObject({
  kind: z.enum(["commerce", "api"]),
  name: text(80),
});
