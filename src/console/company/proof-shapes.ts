import * as z from "zod";
import { sentText } from "../../api/wire/values.ts";

/** Nonce of the signed text. */
const nonce = sentText(32).regex(/^[0-9a-z]{32}$/);

export const documentQuery = z.strictObject({ nonce });

/**
 * Base64 of the CAdES signature, which has some kilobytes with its chain. `sentText` allows four UTF-16 units
 * per character, so the effective limit is about 16,000 characters.
 */
const LONGEST_SIGNATURE = 4_000;
/** Only whole groups of four with padding: decoders need not accept other forms. */
const BASE_64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)$/;
const signature = sentText(LONGEST_SIGNATURE).regex(BASE_64);

export const signatureBody = z.strictObject({ nonce, signature });

const account = sentText(40);

export const claimDocumentQuery = documentQuery.extend({ account });
export const claimSignatureBody = signatureBody.extend({ account });
