/** The words of refusals. Every row of the invoice tables proves its own sentences too (`readable.ts`). */
import { describe, expect, test } from "vitest";
import { exampleFacts } from "../../../src/api/openapi/error-examples.ts";
import { CANCELLATION_REFUSALS, ISSUE_REFUSALS } from "../../../src/domain/invoice/refusal.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { type Fact, PHRASE_FACTS } from "../../../src/domain/shared/fact.ts";
import { PHRASES } from "../../../src/words/phrases.ts";
import { LANGUAGES, type Language, sentence } from "../../../src/words/words.ts";
import { cancelling, refusalOf } from "../../support/builders/direct-invoicing.ts";
import { all, anyPercent, eur, percent } from "../../support/builders/facts.ts";
import {
  A_RECIPIENT,
  aRequest,
  aTicket,
  correcting,
  elsewhere,
  linesOf,
} from "../../support/builders/requests.ts";
import { faultOf, sentenceOf } from "../../support/rules/readable.ts";

type Step = Parameters<typeof refusalOf>[0];

const BACK = { lines: linesOf("-1x10@21") };
const F1_F2 = [aRequest("e1"), aTicket("e2")];

describe.each(Object.entries(PHRASE_FACTS))("phrase %s", (code, names) => {
  const words = Object.entries(PHRASES).find(([own]) => own === code)?.[1] ?? { en: "{}", es: "{}" };
  const facts = Object.fromEntries(names.map((name) => [name, "X1"]));

  test.each(LANGUAGES)("says all that it knows, and no more (%s)", (language) => {
    const places = [...words[language].matchAll(/\{(\w*)\}/g)].map((match) => match[1]);
    expect(places.sort()).toEqual([...names].sort());
    expect(faultOf(sentence(words, facts, language), language)).toBeUndefined();
  });
});

test("no words are kept for an unused phrase", () => {
  expect(Object.keys(PHRASES).sort()).toEqual(Object.keys(PHRASE_FACTS).sort());
});

test.each([...ISSUE_REFUSALS, ...CANCELLATION_REFUSALS])(
  "%s reads well with the facts of its example",
  (code) => {
    for (const language of LANGUAGES) {
      expect(faultOf(sentenceOf({ code, facts: exampleFacts(code) }, language), language)).toBeUndefined();
    }
  },
);

test.each<[string, Fact, string, string]>([
  ["an amount in euros", eur("1234.5"), "1,234.50 €", "1.234,50 €"],
  ["a negative one", eur("-1234567.89"), "−1,234,567.89 €", "−1.234.567,89 €"],
  ["one of another currency", { amount: "999", currency: "JPY" }, "999 JPY", "999 JPY"],
  ["a bare number", { amount: "1000000000000" }, "1,000,000,000,000", "1.000.000.000.000"],
  ["a rate", percent("5.2"), "5.2 %", "5,2 %"],
  ["a day", { date: civilDate("2026-02-01") }, "1 Feb 2026", "01/02/2026"],
  ["one thing", all("a"), "a", "a"],
  ["several", all("a b c"), "a, b and c", "a, b y c"],
  ["before an i", all("IVA IGIC"), "IVA and IGIC", "IVA e IGIC"],
  ["alternatives", { either: ["01", "02"] }, "01 or 02", "01 o 02"],
  ["before an o or an eight", anyPercent("7 8"), "7 % or 8 %", "7 % u 8 %"],
  ["findings", { each: ["a", all("b c")] }, "a; b and c", "a; b y c"],
  [
    "a phrase in a phrase",
    { all: ["e3", { phrase: "invoice_corrected_by", number: "R-1" }] },
    "e3 and the invoice that R-1 corrects",
    "e3 y la factura rectificada por R-1",
  ],
  [
    "a placeholder that a caller sent",
    { phrase: "invoice_corrected_by", number: "{number}" },
    "the invoice that {number} corrects",
    "la factura rectificada por {number}",
  ],
])("%s is written as each language writes it", (_, fact, en, es) => {
  const told = LANGUAGES.map((language) => sentence({ en: "{it}", es: "{it}" }, { it: fact }, language));
  expect(told).toEqual([en, es].map((text) => text.replaceAll(/ (?=[€%]|JPY)/g, "\u00a0")));
});

const SUBSTITUTED = [
  aRequest("e1"),
  correcting(aRequest("e2", BACK), ["e1"]),
  correcting(aRequest("e3"), ["e1", "e2"], { rectificationMethod: "substitution" }),
  cancelling("e1"),
];

