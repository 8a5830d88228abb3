/** The words of orders: reasons and warnings. Rows of the order tables prove their own sentences too. */
import { describe, expect, test } from "vitest";
import { exampleReasonFacts } from "../../../src/api/openapi/reasons.ts";
import { plainFacts } from "../../../src/api/wire/plain-facts.ts";
import {
  ORDER_REASONS,
  ORDER_WARNINGS,
  type Reason,
  type ReasonCode,
} from "../../../src/domain/order/reasons.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import type { Fact, Facts } from "../../../src/domain/shared/fact.ts";
import { REASONS, WARNINGS } from "../../../src/words/reasons.ts";
import type { ReasonWords, Words } from "../../../src/words/rows.ts";
import {
  LANGUAGES,
  type Language,
  reasonMessage,
  reasonText,
  warningSentence,
} from "../../../src/words/words.ts";
import { all, amounts, day, eur, percent } from "../../support/builders/facts.ts";
import { faultOf } from "../../support/rules/readable.ts";

interface Form {
  readonly code: ReasonCode;
  readonly holds: boolean;
  /** Facts of the table. */
  readonly names: readonly string[];
  readonly words: Words;
  readonly facts: Facts;
}

const FORMS: readonly Form[] = ORDER_REASONS.flatMap((row) => {
  const { code, holds } = row;
  const entry: ReasonWords = REASONS[code];
  const [facts = {}, otherFacts = {}] = exampleReasonFacts(code);
  const own = { code, holds, names: row.facts, words: entry, facts };
  if (!("otherFacts" in row) || !entry.other) return [own];
  return [own, { code, holds, names: row.otherFacts, words: entry.other, facts: otherFacts }];
});

function placesOf({ title, sentence }: Words, language: Language): string[] {
  const text = `${title?.[language] ?? ""} ${sentence[language]}`;
  return [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? ""))].sort();
}

/** The refusal is a sentence of its own within the sentence. */
function named({ code, names }: Form): string[] {
  return code === "not_invoiceable" ? ["rule"] : [...names].sort();
}

test("every reason has its words, and no others have any", () => {
  expect(Object.keys(REASONS).sort()).toEqual(ORDER_REASONS.map(({ code }) => code).sort());
});

test("a second form exists only where the table has other facts", () => {
  const inTable = ORDER_REASONS.flatMap((row) => ("otherFacts" in row ? [row.code] : []));
  const told = Object.entries<ReasonWords>(REASONS).flatMap(([code, { other }]) => (other ? [code] : []));
  expect(told.sort()).toEqual([...inTable].sort());
});

