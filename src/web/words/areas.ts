import { common } from "./es/common.ts";

/** The words of each area, one file per language; a page loads the areas that it names. */
const FILES = {
  activity: { es: () => import("./es/activity.ts"), en: () => import("./en/activity.ts") },
  byHand: { es: () => import("./es/by-hand.ts"), en: () => import("./en/by-hand.ts") },
  changes: { es: () => import("./es/changes.ts"), en: () => import("./en/changes.ts") },
  checks: { es: () => import("./es/checks.ts"), en: () => import("./en/checks.ts") },
  // The Spanish ones are in the script, so that a failed load can be reported.
  common: { es: async () => ({ common }), en: () => import("./en/common.ts") },
  company: { es: () => import("./es/company.ts"), en: () => import("./en/company.ts") },
  connections: { es: () => import("./es/connections.ts"), en: () => import("./en/connections.ts") },
  erasure: { es: () => import("./es/erasure.ts"), en: () => import("./en/erasure.ts") },
  filters: { es: () => import("./es/filters.ts"), en: () => import("./en/filters.ts") },
  help: { es: () => import("./es/help.ts"), en: () => import("./en/help.ts") },
  invoices: { es: () => import("./es/invoices.ts"), en: () => import("./en/invoices.ts") },
  listed: { es: () => import("./es/listed.ts"), en: () => import("./en/listed.ts") },
  lines: { es: () => import("./es/lines.ts"), en: () => import("./en/lines.ts") },
  mailing: { es: () => import("./es/mailing.ts"), en: () => import("./en/mailing.ts") },
  orders: { es: () => import("./es/orders.ts"), en: () => import("./en/orders.ts") },
  oss: { es: () => import("./es/oss.ts"), en: () => import("./en/oss.ts") },
  overview: { es: () => import("./es/overview.ts"), en: () => import("./en/overview.ts") },
  palette: { es: () => import("./es/palette.ts"), en: () => import("./en/palette.ts") },
  payment: { es: () => import("./es/payment.ts"), en: () => import("./en/payment.ts") },
  people: { es: () => import("./es/people.ts"), en: () => import("./en/people.ts") },
  profiles: { es: () => import("./es/profiles.ts"), en: () => import("./en/profiles.ts") },
  questions: { es: () => import("./es/questions.ts"), en: () => import("./en/questions.ts") },
  remembered: { es: () => import("./es/remembered.ts"), en: () => import("./en/remembered.ts") },
  review: { es: () => import("./es/review.ts"), en: () => import("./en/review.ts") },
  security: { es: () => import("./es/security.ts"), en: () => import("./en/security.ts") },
  sending: { es: () => import("./es/sending.ts"), en: () => import("./en/sending.ts") },
  setup: { es: () => import("./es/setup.ts"), en: () => import("./en/setup.ts") },
  shell: { es: () => import("./es/shell.ts"), en: () => import("./en/shell.ts") },
  shops: { es: () => import("./es/shops.ts"), en: () => import("./en/shops.ts") },
  signIn: { es: () => import("./es/sign-in.ts"), en: () => import("./en/sign-in.ts") },
  states: { es: () => import("./es/states.ts"), en: () => import("./en/states.ts") },
  submission: { es: () => import("./es/submission.ts"), en: () => import("./en/submission.ts") },
} as const;

export type Area = keyof typeof FILES;

type Exported<Module> = Module extends unknown ? Module[keyof Module] : never;
type KeyOf<Words> = Words extends unknown ? Extract<keyof Words, string> : never;

export type WordId = KeyOf<Exported<Awaited<ReturnType<(typeof FILES)[Area]["es"]>>>>;
export type Words = Readonly<Partial<Record<WordId, string>>>;

/** What a word says: a number is a count and written as one; what only looks like one is a text. */
export type Values = Readonly<Record<string, string | number>> & { readonly code?: string };

/** Gives the text of an id in the reader's language. */
export type Say = (id: WordId, values?: Values) => string;

export const AREAS = Object.keys(FILES) as readonly Area[];

export async function wordsOf(areas: readonly Area[], language: "es" | "en"): Promise<Words> {
  const files = await Promise.all(areas.map((area) => FILES[area][language]()));
  return Object.assign({}, ...files.flatMap((file) => Object.values(file)));
}
