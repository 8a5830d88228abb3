import type { Context } from "hono";
import type { InvoiceLook } from "../domain/brand/look.ts";
import type { ConsoleEnv } from "./deps.ts";

/** A look as a sheet of the console shows it: its logo comes from the owner's API. */
export function shownLook(c: Context<ConsoleEnv>, look: InvoiceLook | undefined) {
  if (!look) return {};
  const { accountId } = c.var.account;
  const address = `/api/accounts/${accountId}/company/look/logo?file=${look.logo?.file.split("/")[1] ?? ""}`;
  return { look, ...(look.logo ? { logoUrl: address } : {}) };
}
