import type { PhraseCode } from "../../domain/shared/fact.ts";
import type { Bilingual } from "../language.ts";
import { CORRECTION_PHRASES } from "./correction-phrases.ts";
import { DOCUMENT_PHRASES } from "./document-phrases.ts";
import { GONE_PHRASES } from "./erasure-errors.ts";
import { LINE_PHRASES } from "./line-phrases.ts";
import { ORDER_PHRASES } from "./order-phrases.ts";
import { OWNER_PHRASES } from "./owner-phrases.ts";

/** The words of every phrase that a rule may use; one without words does not compile. */
export const PHRASES: Readonly<Record<PhraseCode, Bilingual>> = {
  ...DOCUMENT_PHRASES,
  ...LINE_PHRASES,
  ...CORRECTION_PHRASES,
  ...ORDER_PHRASES,
  ...OWNER_PHRASES,
  ...GONE_PHRASES,
};