const TOLD: readonly (readonly [string, Step, Readonly<Record<Language, string>>])[] = [
  [
    "R5 of an F1: which type, and what R5 is for",
    [...F1_F2, correcting(aTicket("e9", BACK), ["e1"])],
    {
      en:
        "R5 cannot correct or replace “API-1-2026-000001”, which is F1 art6_full; send one of R1 to R4 with " +
        "art6_full, because R5 may only cite F2 or R5 with art7_simplified.",
      es:
        "Una R5 no puede rectificar o sustituir «API-1-2026-000001», que es F1 art6_full; envía una de R1 a R4 " +
        "con art6_full, porque una R5 solo cita F2 o R5 con art7_simplified.",
    },
  ],
  [
    "R1 of an F2",
    [...F1_F2, correcting(aRequest("e9", BACK), ["e2"])],
    {
      en:
        "R1 cannot correct or replace “API-1S-2026-000001”, which is F2 art7_simplified; send R5 with " +
        "art7_simplified, or F3 to replace it, because R1 may only cite F1, F3 or R1 to R4 with art6_full.",
      es:
        "Una R1 no puede rectificar o sustituir «API-1S-2026-000001», que es F2 art7_simplified; envía R5 con " +
        "art7_simplified, o F3 para sustituirla, porque una R1 solo cita F1, F3 o R1 a R4 con art6_full.",
    },
  ],
  [
    "a foreign recipient without identifier: what it is too",
    aRequest("e9", { recipient: { company: "Acme Ltd", country: "GB" } }),
    {
      en:
        "This invoice needs the recipient’s vat_number and id_type; add it, or request a simplified one where " +
        "that is allowed.",
      es: "Esta factura necesita vat_number e id_type del destinatario; añádelo o pide una simplificada si procede.",
    },
  ],
  [
    "euros with a rate: none",
    aRequest("e9", { exchangeRate: decimal("1.1") }),
    {
      en: "The rate sent is not valid (the invoice is in euros); send neither exchange_rate nor exchange_rate_date.",
      es: "El cambio enviado no vale (la factura está en euros); no envíes ni exchange_rate ni exchange_rate_date.",
    },
  ],
  [
    "corrected, then substituted, then cancelled: the successor",
    SUBSTITUTED,
    {
      en:
        "API-1-2026-000001 is already substituted by API-1R-2026-000002 and cannot be cancelled; correct " +
        "API-1R-2026-000002, or cancel it first, if it should not exist either.",
      es:
        "API-1-2026-000001 ya está sustituida por API-1R-2026-000002 y no se puede anular; rectifica " +
        "API-1R-2026-000002 o anúlala antes, si tampoco debió existir.",
    },
  ],
  [
    "a cited invoice that is too old: its own date",
    correcting(aRequest("e9", BACK), [], { rectifies: [elsewhere({ issueDate: civilDate("2001-02-03") })] }),
    {
      en:
        "The operation date 3 Feb 2001 is not allowed (it is more than 20 years ago); correct the issue_date of " +
        "the cited invoice, or send operation_date.",
      es:
        "La fecha de operación 03/02/2001 no vale (es de hace más de 20 años); corrige el issue_date de la " +
        "factura citada o envía operation_date.",
    },
  ],
  [
    "a country that the AEAT does not list",
    aRequest("e9", { recipient: { ...A_RECIPIENT, country: "MQ", vatNumber: "X1", idType: "04" } }),
    {
      en:
        "“X1” is not a valid identifier (the AEAT’s list of countries does not have MQ: give the country that " +
        "issued the document); correct it, or give its country and type (id_type).",
      es:
        "«X1» no es un identificador válido (la AEAT no tiene MQ en su lista de países: indica el que expidió " +
        "el documento); corrígelo o indica país y tipo (id_type).",
    },
  ],
  [
    "an attestation with lines too few and too many",
    aTicket("e9", {
      lines: [...linesOf("1x500@21", { lineId: "l1" }), ...linesOf("1x1@21")],
      attestation: { legalBasis: "article_4_2", buyerRole: "consumer", lineIds: ["l1", "l7"] },
    }),
    {
      en:
        "The attestation does not cover exactly the lines of the invoice (missing lines: no. 2 (without " +
        "line_id); lines that the invoice does not have: l7); correct line_ids, and give every line a line_id.",
      es:
        "La declaración no cubre exactamente las líneas de la factura (líneas que faltan: n.º 2 (sin line_id); " +
        "líneas que no están en la factura: l7); corrige line_ids y da a cada línea su line_id.",
    },
  ],
];

describe.each(TOLD)("%s", (_, steps, expected) => {
  test.each(LANGUAGES)("%s", (language) => {
    const told = sentenceOf(refusalOf(steps), language);
    expect(told.replaceAll("\u00a0", " ")).toBe(expected[language]);
  });
});
