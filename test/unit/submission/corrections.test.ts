/** The table of corrections, `verifactu.md` 10. */
import { describe, expect, test } from "vitest";
import { amendmentOf, remedyFor } from "../../../src/domain/invoice/decide-amendment.ts";
import type { RecordContent } from "../../../src/domain/verifactu/record.ts";
import {
  type AuthorityHas,
  allowedCorrections,
  annulmentFlags,
  answerTo,
  authorityHas,
  type RecordStatus,
} from "../../../src/domain/verifactu/submission/corrections.ts";
import { composeMessage } from "../../../src/domain/verifactu/submission/message.ts";
import { type Operation, operationOf } from "../../../src/domain/verifactu/submission/state.ts";
import { aSandbox } from "../../support/authority/authority.ts";
import { NOON } from "../../support/authority/messages.ts";
import { AN_ISSUER } from "../../support/authority/submitter.ts";
import { aCancellation, aChain, aRegistration } from "../../support/builders/records.ts";

const amending = (previousRejection: "N" | "S" | "X") => aRegistration({ amendment: { previousRejection } });
const REGISTRATION = aRegistration();
const S = { previousRejection: true } as const;
const W = { withoutPreviousRecord: true } as const;

type Row = readonly [
  name: string,
  record: RecordContent,
  nothing: unknown,
  registration: unknown,
  annulment: unknown,
];

const ROWS: readonly Row[] = [
  ["a registration", REGISTRATION, "accepted", 3000, 3000],
  ["an amendment of what was accepted", amending("N"), 3002, "accepted", "accepted"],
  ["an amendment of what was rejected", amending("X"), "accepted", 3000, 3000],
  ["an amendment after a rejected amendment", amending("S"), 3002, "accepted", "accepted"],
  ["an annulment", aCancellation(), 3002, "accepted", "accepted"],
  ["an annulment after a rejected annulment", aCancellation(S), 3002, "accepted", "accepted"],
  ["an annulment of what never arrived", aCancellation(W), "accepted", 3000, 3000],
  ["the same after a rejection", aCancellation({ ...W, ...S }), "accepted", 3000, 3000],
];

const BEFORE: Readonly<Record<AuthorityHas, readonly RecordContent[]>> = {
  nothing: [],
  registration: [REGISTRATION],
  annulment: [REGISTRATION, aCancellation()],
};

describe.each(ROWS)("%s", (_, record, nothing, registration, annulment) => {
  test.each<[AuthorityHas, unknown]>([
    ["nothing", nothing],
    ["registration", registration],
    ["annulment", annulment],
  ])("where the authority has: %s", async (has, expected) => {
    expect(answerTo(operationOf(record), has)).toBe(expected);
    const sandbox = aSandbox();
    sandbox.setTime(NOON);
    const contents = [...BEFORE[has], record].map((content, index) => ({
      ...content,
      reference: `r${index}`,
    }));
    const message = composeMessage(aChain(contents), { issuer: AN_ISSUER, incident: true });
    const last = (await sandbox.send(message.bytes)).lines.at(-1);
    expect(last?.code ?? (last?.state === "Correcto" ? "accepted" : last?.state)).toBe(expected);
  });
});

const ALTA = operationOf(REGISTRATION);
const AMENDMENT = operationOf(amending("N"));
const ANNULMENT = operationOf(aCancellation());
const ANNULMENT_W = operationOf(aCancellation(W));

function is(operation: Operation, state: RecordStatus["state"], code?: number): RecordStatus {
  return { operation, state, ...(code === undefined ? {} : { code }) };
}

const [accepted, flawed, rejected] = ["accepted", "accepted_with_errors", "rejected"] as const;

/** need | amendment: RechazoPrevio, effect | annulment: flags, effect */
function summary(records: readonly RecordStatus[]): string {
  const { need, allowed, because } = allowedCorrections(records);
  if (because) return because;
  const each = allowed.map(({ correction, writes, effect }) =>
    [correction, "withoutPreviousRecord" in writes ? "W" : "", writes.previousRejection ?? "", effect]
      .map((part) => (part === true ? "S" : part))
      .filter((part) => part !== "")
      .join(" "),
  );
  return [need, ...each].join(" | ");
}

