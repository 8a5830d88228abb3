import { type Context, Hono } from "hono";
import { termsOf } from "../../domain/invoice/search-words.ts";
import type { ConsoleEnv } from "../deps.ts";
import { cursorOf } from "../shapes/place.ts";
import { query } from "../valid.ts";
import type { ListedInvoice } from "./invoice-ports.ts";
import { invoicesQuery } from "./invoices-shapes.ts";
import { type InvoicePage, listInvoices } from "./list-invoices.ts";
import { shownListed, shownListSums } from "./shown-invoice.ts";

const PAGE = 25;

/** Every invoice of the account, newest first, and what those add up to that a filter leaves. */
export const invoiceListRoutes = new Hono<ConsoleEnv>()
  .get("/invoices", query(invoicesQuery), async (c) => {
    const { account, reads } = c.var;
    const { month, state, series, connection: connectionId, search = "", cursor } = c.req.valid("query");
    const filter = {
      terms: termsOf(search),
      ...(month === undefined ? {} : { month }),
      ...(state === undefined ? {} : { state }),
      ...(series === undefined ? {} : { series }),
      ...(connectionId === undefined ? {} : { connectionId }),
    };
    const towards = cursor?.way === "before" ? "newer" : "older";
    const from = cursor ? ({ towards, place: cursor.key.place } as const) : undefined;
    const page = await listInvoices(reads.invoices, account.accountId, {
      ...{ filter, size: PAGE },
      ...(from ? { from } : {}),
    });
    const first = firstOf(page, cursor?.key.first ?? 0, towards);
    return c.json({
      success: true as const,
      data: {
        items: page.items.map(shownListed),
        sums: shownListSums(page.sums),
        isWhole: page.isWhole,
        first: page.items.length === 0 ? 0 : first + 1,
        ...cursorsOf(page, first),
      },
    });
  })
  .get("/invoices/choices", async (c) => {
    const { account, reads } = c.var;
    return c.json({ success: true as const, data: await reads.invoices.readChoices(account.accountId) });
  });

/** How many stand before the page: counted on from page to page. */
function firstOf({ items, hasNewer }: InvoicePage, known: number, towards: "older" | "newer"): number {
  if (towards === "older") return known;
  return hasNewer ? Math.max(0, known - items.length) : 0;
}

function cursorsOf({ items, hasNewer, hasOlder }: InvoicePage, first: number) {
  const [newest, oldest] = [items[0], items.at(-1)];
  const at = ({ place }: ListedInvoice, before: number) => ({ place, first: before });
  return {
    previous: hasNewer && newest ? cursorOf({ way: "before", key: at(newest, first) }) : null,
    next: hasOlder && oldest ? cursorOf({ way: "after", key: at(oldest, first + items.length) }) : null,
  };
}

/** Of the issuer. */
export async function zoneOf(c: Context<ConsoleEnv>) {
  const { account, reads } = c.var;
  const [shown] = await reads.accounts.readAccounts([account.accountId]);
  return shown?.timeZone ?? "Europe/Madrid";
}
