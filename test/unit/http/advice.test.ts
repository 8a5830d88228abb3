/** An owner's advice about a record: one right action for every answer of the AEAT. */
import { describe, expect, test } from "vitest";
import { RECORD_REFUSALS } from "../../../src/domain/invoice/refusal.ts";
import {
  ADVICE_CODES,
  type AdviceCode,
  adviceFor,
  type RecordStatus,
} from "../../../src/domain/verifactu/submission/corrections.ts";
import { operationOf } from "../../../src/domain/verifactu/submission/state.ts";
import { ADVICE, adviceText, ERRORS, LANGUAGES } from "../../../src/words/words.ts";
import { aCancellation, aRegistration } from "../../support/builders/records.ts";
import { faultOf } from "../../support/rules/readable.ts";

const FACTS = { number: "API-1-2026-000042", code: "1100", aeat_message: "Error en el bloque Destinatario" };

describe.each(ADVICE_CODES)("%s", (code) => {
  test.each(LANGUAGES)("is a sentence without anything open (%s)", (language) => {
    const text = adviceText({ code, facts: { ...FACTS, aeat_message: "X" } }, language);
    expect(text).toMatch(/^[\p{Lu}{].*\.$/u);
    expect(faultOf(text, language)).toBeUndefined();
  });

  test("uses the same facts in both languages", () => {
    const places = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
    expect(places(ADVICE[code].sentence.es)).toEqual(places(ADVICE[code].sentence.en));
    for (const name of places(ADVICE[code].sentence.en)) expect(FACTS).toHaveProperty(name ?? "");
  });
});

test("every refusal of a correction has its sentence", () => {
  expect(Object.keys(ERRORS)).toEqual(expect.arrayContaining([...RECORD_REFUSALS]));
});

const REGISTRATION = operationOf(aRegistration());
const ANNULMENT = operationOf(aCancellation());
const is = (state: RecordStatus["state"], more: Partial<RecordStatus> = {}): RecordStatus => ({
  operation: REGISTRATION,
  state,
  ...more,
});
const rejected = (code: number, more: Partial<RecordStatus> = {}) => is("rejected", { code, ...more });
const flawed = (code: number) => is("accepted_with_errors", { code });

test.each<[string, RecordStatus, AdviceCode | undefined]>([
  ["not sent", is("pending_submission"), "wait_for_submission"],
  ["of a connection for tests", is("not_submitted"), "nothing_to_submit"],
  ["not answered", is("submitted"), "wait_for_answer"],
  ["accepted", is("accepted"), undefined],
  ["2001", flawed(2001), "recipient_not_in_census"],
  ["2004", flawed(2004), "stored_without_need"],
  ["2009", flawed(2009), "stored_without_need"],
  ...[2000, 2002, 2003, 2005, 2006, 2007, 2008].map(
    (code) => [String(code), flawed(code), "our_flaw"] as [string, RecordStatus, AdviceCode],
  ),
  ["an unknown flaw", flawed(2999), "stored_with_other_error"],
  ["a flaw without code", is("accepted_with_errors"), "stored_with_other_error"],
  ["1239", rejected(1239), "recipient_unknown"],
  ["1103", rejected(1103), "foreign_identifier"],
  ["1122", rejected(1122), "foreign_identifier"],
  ["1109", rejected(1109), "issuer_unknown"],
  ["4104", rejected(4104), "issuer_unknown"],
  ["1110", rejected(1110), "software_unknown"],
  ["1176", rejected(1176), "software_unknown"],
  ["1108: ours, too", rejected(1108), "software_unknown"],
  ["1242: ours, too", rejected(1242), "software_unknown"],
  ["3000", rejected(3000, { hold: "foreign_duplicate" }), "duplicate_of_another"],
  ["3000, ours", rejected(3000, { hold: "foreign_duplicate", found: "ours" }), "duplicate_is_ours"],
  ["3000, another's", rejected(3000, { hold: "foreign_duplicate", found: "foreign" }), "number_taken"],
  [
    "never sent for it",
    is("rejected", { operation: ANNULMENT, hold: "foreign_duplicate" }),
    "duplicate_of_another",
  ],
  ["3001", rejected(3001, { operation: ANNULMENT }), "annulled_already"],
  ["3002 of an amendment", rejected(3002), "nothing_to_amend"],
  ["3002 of an annulment", rejected(3002, { operation: ANNULMENT }), "nothing_to_annul"],
  ["3003", rejected(3003), "presenter_not_permitted"],
  ["4112", rejected(4112), "presenter_not_permitted"],
  ["3004", rejected(3004), "registered_by_form"],
  ["4102: the record sinks its message", rejected(4102), "unreadable"],
  ["any other", rejected(1100), "other_rejection"],
  ["without code", is("rejected"), "other_rejection"],
])("%s", (_, standing, expected) => {
  expect(adviceFor(standing)).toBe(expected);
});

test("the AEAT's own words are quoted within ours", () => {
  const told = LANGUAGES.map((language) => adviceText({ code: "other_rejection", facts: FACTS }, language));
  expect(told).toEqual([
    "The AEAT did not accept the record: Error en el bloque Destinatario. Check the data and send the amendment, or " +
      "write to us with the code 1100.",
    "La AEAT no ha aceptado el registro: Error en el bloque Destinatario. Revisa los datos y envía la subsanación, o " +
      "escríbenos con el código 1100.",
  ]);
});