test.each<[string, readonly RecordStatus[], string]>([
  ["accepted", [is(ALTA, accepted)], "none | amend N replaces | annul annuls"],
  ["accepted with errors", [is(ALTA, flawed, 2001)], "required | amend N replaces | annul annuls"],
  ["2004 needs no amendment", [is(ALTA, flawed, 2004)], "none | amend N replaces | annul annuls"],
  ["nor does 2009", [is(ALTA, flawed, 2009)], "none | amend N replaces | annul annuls"],
  ["rejected", [is(ALTA, rejected, 1239)], "required | amend X registers | annul W annuls"],
  [
    "rejected, and rejected again as amended",
    [is(ALTA, rejected, 1239), is(AMENDMENT, rejected, 1100)],
    "required | amend X registers | annul W annuls",
  ],
  [
    "rejected, amended",
    [is(ALTA, rejected, 1239), is(AMENDMENT, accepted)],
    "none | amend N replaces | annul annuls",
  ],
  [
    "accepted, its amendment rejected",
    [is(ALTA, accepted), is(AMENDMENT, rejected, 1100)],
    "required | amend S replaces | annul annuls",
  ],
  [
    "accepted, its amendment rejected, amended",
    [is(ALTA, accepted), is(AMENDMENT, rejected, 1100), is(AMENDMENT, accepted)],
    "none | amend N replaces | annul annuls",
  ],
  [
    "accepted, its annulment rejected",
    [is(ALTA, accepted), is(ANNULMENT, rejected, 1100)],
    "required | amend N replaces | annul S annuls",
  ],
  [
    "rejected, and so was its annulment, for want of it",
    [is(ALTA, rejected, 1239), is(ANNULMENT, rejected, 3002)],
    "required | amend X registers | annul W S annuls",
  ],
  [
    "annulled",
    [is(ALTA, accepted), is(ANNULMENT, accepted)],
    "none | amend N reactivates | annul annuls_again",
  ],
  [
    "annulled, its amendment rejected",
    [is(ALTA, accepted), is(ANNULMENT, accepted), is(AMENDMENT, rejected, 1100)],
    "required | amend S reactivates | annul annuls_again",
  ],
  [
    "annulled, said the authority",
    [is(ALTA, accepted), is(ANNULMENT, rejected, 3001)],
    "required | amend N reactivates | annul S annuls_again",
  ],
  [
    "an amendment of what does not exist",
    [is(ALTA, accepted), is(AMENDMENT, rejected, 3002)],
    "required | amend X registers | annul W annuls",
  ],
  [
    "a duplicate that a person found to be ours",
    [is(ALTA, rejected, 3000)],
    "required | amend N replaces | annul annuls",
  ],
  ["on its way", [is(ALTA, "pending_submission")], "not_final"],
  ["no answer yet", [is(ALTA, "submitted")], "not_final"],
  ["a correction on its way", [is(ALTA, rejected, 1239), is(AMENDMENT, "submitted")], "not_final"],
  ["no record at all", [], "not_final"],
  ["another's key", [{ ...is(ALTA, rejected, 3000), hold: "foreign_duplicate" }], "foreign_duplicate"],
  [
    "its owner found that it is ours",
    [{ ...is(ALTA, rejected, 3000), hold: "foreign_duplicate", found: "ours" }],
    "required | amend N replaces | annul annuls",
  ],
  [
    "its owner found that it is another's",
    [{ ...is(ALTA, rejected, 3000), hold: "foreign_duplicate", found: "foreign" }],
    "number_taken",
  ],
  [
    "and the next one was refused for it as well",
    [
      { ...is(ALTA, rejected, 3000), hold: "foreign_duplicate", found: "foreign" },
      { ...is(ANNULMENT_W, rejected, 3000), hold: "foreign_duplicate" },
    ],
    "number_taken",
  ],
  [
    "ours, and its annulment was never sent",
    [
      { ...is(ALTA, rejected, 3000), hold: "foreign_duplicate", found: "ours" },
      { ...is(ANNULMENT, rejected), hold: "foreign_duplicate", found: "ours" },
    ],
    "required | amend N replaces | annul annuls",
  ],
  [
    "ours, and a further duplicate after it",
    [
      { ...is(ALTA, rejected, 3000), hold: "foreign_duplicate", found: "ours" },
      { ...is(AMENDMENT, rejected, 3000), hold: "foreign_duplicate" },
    ],
    "foreign_duplicate",
  ],
  ["unknown owner", [is(ALTA, rejected, 1239), is(AMENDMENT, "submitted", 3000)], "not_final"],
  [
    "not ours to change, until the representation is in force",
    [is(ALTA, accepted), is(AMENDMENT, rejected, 3003)],
    "required | amend S replaces | annul annuls",
  ],
  ["made with the AEAT's form", [is(ALTA, accepted), is(ANNULMENT, rejected, 3004)], "made_by_form"],
])("%s", (_, records, expected) => {
  expect(summary(records)).toBe(expected);
});

