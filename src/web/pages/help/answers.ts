import { paths } from "../../app/paths.ts";

/** The names of the answers of each page; their words are `help.<page>.<name>.q` and `.a`. */
export const ANSWERS = {
  overview: ["attention", "figures", "bars"],
  review: ["why", "late", "many", "dismiss"],
  invoices: ["find", "delete", "states", "gaps"],
  orders: ["find", "states", "before", "twice"],
  submission: ["wait", "fix", "chain"],
  connections: ["key", "none", "stop"],
  profiles: ["what", "series", "try"],
  company: ["nif", "people", "data"],
  activity: ["who", "unknown", "filter"],
} as const;

export type HelpPage = keyof typeof ANSWERS;

const PLACES: readonly (readonly [page: HelpPage, place: (account: string) => string])[] = [
  ["review", paths.review],
  ["invoices", paths.invoices],
  ["orders", paths.orders],
  ["submission", paths.submission],
  ["connections", paths.connections],
  ["profiles", paths.profiles],
  ["company", paths.companyPages],
  ["activity", paths.activity],
];

/** The answers for an address; those of the overview where a page has none of its own. */
export function helpPageOf(pathname: string, account: string): HelpPage {
  const found = PLACES.find(([, place]) => `${pathname}/`.startsWith(`${place(account)}/`));
  return found?.[0] ?? "overview";
}
