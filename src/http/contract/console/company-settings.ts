import { z } from "zod";
import { text } from "../values.ts";
import { REGIMES } from "./company.ts";
import { decimalText } from "./profiles.ts";

/** What of a company may change once it is there. */
export const companyChangeBody = z.strictObject({
  legal_name: text(120),
  address1: text(250),
  postcode: text(10),
  city: text(100),
  default_regime: z.enum(REGIMES),
  common_rules_apply: z.boolean(),
});

export const CAPACITIES = ["owner", "director", "attorney"] as const;

/** Who signs the grant, and as what. */
const signer = {
  signed_by: text(120),
  signer_nif: text(20),
  capacity: z.enum(CAPACITIES),
  /** The document that proves the power of an attorney. */
  power: text(250).nullish(),
};

export const signerBody = z.strictObject(signer);
export type SignerBody = z.infer<typeof signerBody>;

export const signatureBody = z.strictObject({
  ...signer,
  /** Of the text that was read. */
  document_sha256: z.string().max(64),
  confirmed: z.literal(true),
});

export const authorisationBody = z.strictObject({
  number: text(100),
  limit: decimalText,
  agreement_number: text(60).nullish(),
});

export const authorisationQuery = z.strictObject({ number: z.string().max(100) });