test.each<[string, readonly RecordStatus[], AuthorityHas, object]>([
  ["a registration on its way counts", [is(ALTA, "pending_submission")], "registration", {}],
  ["so does one without answer", [is(ALTA, "submitted")], "registration", {}],
  ["a rejected one does not", [is(ALTA, rejected, 1100)], "nothing", W],
  [
    "its amendment on its way does",
    [is(ALTA, rejected, 1100), is(AMENDMENT, "pending_submission")],
    "registration",
    {},
  ],
  [
    "of a key that may be another's nothing is ours",
    [{ ...is(ALTA, rejected, 3000), hold: "foreign_duplicate" }],
    "registration",
    W,
  ],
  [
    "of a key that an owner declared ours it is",
    [{ ...is(ALTA, rejected, 3000), hold: "foreign_duplicate", found: "ours" }],
    "registration",
    {},
  ],
  [
    "of a key not known yet, too: it waits for it",
    [is(ALTA, rejected, 1239), is(operationOf(amending("X")), "submitted", 3000)],
    "registration",
    {},
  ],
])("an invoice annulled at any time: %s", (_, records, has, flags) => {
  expect(authorityHas(records)).toBe(has);
  expect(annulmentFlags(records)).toEqual(flags);
});

describe("an amendment", () => {
  const { chain, system, generatedAt } = REGISTRATION;
  const place = { reference: "am", chain, system, generatedAt };

  test("is the whole record again, under the same key, in a place of its own", () => {
    const amended = amendmentOf(REGISTRATION, { description: "Otra" }, { previousRejection: "X" }, place);
    expect(amended).toEqual({
      ...REGISTRATION,
      ...{ description: "Otra", reference: "am", amendment: { previousRejection: "X" } },
    });
  });

  test("leaves out the removed values", () => {
    const dated = aRegistration({ operationDate: "01-11-2026", agreementNumber: "A-1" });
    const change = { operationDate: null, agreementNumber: null };
    const { operationDate, agreementNumber } = amendmentOf(dated, change, { previousRejection: "N" }, place);
    expect([operationDate, agreementNumber]).toEqual([undefined, undefined]);
    const kept = amendmentOf(dated, {}, { previousRejection: "N" }, place);
    expect(kept).toMatchObject({ operationDate: "01-11-2026", agreementNumber: "A-1" });
  });

  test.each([
    [
      "a person",
      "12345678Z",
      { recipients: [{ name: "Ana", idType: "07", country: "ES", id: "12345678Z" }] },
    ],
    [
      "a foreigner",
      "X1234567L",
      { recipients: [{ name: "Ana", idType: "07", country: "ES", id: "X1234567L" }] },
    ],
    ["an entity", "B12345674", undefined],
  ])("1239 of %s", (_, nif, remedy) => {
    expect(remedyFor(1239, aRegistration({ recipients: [{ name: "Ana", nif }] }))?.change).toEqual(remedy);
  });

  test("2001 of a person of type 07 is named by the NIF again, which is all that can end the notice", () => {
    const recipients = [{ name: "Ana", idType: "07", country: "ES", id: "12345678Z" }] as const;
    expect(remedyFor(2001, aRegistration({ recipients }))).toEqual({
      remedy: "in_census",
      change: { recipients: [{ name: "Ana", nif: "12345678Z" }] },
    });
  });

  test("nothing else has a remedy of its own", () => {
    expect(
      remedyFor(1100, aRegistration({ recipients: [{ name: "Ana", nif: "12345678Z" }] })),
    ).toBeUndefined();
    expect(remedyFor(undefined, REGISTRATION)).toBeUndefined();
  });
});
