/**
 * Direct invoices through the real decision, numbering and sealing, on books that exist only here. Every
 * refusal here is checked in both languages, so that every row of a table proves its sentences.
 */

import type {
  LedgerState,
  NumberedInvoice,
  SellingSettings,
  StoredInvoice,
} from "../../../src/db/ledger-state.ts";
import { UNDECLARED } from "../../../src/domain/billing/sales-settings.ts";
import { UNGUIDED } from "../../../src/domain/connection/setup.ts";
import type { TaxGroup } from "../../../src/domain/invoice/document.ts";
import type { InvoiceView } from "../../../src/domain/invoice/invoice-view.ts";
import { directOrigin } from "../../../src/domain/invoice/origin.ts";
import { prepareInvoice, scaleOf } from "../../../src/domain/invoice/prepare.ts";
import { remainingOf as remainingGroups } from "../../../src/domain/invoice/rectifiable.ts";
import type { InvoiceRequest } from "../../../src/domain/invoice/request.ts";
import type { Installation, IssuingSettings } from "../../../src/domain/invoice/settings.ts";
import { isNothing } from "../../../src/domain/invoice/tax-groups.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { type Decimal, toFixed } from "../../../src/domain/shared/decimal.ts";
import type { RegistrationContent, SealedRecord } from "../../../src/domain/verifactu/record.ts";
import { softwareFrom } from "../../../src/domain/verifactu/software.ts";
import { ACCESS_UNTOUCHED } from "../../../src/domain/viewer/access.ts";
import { closeDraft, knowing, openDraft } from "../../../src/ledger/core/ledger-draft.ts";
import { type DecidedInstruction, decideInOrder } from "../../../src/ledger/issue/decide-group.ts";
import type { Instruction } from "../../../src/ledger/issue/instruction.ts";
import { mustBeReadable } from "../rules/readable.ts";

/** A Friday in Madrid, at noon. */
type Outcome = DecidedInstruction["outcome"];

export const NOON = "2026-11-27T12:00:00+01:00";

export const SOFTWARE = softwareFrom(
  JSON.stringify({
    producerName: "Productor Ficticio SL",
    producerNif: "B12345674",
    producerAddress: "Calle Mayor 1, 28001 Madrid, España",
    name: "Cuadre",
    code: "CU",
    version: "1.0.0",
    declarationDate: "2026-11-28",
    declarationPlace: "Madrid, España",
  }),
);

export const AN_INSTALLATION: Installation = {
  id: "is00000000000000000001",
  ordinal: 1,
  number: "cn00000000000000000001 2026-11-01T00:00:00Z",
  environment: "test",
  trial: false,
};

export function theSettings(change: Partial<IssuingSettings> = {}): IssuingSettings {
  return {
    version: 1,
    accountId: "ac00000000000000000001",
    issuer: {
      name: "Comercial del Norte SL",
      nif: "B58378431",
      address1: "Calle Mayor 1",
      postcode: "28013",
      city: "Madrid",
    },
    timeZone: "Europe/Madrid",
    territory: "peninsula",
    defaultRegime: "01",
    multipleIssuers: false,
    connectionOrdinal: 1,
    connectionKind: "api",
    verified: true,
    consented: true,
    installation: AN_INSTALLATION,
    ...change,
  };
}

export interface State {
  readonly books: LedgerState;
  readonly invoices: ReadonlyMap<string, StoredInvoice>;
  /** The year with which each origin left the books. */
  readonly spent?: ReadonlyMap<string, number>;
  /** Invoices of orders and of other connections of the account that were read, by full number. */
  readonly numbered?: ReadonlyMap<string, NumberedInvoice>;
}

/** The settings of a connection without any declaration of its owner. */
export const NOTHING_DECLARED: SellingSettings = {
  connectionName: "Tienda",
  profiles: [],
  sales: UNDECLARED,
  stem: "PED-1",
  tagRules: [],
  keptRates: [],
  cutoffDate: civilDate("2026-01-01"),
  selectedStores: null,
};

/** Empty books under settings changed as asked. */
export function aState(change: Partial<IssuingSettings> = {}): State {
  const books = {
    admission: {
      keyHashes: [],
      rateLimit: 0,
      connectionKind: "api",
      setup: UNGUIDED,
      access: ACCESS_UNTOUCHED,
      sendsTests: false,
      originsBeingRemoved: [],
      refusedOrigins: [],
    },
    settings: theSettings(change),
    selling: NOTHING_DECLARED,
    frozen: false,
    seq: 0,
    series: [],
  };
  return { books, invoices: new Map() };
}

export interface Issuance extends State {
  readonly outcomes: readonly Outcome[];
  /** Records sealed by this group, in the order of the chain. */
  readonly records: readonly SealedRecord[];
}

export interface IssueOptions {
  readonly settings?: Partial<IssuingSettings>;
  /** The books that an earlier group left. */
  readonly after?: State;
  readonly now?: string;
}

type Step = InvoiceRequest | Instruction;

