/** Filters, order and pages of the lists of PrestaShop's webservice. */
import { type Doc, textOf } from "./documents.ts";
import { compare } from "./shop.ts";

export interface ListRefusal {
  readonly code: number;
  readonly message: string;
}

const DATES: ReadonlySet<string> = new Set(["date_add", "date_upd"]);

/** Without `display` an entry has its id alone. */
export function listed(all: readonly Doc[], query: URLSearchParams): readonly Doc[] | ListRefusal {
  const filters = [...query].flatMap(([name, text]) => {
    const [, field] = /^filter\[([a-z_]+)\]$/.exec(name) ?? [];
    return field === undefined ? [] : [{ field, matches: matching(text) }];
  });
  const dated = filters.find(({ field }) => DATES.has(field));
  if (dated && query.get("date") !== "1") {
    return { code: 32, message: `Unable to filter by this field: ${dated.field} needs date=1.` };
  }
  const found = all.filter((doc) => filters.every(({ field, matches }) => matches(textOf(doc[field]) ?? "")));
  const sorted = sortedBy(found, query.get("sort"));
  if (!sorted) return { code: 37, message: "Unable to sort by this field." };
  const limit = /^(?:(\d+),)?(\d+)$/.exec(query.get("limit") ?? `${sorted.length}`);
  if (!limit) return { code: 38, message: "The limit value has to be set with the format [offset,]limit." };
  const [, offset = "0", count = "0"] = limit;
  return sorted.slice(Number(offset), Number(offset) + Number(count)).map(shownBy(query.get("display")));
}

/** `[1|5]`, `[1,10]`, `[John]`, `[Jo]%`, `%[hn]`, `%[oh]%`; a text without brackets is a literal. */
function matching(text: string): (own: string) => boolean {
  const [, before = "", inner = text, after = ""] = /^(%?)\[(.*)\](%?)$/s.exec(text) ?? [];
  const wanted = inner.toLowerCase();
  if (before !== "" && after !== "") return (own) => own.toLowerCase().includes(wanted);
  if (before !== "") return (own) => own.toLowerCase().endsWith(wanted);
  if (after !== "") return (own) => own.toLowerCase().startsWith(wanted);
  const interval = inner.split(",");
  const [from = "", to = ""] = interval;
  if (interval.length === 2) return (own) => compare(own, from) >= 0 && compare(own, to) <= 0;
  const values = wanted.split("|");
  return (own) => values.includes(own.toLowerCase());
}

function sortedBy(found: readonly Doc[], sort: string | null): readonly Doc[] | undefined {
  const orders = (sort ?? "[id_ASC]").replace(/^\[|\]$/g, "").split(",");
  const read = orders.map((order) => /^([a-z_]+)_(ASC|DESC)$/.exec(order));
  if (read.some((each) => each === null)) return undefined;
  return found.toSorted((one, other) => {
    for (const each of read) {
      const [, field = "", direction] = each ?? [];
      const order = compare(textOf(one[field]), textOf(other[field]));
      if (order !== 0) return direction === "ASC" ? order : -order;
    }
    return 0;
  });
}

function shownBy(display: string | null): (doc: Doc) => Doc {
  if (display === "full") return (doc) => doc;
  const fields = (display ?? "[id]").replace(/^\[|\]$/g, "").split(",");
  return (doc) => Object.fromEntries(fields.map((field) => [field, doc[field] ?? ""]));
}
