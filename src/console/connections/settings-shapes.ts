import * as z from "zod";
import { date, list, sentText, text } from "../../api/wire/values.ts";
import { LONGEST_ORIGIN } from "../../domain/viewer/origin.ts";
import { cursor } from "../shapes/place.ts";
import { refuseValue, version } from "../shapes/values.ts";

/** Ids are compared exactly, so they are never trimmed. */
const id = sentText(255).min(1).max(255);
const address = sentText(4_000).min(1).max(4_000);
const stem = text(120);
const MOST_EVENTS = 50;

export const withdrawalBody = z.strictObject({ name: z.string().max(200) });
export const nameBody = z.strictObject({ name: text(80), version });
export const cutoffBody = z.strictObject({ cutoff_date: date, version });
export const stemBody = z.strictObject({ stem });
export const accessBody = z.strictObject({ enabled: z.boolean() });
export const originBody = z.strictObject({ origin: address });
export const callbackBody = z.strictObject({ url: address, version });
export const webhookBody = z.strictObject({
  url: address,
  events: list(z.string().max(100), MOST_EVENTS),
});
export const webhookEventsBody = webhookBody.pick({ events: true }).extend({ version });
export const tagRuleBody = z.strictObject({ tag: text(255), action: z.enum(["hold", "ignore"]) });
export const tagQuery = z.strictObject({ tag: z.string().max(300) });
export const originQuery = z.strictObject({ origin: address });
export const originsQuery = z.strictObject({
  cursor: cursor(z.strictObject({ at: z.int(), origin: z.string().max(LONGEST_ORIGIN) })).optional(),
});
/** Index of the page's first row. */
export const fromQuery = z.strictObject({
  from: sentText(6)
    .transform((sent, context) =>
      /^\d{1,6}$/.test(sent) ? Number(sent) : refuseValue(context, { en: "a number", es: "un número" }),
    )
    .optional(),
});
export const pageQuery = z.strictObject({ cursor: z.string().max(200).optional() });

/** A stem while the user types it, for an existing profile or a new one. */
export const profileStemBody = z.strictObject({ stem, profile: id.optional() });
