import type { CitedInvoice } from "../../domain/invoice/document.ts";
import type { InvoiceView } from "../../domain/invoice/invoice-view.ts";
import { hasFlag, isRectifying, type RectifiedPeriod } from "../../domain/invoice/request.ts";
import type { RegistrationContent } from "../../domain/verifactu/record.ts";
import type { Bilingual, Language } from "../../words/words.ts";
import { correctionTexts } from "./correction.ts";
import { fill, legalWords, shortDate, shownText, type Words } from "./texts.ts";
import { LEGAL } from "./words.ts";

/** A statement about another invoice, or about a missing recipient. */
export interface Statement {
  readonly words: Words;
  /** Cause and amounts of a correction. */
  readonly details: readonly string[];
}

const RECTIFIES: Readonly<
  Record<"difference" | "substitution", readonly [one: Bilingual, several: Bilingual]>
> = {
  difference: [
    { es: "Rectifica la factura {cited}, por diferencias", en: "Corrects invoice {cited}, by difference" },
    {
      es: "Rectifica las facturas {cited}, por diferencias",
      en: "Corrects invoices {cited}, by difference",
    },
  ],
  substitution: [
    {
      es: "Rectifica la factura {cited}, por sustitución",
      en: "Corrects invoice {cited}, by substitution",
    },
    {
      es: "Rectifica las facturas {cited}, por sustitución",
      en: "Corrects invoices {cited}, by substitution",
    },
  ],
};

/** Article 15.4 RD 1619/2012. */
const RECTIFIES_PERIOD: Bilingual = {
  es: "Rectificación del periodo del {from} al {to}, por diferencias",
  en: "Correction of the period from {from} to {to}, by difference",
};

const REPLACES: readonly [one: Bilingual, several: Bilingual] = [
  {
    es: "Factura en sustitución de la factura simplificada {cited}",
    en: "Replaces simplified invoice {cited}",
  },
  {
    es: "Factura en sustitución de las facturas simplificadas {cited}",
    en: "Replaces simplified invoices {cited}",
  },
];

const CAUSE: Bilingual = { es: "Causa: {cause}", en: "Cause: {cause}" };

export function statementsOf(
  { document }: InvoiceView,
  registration: RegistrationContent,
  language: Language,
): Statement[] {
  const { request, cited } = document;
  const statements: Statement[] = [];
  if (isRectifying(request.invoiceType)) {
    const words = RECTIFIES[request.rectificationMethod ?? "difference"];
    const details = [
      fill(CAUSE, language, { cause: shownText(request.description) }),
      ...correctionTexts(document, registration, language),
    ];
    const { rectifiedPeriod: period } = request;
    statements.push({ words: period ? inPeriod(period, language) : citing(words, cited, language), details });
  } else if (cited.length > 0) {
    statements.push({ words: citing(REPLACES, cited, language), details: [] });
  }
  const flagged = hasFlag(request, "no_recipient_article_6_1_d")
    ? LEGAL.without61d
    : hasFlag(request, "qualified_simplified_art_7_2_3") && LEGAL.qualified;
  if (flagged) statements.push({ words: legalWords(flagged, language), details: [] });
  return statements;
}

function citing(
  [one, several]: readonly [Bilingual, Bilingual],
  cited: readonly CitedInvoice[],
  language: Language,
): Words {
  const invoices = (spoken: Language) => citedText(cited, spoken);
  return legalWords(cited.length === 1 ? one : several, language, { cited: invoices });
}

function inPeriod({ from, to }: RectifiedPeriod, language: Language): Words {
  const values = { from: shortDate(from), to: shortDate(to) };
  return legalWords(RECTIFIES_PERIOD, language, values);
}

const CITED: Bilingual = { es: "{number}, de {date}", en: "{number} of {date}" };

function citedText(cited: readonly CitedInvoice[], language: Language): string {
  const texts = cited.map(({ number, issueDate }) =>
    fill(CITED, language, { number, date: shortDate(issueDate) }),
  );
  const last = texts.pop() ?? "";
  if (texts.length === 0) return last;
  return `${texts.join("; ")}${language === "es" ? ", y" : " and"} ${last}`;
}
