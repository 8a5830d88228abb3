import { type Decimal, decimal, decimalFrom, ZERO } from "../shared/decimal.ts";
import type { Fact } from "../shared/fact.ts";
import { canonicalJson, sha256Hex } from "../shared/hash.ts";
import type { OrderContext } from "./context.ts";
import { amountOf, printable } from "./fact-text.ts";
import { type ClientFacts, fiscalFingerprint, type MissingFact, type OrderFacts } from "./facts.ts";
import { because, CLIENT_FACTS, type Facts, type Reason } from "./reasons.ts";

/** Each entry of `missing` that waits for the shop or the owner holds the order. */
export function shopFactReasons(context: OrderContext): Reason[] {
  const { missing = [] } = context.facts;
  return missing.filter((fact) => !isSettled(fact, context)).map((fact) => reasonOf(fact, context.facts));
}

/** Two figures contradict each other; one alone says only where the fact is missing. */
function reasonOf(fact: MissingFact, facts: OrderFacts): Reason {
  const { what, where, stated, computed } = fact;
  const line = lineNamed(where, facts);
  const named: Facts = {
    what: wordOf(what),
    ...(where === undefined ? {} : { where: printable(where) }),
    ...(line === undefined ? {} : { line }),
  };
  const about = aboutFact(fact, facts);
  if (stated === undefined || computed === undefined) return because("shop_facts_missing", named, about);
  const shown = (figure: string) => figureOf(figure, what, facts.currency);
  const figures = { stated: shown(stated), computed: shown(computed) };
  return because("shop_facts_contradict", { ...named, ...figures }, about);
}

/** The name of the line with that id, which tells people more; with the id if another line has the name. */
function lineNamed(where: string | undefined, { breakdown }: OrderFacts): string | undefined {
  const nameOf = ({ name }: OrderFacts["breakdown"][number]) => printable(name ?? "");
  const line = where === undefined ? undefined : breakdown.find(({ lineId }) => lineId === where);
  if (line === undefined || nameOf(line) === "") return undefined;
  const isOnly = breakdown.filter((each) => nameOf(each) === nameOf(line)).length === 1;
  return isOnly ? nameOf(line) : `${nameOf(line)} (${printable(where ?? "")})`;
}

type ClientFact = (typeof CLIENT_FACTS)[number];

const CLIENT_MEMBERS: Readonly<Record<ClientFact, keyof ClientFacts>> = {
  vat_number: "vatNumber",
  first_name: "firstName",
  last_name: "lastName",
  company: "company",
  address1: "address1",
  postcode: "postcode",
  city: "city",
};

const OTHER_WORDS = [
  ...(["tax_rate", "tax_lines", "tax_totals", "discounts", "transactions", "refund_above_paid"] as const),
  ...(["time_zone", "order", "country", "id", "order_date", "total", "currency", "amount"] as const),
  ...(["lines", "pages", "taxes_included", "unmapped_total"] as const),
];

/** The service has words for common facts; others are shown as the sender names them. */
function wordOf(what: string): Fact {
  const name = memberOf(what);
  const word = OTHER_WORDS.find((known) => known === name) ?? clientFact(name);
  return word === undefined ? printable(what) : { phrase: word };
}

/** `client.vat_number` is a vat_number. */
function memberOf(what: string): string {
  return what.slice(what.lastIndexOf(".") + 1);
}

function clientFact(name: string): ClientFact | undefined {
  return CLIENT_FACTS.find((known) => known === name);
}

function figureOf(figure: string, what: string, currency: string): Fact {
  const amount = decimalFrom(figure);
  if (amount === undefined) return printable(figure);
  return isOfRate({ what }) ? { percent: amount } : amountOf(amount, currency);
}

/** The entry in this sale: changed amounts ask again. Rates do not count, because an answer may set them. */
export function aboutFact({ what, where, stated, computed }: MissingFact, facts: OrderFacts): string {
  const breakdown = facts.breakdown.map((line) => ({ ...line, taxRate: ZERO }));
  const sale = fiscalFingerprint({ ...facts, breakdown });
  return `missing:${sha256Hex(canonicalJson({ what, where, stated, computed, sale })).slice(0, 32)}`;
}

/** Entered by the owner, or decided: the order counts as it was sent. */
function isSettled(fact: MissingFact, { facts, answers }: OrderContext): boolean {
  const about = aboutFact(fact, facts);
  const { factsReleased = [], dismissals, taxRates = {} } = answers;
  if (factsReleased.includes(about) || dismissals.some((dismissed) => dismissed.about === about)) return true;
  if (isOfRate(fact)) return Object.hasOwn(taxRates, about);
  const name = memberOf(fact.what);
  if (name === "country") return answers.country !== undefined || isEntered("country", answers.recipient);
  const known = clientFact(name);
  return known !== undefined && isEntered(CLIENT_MEMBERS[known], answers.recipient);
}

function isEntered(member: keyof ClientFacts, recipient: ClientFacts = {}): boolean {
  return (recipient[member] ?? "") !== "";
}

function isOfRate({ what }: Pick<MissingFact, "what">): boolean {
  return memberOf(what) === "tax_rate";
}

/** The entry that an answer names, if it is about the tax rate of a line. */
export function rateEntryAbout(about: string, facts: OrderFacts): MissingFact | undefined {
  return (facts.missing ?? []).find((fact) => isOfRate(fact) && aboutFact(fact, facts) === about);
}

/** The lines whose rate the entry is about. */
export function linesOfEntry({ where }: MissingFact, { breakdown }: OrderFacts): OrderFacts["breakdown"] {
  return where === undefined ? [] : breakdown.filter(({ lineId }) => lineId === where);
}

/** The order with the tax rates that its owner entered; the stored facts stay as the shop sent them. */
export function withEnteredRates<Context extends OrderContext>(context: Context): Context {
  const { facts, answers } = context;
  const { taxRates } = answers;
  if (taxRates === undefined || facts.missing === undefined) return context;
  const byLine = new Map<string, Decimal>();
  for (const fact of facts.missing.filter(isOfRate)) {
    const about = aboutFact(fact, facts);
    const rate = Object.hasOwn(taxRates, about) ? taxRates[about] : undefined;
    if (rate !== undefined && fact.where !== undefined) byLine.set(fact.where, decimal(rate));
  }
  if (byLine.size === 0) return context;
  const breakdown = facts.breakdown.map((line) => ({
    ...line,
    taxRate: byLine.get(line.lineId ?? "") ?? line.taxRate,
  }));
  return { ...context, facts: { ...facts, breakdown } };
}
