import { expect, test } from "vitest";
import { familyOf } from "../../../src/domain/invoice/rectifiable.ts";
import {
  DOCUMENTARY_FLAGS,
  DOCUMENTARY_REGIMES,
  type DocumentaryFlag,
  type DocumentaryRegime,
  INVOICE_TYPES,
  type InvoiceRequest,
  type InvoiceType,
  isRectifying,
} from "../../../src/domain/invoice/request.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { altaOf, issued, outcomeOf, refusalOf } from "../../support/builders/direct-invoicing.ts";
import {
  A_RECIPIENT,
  anUnnamed,
  aQualified,
  aRequest,
  aTicket,
  elsewhere,
  linesOf,
} from "../../support/builders/requests.ts";

const [QUALIFIED, UNNAMED] = DOCUMENTARY_FLAGS;

/** The table of combinations, written out. */
const VALID: readonly string[] = [
  "F1 art6_full",
  `F1 art7_simplified ${QUALIFIED}`,
  "F2 art7_simplified",
  `F2 art6_full ${UNNAMED}`,
  "F3 art6_full",
  ...["R1", "R2", "R3", "R4"].flatMap((type) => [
    `${type} art6_full`,
    `${type} art7_simplified ${QUALIFIED}`,
  ]),
  "R5 art7_simplified",
  `R5 art6_full ${UNNAMED}`,
];

const FLAG_SETS: readonly (readonly DocumentaryFlag[])[] = [[], [QUALIFIED], [UNNAMED], [QUALIFIED, UNNAMED]];

const EVERY = INVOICE_TYPES.flatMap((type) =>
  DOCUMENTARY_REGIMES.flatMap((regime) =>
    FLAG_SETS.map((flags) => [[type, regime, ...flags].join(" "), { type, regime, flags }] as const),
  ),
);

test("of 64 combinations 15 exist", () => {
  expect(EVERY).toHaveLength(64);
  expect(EVERY.filter(([name]) => VALID.includes(name))).toHaveLength(15);
});

test.each(EVERY)("%s", (name, combination) => {
  const expected = VALID.includes(name) ? "issued" : "documentary_regime_mismatch";
  expect(outcomeOf(requestsFor(combination))).toBe(expected);
});

test("the refusal names the combination and the existing ones", () => {
  expect(refusalOf(aTicket("e1", { regime: "art6_full", flags: [QUALIFIED] })).facts).toEqual({
    invoice_type: "F2",
    combined: { all: ["art6_full", "qualified_simplified_art_7_2_3"] },
    allowed: { phrase: "every_combination" },
  });
  expect(refusalOf(aRequest("e1", ATTESTED)).facts).toEqual({
    invoice_type: "F1",
    combined: { all: ["art6_full", "simplified_attestation"] },
    allowed: { phrase: "attestation_combinations" },
  });
});

interface Combination {
  readonly type: InvoiceType;
  readonly regime: DocumentaryRegime;
  readonly flags: readonly DocumentaryFlag[];
}

const CORRECTION = {
  invoiceType: "R1",
  rectificationMethod: "difference",
  rectifies: [elsewhere()],
} as const;

const ATTESTED = {
  attestation: { legalBasis: "article_4_2", buyerRole: "consumer", lineIds: ["l1"] },
  lines: linesOf("1x100@21", { lineId: "l1" }),
} as const;

test.each([
  ["an attestation goes with a simplified F2", aTicket("e1", ATTESTED), "issued"],
  ["and with a qualified F1", aQualified("e1", ATTESTED), "issued"],
  ["not with a full invoice", aRequest("e1", ATTESTED), "documentary_regime_mismatch"],
  ["nor with one without recipient", anUnnamed("e1", ATTESTED), "documentary_regime_mismatch"],
])("%s", (_, request, expected) => {
  expect(outcomeOf(request)).toBe(expected);
});

