import type { Context } from "hono";
import type { InvoiceLook } from "../domain/brand/look.ts";
import { civilDate } from "../domain/shared/civil-date.ts";
import type { DraftInvoice } from "../ledger/orders/order-outcomes.ts";
import type { ConsoleEnv } from "./deps.ts";
import { draftOf, unissuedView } from "./unissued-view.ts";

/** A look as a sheet of the console shows it: its logo comes from the owner's API. */
export function shownLook(c: Context<ConsoleEnv>, look: InvoiceLook | undefined) {
  if (!look) return {};
  const { accountId } = c.var.account;
  const address = `/api/accounts/${accountId}/company/look/logo?file=${look.logo?.file.split("/")[1] ?? ""}`;
  return { look, ...(look.logo ? { logoUrl: address } : {}) };
}

/** The sheet of an invoice that was not issued. */
export type SheetOf = (draft: DraftInvoice) => { readonly html: string; readonly css: string };

/** Sheets in the company's look, marked as drafts. */
export async function draftSheets(c: Context<ConsoleEnv>): Promise<SheetOf> {
  const { account, reads, deps, language } = c.var;
  const company = await reads.company.read(account.accountId);
  const options = { language, isDraft: true, ...shownLook(c, company?.appearance.look) };
  return ({ document, fullNumber, issueDate }) => {
    const identity = { fullNumber, issueDate: civilDate(issueDate) };
    return deps.viewer.sheet(unissuedView(draftOf(document), identity), options);
  };
}
