import * as z from "zod";
import { list } from "../../api/wire/values.ts";
import { INVOICE_CHECKS, RECORD_CHECKS } from "../../domain/proof/checks.ts";

const LONGEST = 200;
const MOST_WALKS = 1_000;

const plain = z.string().max(LONGEST);
const count = z.int().min(0);

const read = { position: count, hash: plain };
const key = z.strictObject({ issuerNif: plain, number: plain, date: plain });

const chain = z.strictObject({
  ...{ connectionId: plain, accountId: plain, installationId: plain, installationNumber: plain },
  environment: z.enum(["test", "production"]),
  ...{ openedAt: z.int(), last: count },
  start: z.strictObject({ ...read, key, generatedAt: plain }).exactOptional(),
  leftUntil: count.exactOptional(),
});

const series = z.strictObject({
  ...{ connectionId: plain, accountId: plain, code: plain, last: count },
  installationId: plain.exactOptional(),
});

const walked = z.discriminatedUnion("isRead", [
  z.strictObject({ isRead: z.literal(true), ...read, key, generatedAt: plain }),
  z.strictObject({ isRead: z.literal(false), ...read }),
]);

const at = z.discriminatedUnion("walk", [
  z.strictObject({ walk: z.literal("chains"), index: count, head: walked.exactOptional() }),
  z.strictObject({
    walk: z.literal("series"),
    index: count,
    head: z.strictObject({ number: count, date: plain }).exactOptional(),
  }),
  z.strictObject({ walk: z.literal("done") }),
]);

const place = z.union([
  z.strictObject({ chain: plain, position: count }),
  z.strictObject({ series: plain, number: count }),
]);
const tallied = z.strictObject({ checked: count, broken: count, first: place.exactOptional() });

/** Result of the previous part, from which the next part continues; absent for the first part. */
export const verificationBody = z.strictObject({
  from: z
    .strictObject({
      chains: list(chain, MOST_WALKS).readonly(),
      series: list(series, MOST_WALKS).readonly(),
      at,
      tally: z.record(z.enum([...RECORD_CHECKS, ...INVOICE_CHECKS]), tallied),
      leftUntil: count.exactOptional(),
    })
    .optional(),
});
