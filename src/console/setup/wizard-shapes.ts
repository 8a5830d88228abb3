import * as z from "zod";
import { date, list, text } from "../../api/wire/values.ts";
import { version } from "../shapes/values.ts";
import { CAPACITIES } from "./texts/representation-v1.ts";

export const storesBody = z.strictObject({
  store_ids: z.union([z.literal("all"), list(text(32), 100)]),
  version,
});

export const consentTextQuery = z.object({ cutoff_date: date });

export const consentBody = z.strictObject({
  /** Issued with the text, so that the same consent sent twice counts once. */
  consent_id: text(40),
  text_version: text(10),
  text_sha256: text(64),
  cutoff_date: date,
  common_rules_apply: z.boolean(),
  keeps_books_in_sii: z.boolean(),
});

export const stemChoiceBody = z.strictObject({ stem: text(46), version });

export const signerFields = {
  signer: text(120),
  signer_nif: text(20),
  capacity: z.enum(CAPACITIES),
  power: z.union([z.literal(""), text(200)]).default(""),
};

export const representationQuery = z.object(signerFields);
export const representationBody = z.strictObject({ ...signerFields, text_sha256: text(64) });
