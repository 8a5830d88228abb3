import { z } from "zod";

/** Of the text that was signed. */
const nonce = z
  .string()
  .regex(/^[0-9a-z]{32}$/)
  .max(32);

export const documentQuery = z.strictObject({ nonce });

/** Base 64 of the CAdES signature: that of a company with its chain has some kilobytes. */
export const signatureBody = z.strictObject({ nonce, signature: z.base64().max(40_000) });

const account = z.string().max(40);

export const claimDocumentQuery = documentQuery.extend({ account });
export const claimSignatureBody = signatureBody.extend({ account });
