import * as z from "zod";
import { sentText } from "../../api/wire/values.ts";

/** Of the text that was signed. */
const nonce = sentText(32).regex(/^[0-9a-z]{32}$/);

export const documentQuery = z.strictObject({ nonce });

/**
 * Base 64 of the CAdES signature: with its chain it has some kilobytes. Of a text four units a character are
 * taken, which here are characters: 16,100.
 */
const LONGEST_SIGNATURE = 4_000;
/** Whole groups of four, the last one filled up: what else there is of base 64 no decoder has to take. */
const BASE_64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)$/;
const signature = sentText(LONGEST_SIGNATURE).regex(BASE_64);

export const signatureBody = z.strictObject({ nonce, signature });

const account = sentText(40);

export const claimDocumentQuery = documentQuery.extend({ account });
export const claimSignatureBody = signatureBody.extend({ account });