test.each([
  ["F1", aRequest("e1"), { recipients: 1 }],
  ["qualified F1", aQualified("e1"), { recipients: 1, qualifiedSimplified: true }],
  ["F2", aTicket("e1"), { recipients: 0 }],
  ["F2 without recipient", anUnnamed("e1"), { recipients: 0, withoutRecipient: true }],
])("the record of a %s says whether it has a recipient and why not", (_, request, expected) => {
  const { recipients = [], qualifiedSimplified, withoutRecipient } = altaOf(issued(request));
  expect({
    recipients: recipients.length,
    ...(qualifiedSimplified ? { qualifiedSimplified } : {}),
    ...(withoutRecipient ? { withoutRecipient } : {}),
  }).toEqual(expected);
});

test.each([
  ["F2", aTicket("e1", { recipient: { company: "María" } }), "issued"],
  ["F2 without recipient", anUnnamed("e1", { recipient: { company: "María", city: "Vigo" } }), "issued"],
  ["F2 with identifier", aTicket("e1", { recipient: A_RECIPIENT }), "recipient_not_allowed"],
  ["F2 6.1.d with identifier", anUnnamed("e1", { recipient: A_RECIPIENT }), "recipient_not_allowed"],
  ["F2 with a type of identifier", aTicket("e1", { recipient: { idType: "04" } }), "recipient_not_allowed"],
])("%s: a name may be sent where no identifier may", (_, request, expected) => {
  expect(outcomeOf(request)).toBe(expected);
});

test.each([
  ["a taxed sale", linesOf("1x100@21"), 1],
  ["an exempt one", linesOf("1x100@0", { qualification: "E1" }), 1],
  ["one located elsewhere", linesOf("1x100@0", { qualification: "N2" }), 0],
  ["a one-stop-shop one", linesOf("1x100@20", { qualification: "N2", regime: "17" }), 0],
])("without recipient, %s is warned of as article 6.1.d.3 wants", (_, lines, count) => {
  const { warnings } = issued(anUnnamed("e1", { lines })).document;
  expect(warnings).toEqual(Array(count).fill({ code: "recipient_identification_expected" }));
});

test("an ordinary invoice has no warning", () => {
  expect(issued(aRequest("e1")).document.warnings).toEqual([]);
  expect(issued(aTicket("e1")).document.warnings).toEqual([]);
});

test.each<[string, InvoiceRequest, string]>([
  ["F1", aRequest("e1"), "issued"],
  ["qualified F1", aQualified("e1"), "issued"],
  ["F2", aTicket("e1"), "withholding_not_allowed"],
  ["F2 without recipient", anUnnamed("e1"), "withholding_not_allowed"],
  ["F3", aRequest("e1", { invoiceType: "F3" }), "withholding_not_allowed"],
  ["R1", aRequest("e1", CORRECTION), "issued"],
  ["R4", aRequest("e1", { ...CORRECTION, invoiceType: "R4" }), "issued"],
  ["R5", aTicket("e1", { ...CORRECTION, invoiceType: "R5" }), "withholding_not_allowed"],
])("income tax may be withheld from F1 and R1 to R4: %s", (_, request, expected) => {
  expect(outcomeOf({ ...request, withholdingRate: decimal("15") })).toBe(expected);
});

test.each([
  ["only characters that a record does not take", `<>"'=`, "description_without_text"],
  ["such characters and spaces", "= < >", "description_without_text"],
  ["one letter among them", "<a>", "issued"],
])("a description of %s", (_, description, expected) => {
  expect(outcomeOf(aRequest("e1", { description }))).toBe(expected);
});

/** A request of that combination, with an invoice of the family that it would act on. */
function requestsFor({ type, regime, flags }: Combination): InvoiceRequest[] {
  const isIdentified = type !== "F2" && type !== "R5";
  const combined = { ...(isIdentified ? aRequest("e2") : aTicket("e2")), invoiceType: type, regime, flags };
  if (type === "F3") return [aTicket("e1"), { ...combined, rectifies: [{ externalId: "e1" }] }];
  if (!isRectifying(type)) return [combined];
  const cited = { full: aRequest, qualified: aQualified, simplified: aTicket, without_recipient: anUnnamed };
  const lines = linesOf("-1x100@21");
  const method = { rectificationMethod: "difference", rectifies: [{ externalId: "e1" }] } as const;
  return [cited[familyOf({ invoiceType: type, regime })]("e1"), { ...combined, ...method, lines }];
}
