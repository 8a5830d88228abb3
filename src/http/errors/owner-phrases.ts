import type { PhraseCode } from "../../domain/shared/fact.ts";
import type { Bilingual } from "../language.ts";

/** Phrases of what only an owner is told. */
export const OWNER_PHRASES = {
  foral_territory: {
    en: "its registered address is in {province}, a foral territory",
    es: "su domicilio fiscal está en {province}, que es territorio foral",
  },
  books_in_sii: {
    en: "the company keeps its VAT books through the SII",
    es: "la empresa lleva los libros de IVA por el SII",
  },
} as const satisfies Partial<Record<PhraseCode, Bilingual>>;
