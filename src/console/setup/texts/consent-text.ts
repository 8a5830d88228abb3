import type { ConsentTextFacts, ConsentTextVersion } from "../../../domain/connection/consent.ts";
import type { Language } from "../../../words/words.ts";
import { longDate } from "../../issuer-day.ts";
import { type ConsentFacts, consentTextV1 } from "./consent-v1.ts";
import { type HashedText, type LegalText, withHash } from "./legal-text.ts";

/** Every version that anyone ever agreed to. */
const TEXTS: Readonly<Record<ConsentTextVersion, (facts: ConsentFacts, language: Language) => LegalText>> = {
  "1": consentTextV1,
};

/** A version of the text with its facts filled in: equal facts give equal words and an equal hash. */
export function consentText(
  version: ConsentTextVersion,
  { cutoffDate, ...told }: ConsentTextFacts & { readonly series: readonly string[] },
  language: Language,
): HashedText {
  return withHash(TEXTS[version]({ ...told, cutoffDate: longDate(cutoffDate, language) }, language));
}