/** Decides one group in turn, as the ledger does between reading and committing. */
export function issueAll(steps: readonly Step[], options: IssueOptions = {}): Issuance {
  const { books, invoices, spent, numbered } = options.after ?? aState(options.settings);
  const working = openDraft(books, knowing(invoices, spent, numbered), Date.parse(options.now ?? NOON));
  const group = steps.map(asInstruction);
  const deps = {
    random: counting(books.seq),
    software: SOFTWARE,
    ledger: "000",
    createdInGroup: new Set<string>(),
  };
  const outcomes = decideInOrder(group, working, deps).map(({ outcome }) => outcome);
  return {
    outcomes,
    records: working.newRecords.map(({ stored }) => stored.record),
    books: closeDraft(books, working, books.seq + 1),
    invoices: working.invoices,
  };
}

export function cancelling(externalId: string): Instruction {
  return { kind: "cancel", externalId, reason: "Nunca existió", requestId: "the-request" };
}

/** The result of the last of some requests: `issued`, `replayed`, or the code of its refusal. */
export function outcomeOf(steps: Step | readonly Step[], options: IssueOptions = {}): string {
  const { outcomes } = issueAll(asList(steps), options);
  return codeOf(outcomes.at(-1));
}

export function codeOf(outcome: Outcome | undefined): string {
  if (!outcome) throw new Error("no outcome");
  if (outcome.outcome === "refused") mustBeReadable(outcome.refusal);
  return outcome.outcome === "refused" ? outcome.refusal.code : outcome.outcome;
}

/** The refusal of the last of some requests; throws when it is issued. */
export function refusalOf(steps: Step | readonly Step[], options: IssueOptions = {}) {
  const outcome = issueAll(asList(steps), options).outcomes.at(-1);
  if (outcome?.outcome !== "refused") throw new Error(`not refused but ${outcome?.outcome}`);
  mustBeReadable(outcome.refusal);
  return outcome.refusal;
}

/** The last of some requests as an issued invoice; throws when one of them is refused. */
export function issued(steps: Step | readonly Step[], options: IssueOptions = {}): InvoiceView {
  return lastIn(issueAll(asList(steps), options));
}

export function lastIn({ outcomes }: Issuance): InvoiceView {
  const last = outcomes.map(viewOf).at(-1);
  if (!last) throw new Error("nothing was issued");
  return last;
}

export function viewOf(outcome: Outcome): InvoiceView {
  if ("invoice" in outcome) return outcome.invoice;
  throw new Error(`not issued: ${JSON.stringify(outcome)}`);
}

/** `100.00 / 21.00 / 121.00`, with the surcharge where there is one: totals of the document. */
export function totalsIn({ document }: InvoiceView): string {
  return amountsText(document.totals, document.request.currency);
}

export function totalsInEur({ document }: InvoiceView): string {
  return amountsText(document.totalsEur, "EUR");
}

/** `21: 100.00 / 21.00 / 121.00` per group, in the order of the document. */
export function groupsIn({ document }: InvoiceView): string[] {
  return groupTexts(document.groups, document.request.currency);
}

/** The remainder of an invoice for later rectifications, per group. */
export function remainingOf(state: State, externalId: string): string[] {
  const found = state.invoices.get(directOrigin(externalId))?.rectifiable;
  if (!found) throw new Error(`no invoice ${externalId}`);
  const open = [...remainingGroups(found).values()].filter((group) => !isNothing(group.amounts));
  return groupTexts(open, found.currency);
}

export function groupsInEur({ document }: InvoiceView): string[] {
  return document.groups.map(({ rate, eur }) => `${rate}: ${amountsText(eur, "EUR")}`);
}

export function altaOf({ alta }: InvoiceView): RegistrationContent {
  if (alta.record.content.kind !== "ALTA") throw new Error("no registration");
  return alta.record.content;
}

/** `21.00 / 121.00`: CuotaTotal and ImporteTotal of the record. */
export function recordTotalsIn(view: InvoiceView): string {
  const { taxTotal, total } = altaOf(view);
  return `${taxTotal} / ${total}`;
}

function groupTexts(groups: readonly TaxGroup[], currency: string): string[] {
  return groups.map(({ rate, amounts }) => `${rate}: ${amountsText(amounts, currency)}`);
}

interface ShownAmounts {
  readonly base: Decimal;
  readonly tax: Decimal;
  readonly surcharge: Decimal;
  readonly total?: Decimal;
}

function amountsText({ base, tax, surcharge, total }: ShownAmounts, currency: string): string {
  const text = (amount: Decimal) => toFixed(amount, scaleOf(currency));
  const taxes = surcharge === "0" ? text(tax) : `${text(tax)} + ${text(surcharge)}`;
  return [text(base), taxes, ...(total === undefined ? [] : [text(total)])].join(" / ");
}

export function asInstruction(step: Step): Instruction {
  if ("kind" in step) return step;
  return { kind: "issue", invoice: prepareInvoice(step), requestId: "the-request" };
}

function asList(steps: Step | readonly Step[]): readonly Step[] {
  return "length" in steps ? steps : [steps];
}

/** "Random" bytes that are the same in every run and never the same twice in one chain of groups. */
export function counting(group: number) {
  let calls = 0;
  return (sizeBytes: number) => {
    calls += 1;
    const serial = group * 100_000 + calls;
    return Uint8Array.from({ length: sizeBytes }, (_, index) => Math.floor(serial / 32 ** index) % 32);
  };
}