describe.each(FORMS.map((form) => [form.code, form.names.join(" "), form] as const))(
  "%s (%s)",
  (_, __, form) => {
    const { code, holds, words, facts } = form;

    test.each(LANGUAGES)("says every fact of the table, and no other (%s)", (language) => {
      expect(placesOf(words, language)).toEqual(named(form));
    });

    test.each(LANGUAGES)("has a title where it holds, and reads well (%s)", (language) => {
      const { title, sentence } = reasonText({ code, facts }, language);
      expect(title !== undefined).toBe(holds);
      for (const text of [title, sentence].filter((each) => each !== undefined)) {
        expect(text).toMatch(/^[“«\p{Lu}\d−].*\.$/u);
        expect(faultOf(text, language)).toBeUndefined();
      }
    });

    test.each(LANGUAGES)("the message is title and sentence in one (%s)", (language) => {
      const { title, sentence } = reasonText({ code, facts }, language);
      expect(reasonMessage({ code, facts }, language)).toBe(title ? `${title} ${sentence}` : sentence);
    });

    test("its form is chosen by its facts", () => {
      const { title, sentence } = reasonText({ code, facts }, "en");
      const start = (text: string) => text.split("{")[0] ?? "";
      expect(`${title ?? ""}`.startsWith(start(words.title?.en ?? ""))).toBe(true);
      expect(sentence.startsWith(start(words.sentence.en))).toBe(true);
    });

    test("a fact that is missing shows as a dash, never as its placeholder", () => {
      for (const language of LANGUAGES) {
        expect(reasonMessage({ code, facts: {} }, language)).not.toMatch(/[{}]|undefined|\[object/);
      }
    });
  },
);

const REFUSED: Reason = {
  code: "not_invoiceable",
  facts: {
    refusal: "tax_rate_not_allowed",
    rate: percent("5"),
    tax_name: "IVA",
    date: day("2026-11-27"),
    fix: { phrase: "use_rate", rates: { either: [percent("10"), percent("21")] } },
  },
};

test.each<[string, Reason, string, string]>([
  [
    "the refusal of a direct invoice is quoted inside",
    REFUSED,
    "It cannot be invoiced as it is. 5 % was not a rate of IVA on 27 Nov 2026; use one of these: 10 % or 21 %. " +
      "Correct the order in the shop and send it again.",
    "No se puede facturar como está. El 5 % no era un tipo de IVA el 27/11/2026; usa uno de estos: 10 % o 21 %. " +
      "Corrige el pedido en la tienda y vuelve a enviarlo.",
  ],
  [
    "a client that lacks several things",
    {
      code: "recipient_incomplete",
      facts: {
        missing: { all: [{ phrase: "vat_number" }, { phrase: "last_name" }] },
        total: eur("1210"),
        limit: eur("400"),
      },
    },
    "The customer’s details lack the tax ID and the last name. The sale comes to 1,210.00 € and a simplified " +
      "invoice cannot exceed 400.00 €; complete them here, or have the shop complete them and send the order again.",
    "Falta el NIF y el apellido del cliente. La venta suma 1.210,00 € y una factura simplificada no puede pasar " +
      "de 400,00 €; complétalo aquí, o pide a la tienda que lo complete y envíe el pedido otra vez.",
  ],
  [
    "a country by its name",
    { code: "foreign_customer", facts: { country: { country: "DE" }, profile: "Web" } },
    "The sale leaves Spain (Germany). The profile “Web” does not say how such sales are invoiced; declare it for " +
      "this destination, or, if the buyer is a business of another member state, enter its VAT number.",
    "La venta sale de España (Alemania). El perfil «Web» no dice cómo se facturan estas ventas; decláralo para " +
      "este destino o, si compra una empresa de otro Estado miembro, escribe su NIF-IVA.",
  ],
  [
    "a rate that does not exist",
    {
      code: "tax_mismatch",
      facts: {
        line: "Taza",
        rate: percent("5.5"),
        date: day("2026-11-27"),
        tax_name: "IGIC",
        territory: { phrase: "canarias" },
        allowed: { all: ["0", "3", "7"].map(percent) },
      },
    },
    "The rate 5.5 % of “Taza” does not exist. On 27 Nov 2026 it was not a rate of IGIC in the Canaries (valid: " +
      "0 %, 3 % and 7 %); correct it in the shop and send the order again.",
    "El tipo 5,5 % de «Taza» no existe. El 27/11/2026 no era un tipo de IGIC en Canarias (valían 0 %, 3 % y 7 %); " +
      "corrígelo en la tienda y vuelve a enviar el pedido.",
  ],
  [
    "the tax of all lines of a rate",
    {
      code: "tax_mismatch",
      facts: {
        line: { phrase: "all_at_rate", rate: percent("21") },
        rate: percent("21"),
        base: { amount: "2075.00", currency: "EUR" },
        expected: { amount: "435.75", currency: "EUR" },
        tax: { amount: "425.00", currency: "EUR" },
      },
    },
    "The tax of “everything at 21 %” does not add up. 21 % of 2,075.00 € is 435.75 € and the shop sends " +
      "425.00 €; correct the tax in the shop and send the order again.",
    "El impuesto de «todo lo que va al 21 %» no cuadra. El 21 % de 2.075,00 € es 435,75 € y la tienda envía " +
      "425,00 €; corrige el impuesto en la tienda y vuelve a enviar el pedido.",
  ],
  [
    "a channel that the shop did not state",
    { code: "profile_not_matched", facts: { channel: { phrase: "not_stated" }, store: "2" } },
    "No profile takes it. No profile matches the channel “not stated” and the shop “2”; assign one to this order " +
      "or change the rules of the profile that should take it.",
    "Ningún perfil lo recoge. Ningún perfil corresponde al canal «sin indicar» y la tienda «2»; asigna uno a este " +
      "pedido o cambia las reglas del perfil que deba recogerlo.",
  ],
])("%s", (_, reason, en, es) => {
  const told = LANGUAGES.map((language) => reasonMessage(reason, language).replaceAll("\u00a0", " "));
  expect(told).toEqual([en, es]);
});

test("a refusal that the table does not have leaves the rest of the sentence", () => {
  const facts = { refusal: "constructor" };
  expect(reasonMessage({ code: "not_invoiceable", facts }, "en")).not.toMatch(/undefined|\{|function/);
});

describe("warnings", () => {
  const FACTS: Facts = {
    issue_date: day("2026-12-20"),
    due_date: day("2026-12-15"),
    cutoff_date: day("2026-01-01"),
    total_tax: eur("10"),
    computed: eur("10.5"),
    rate: percent("21"),
    stated: eur("10.6"),
    paid: eur("60"),
    payable: eur("121"),
    received: { moment: "2026-11-27T10:30:00+01:00" },
    stored: { moment: "2026-11-27T10:30:01+01:00" },
    field: "tags",
    since: "1.4",
    declared: "1.0",
  };

  test.each(ORDER_WARNINGS)("$code says every fact of the table, and no other", ({ code, facts }) => {
    for (const language of LANGUAGES) {
      expect(placesOf(WARNINGS[code], language)).toEqual([...facts].sort());
      const known = Object.fromEntries(facts.map((name) => [name, FACTS[name] ?? ""]));
      expect(faultOf(warningSentence(code, known, language), language)).toBeUndefined();
    }
  });

  test("a time is written as each language writes it", () => {
    expect(warningSentence("stale_payload", FACTS, "en")).toContain("27 Nov 2026 10:30:00");
    expect(warningSentence("stale_payload", FACTS, "es")).toContain("27/11/2026 10:30:01");
  });
});

describe("facts for programs", () => {
  const plainText = (facts: Facts) => JSON.stringify(plainFacts(facts));

  test.each<[string, Fact, string]>([
    ["text", "PED-1", '"PED-1"'],
    ["an amount", eur("1234.5"), '{"amount":1234.5,"currency":"EUR"}'],
    ["a negative one", eur("-0.01"), '{"amount":-0.01,"currency":"EUR"}'],
    ["a number beyond a double", eur("900719925474099.12"), '{"amount":900719925474099.12,"currency":"EUR"}'],
    ["a count", { amount: "13" }, "13"],
    ["a rate", percent("5.2"), "5.2"],
    ["a date", day("2026-11-27"), '"2026-11-27"'],
    ["a time", { moment: "2026-11-27T10:30:00+01:00" }, '"2026-11-27T10:30:00+01:00"'],
    ["a country", { country: "FR" }, '"FR"'],
    ["several", all("a b"), '["a","b"]'],
    ["alternatives", { either: [percent("4"), percent("10")] }, "[4,10]"],
    ["findings", { each: ["a", eur("1")] }, '["a",{"amount":1,"currency":"EUR"}]'],
    ["a word of the service", { phrase: "payment" }, '"payment"'],
    ["members of a client", { all: [{ phrase: "vat_number" }, { phrase: "city" }] }, '["vat_number","city"]'],
    ["a phrase with facts", { phrase: "vat_form", prefix: "FR" }, '{"prefix":"FR","code":"vat_form"}'],
    [
      "a phrase within",
      amounts("21: 100 + 21"),
      '{"amounts":{"base":{"amount":100,"currency":"EUR"},"tax":{"amount":21,"currency":"EUR"},' +
        '"code":"amounts"},"rate":21,"code":"amounts_at"}',
    ],
  ])("%s", (_, fact, text) => {
    expect(plainText({ it: fact })).toBe(`{"it":${text}}`);
  });

  test("members are in the order of their names, from any writer", () => {
    expect(plainText({ b: "1", a: "2" })).toBe(plainText({ a: "2", b: "1" }));
    expect(plainText({})).toBe("{}");
  });

  test("digits are those of the decimal", () => {
    expect(plainText({ rate: { percent: decimal("10.50") } })).toBe('{"rate":10.5}');
  });
});
