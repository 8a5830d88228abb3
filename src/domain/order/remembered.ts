import type { SalesChange } from "../billing/sales-change.ts";
import { declared, type SalesSettings } from "../billing/sales-settings.ts";
import type { IssueDraft } from "../invoice/decide-issue.ts";
import { isZero } from "../shared/decimal.ts";
import { isSameValue } from "../shared/hash.ts";
import { present } from "../shared/present.ts";
import { comparableTag } from "../shared/text.ts";
import { salesFor } from "./apart.ts";
import type { OrderContext } from "./context.ts";
import { declarableDestination } from "./destination.ts";
import { discountName, isIncluded } from "./other-totals.ts";

/** A setting that an answer can leave behind: a member of the sales settings, with the name of its entry. */
export type Setting = string;

type Remembering = Pick<SalesChange, "treatments" | "discounts" | "destinations" | (typeof SINGLE)[number]>;

const SINGLE = ["zeroRateBasis", "customerCredit", "article42"] as const;

/** The declared values by setting; a declaration that is taken back has none. */
export function valuesIn(sales: Remembering): ReadonlyMap<Setting, unknown> {
  const { treatments = {}, discounts = {}, destinations = {} } = sales;
  const entries = (member: string, values: object) =>
    Object.entries(values).map(([name, value]): [Setting, unknown] => [`${member} ${name}`, value]);
  const single = SINGLE.map((name): [Setting, unknown] => [name, sales[name]]);
  return new Map(
    [
      ...entries("treatments", treatments),
      ...entries("discounts", discounts),
      ...entries("destinations", declared(destinations)),
      ...single,
    ].filter(([, value]) => value !== undefined && value !== null),
  );
}

/** The settings that a change of the sales gives another value or takes back. */
export function settingsChanged(before: SalesSettings, after: SalesSettings): readonly Setting[] {
  const [was, is] = [valuesIn(before), valuesIn(after)];
  const all = new Set([...was.keys(), ...is.keys()]);
  return [...all].filter((setting) => !isSameValue(was.get(setting) ?? null, is.get(setting) ?? null));
}

/** The change that declares one setting, as it was remembered; undefined if no setting has this name. */
export function changeOf(setting: Setting, value: unknown): SalesChange | undefined {
  const [member = "", ...rest] = setting.split(" ");
  const name = rest.join(" ");
  const isNamed = member === "treatments" || member === "discounts" || member === "destinations";
  if (isNamed !== (name !== "")) return undefined;
  if (!isNamed && !SINGLE.some((one) => one === member)) return undefined;
  // The value was read from the settings under this name.
  return (isNamed ? { [member]: { [name]: value } } : { [member]: value }) as SalesChange;
}

interface UsedSettings {
  /** Undefined for the sales of the connection. */
  readonly profileId: string | undefined;
  readonly settings: readonly Setting[];
}

/**
 * The settings without which the order would have asked before this first invoice. What its owner answered
 * for this order alone is none of them.
 */
export function settingsUsed(
  { document, identifier }: IssueDraft,
  stem: string,
  context: OrderContext,
): UsedSettings {
  const { settings, answers } = context;
  const profile = settings.profiles.find((one) => one.stem === stem);
  const sales = salesFor(profile?.sales ?? settings.sales, answers);
  const { sales: own } = answers;
  const to = declarableDestination(context, identifier);
  const isUntaxed = document.groups.some(
    ({ rate, qualification }) => isZero(rate) && qualification === sales.zeroRateBasis,
  );
  const isArticle42 = document.request.attestation?.legalBasis === "article_4_2";
  return {
    profileId: profile?.id,
    settings: [
      ...amountsUsed(sales, context),
      ...discountsUsed(sales, context),
      ...(to && sales.destinations[to] && !own.destinations?.[to] ? [`destinations ${to}`] : []),
      ...(isUntaxed && own.zeroRateBasis === undefined ? ["zeroRateBasis"] : []),
      ...(isArticle42 && sales.article42 !== undefined && own.article42 === undefined ? ["article42"] : []),
    ],
  };
}

function amountsUsed({ treatments }: SalesSettings, { facts, answers }: OrderContext): readonly Setting[] {
  const codes = facts.unmappedTotals.filter(({ value }) => !isZero(value)).map(({ code }) => code);
  return [...new Set(codes)]
    .filter((code) => Object.hasOwn(treatments, code) && !Object.hasOwn(answers.treatments, code))
    .map((code) => `treatments ${code}`);
}

function discountsUsed(sales: SalesSettings, { facts, answers }: OrderContext): readonly Setting[] {
  const merged = { ...sales, ...present(answers.sales) };
  const used = facts.discounts.flatMap((discount): Setting[] => {
    const isAsked = discount.kind === "unknown" || discount.kind === "customer_credit";
    const name = discountName(discount);
    if (!isAsked || isZero(discount.amount) || isIncluded(discount, merged)) return [];
    if (Object.hasOwn(answers.discounts, name)) return [];
    const folded = comparableTag(name);
    if (Object.hasOwn(sales.discounts ?? {}, folded)) return [`discounts ${folded}`];
    const isByCredit = discount.kind === "customer_credit" && answers.sales.customerCredit === undefined;
    return isByCredit ? ["customerCredit"] : [];
  });
  return [...new Set(used)];
}
