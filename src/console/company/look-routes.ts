import { type Context, Hono } from "hono";
import { newId } from "../../domain/connection/ids.ts";
import { issuerOf } from "../../domain/invoice/contact.ts";
import type { ConsoleEnv } from "../deps.ts";
import { question } from "../gates.ts";
import { issuerDay } from "../issuer-day.ts";
import { refuse, refuseByRule } from "../refuse.ts";
import { body } from "../shapes.ts";
import { shownLook } from "../shown-look.ts";
import { changeLogo, changeLook, lookBody, lookPreviewBody, removeLogo, typedLook } from "./look.ts";
import type { CompanyReading } from "./queries.ts";
import { sampleInvoice } from "./sample-invoice.ts";

/** How the company's invoices look: its logo, its colour, its text at the foot. */
export const lookRoutes = new Hono<ConsoleEnv>()
  .put("/company/look", body(lookBody), async (c) => {
    const changed = await changeLook(await lookOf(c), c.req.valid("json"), changeDeps(c));
    if (!changed.ok) return refuseByRule(c, changed.error);
    return c.json({ success: true as const, data: {} });
  })
  .post("/company/look/preview", question, body(lookPreviewBody), async (c) => {
    const { account, deps, language } = c.var;
    const company = await readCompany(c);
    const typed = typedLook(company.appearance, c.req.valid("json"));
    if (!typed.ok) return refuseByRule(c, typed.error);
    const { footer, look } = typed.value;
    const { today, zone } = await issuerDay(c);
    const view = sampleInvoice({
      ...{
        accountId: account.accountId,
        issuer: issuerOf({ ...NOTHING_SET, ...company, ...company.contact }),
      },
      ...{ territory: company.territory, timeZone: zone, terms: company.contact.terms, footer },
      today,
    });
    const options = { language, isDraft: true, ...shownLook(c, look) };
    return c.json({
      success: true as const,
      data: { accent: look?.accent ?? null, sheet: deps.viewer.sheet(view, options) },
    });
  })
  .put("/company/look/logo", async (c) => {
    const sent = new Uint8Array(await c.req.arrayBuffer());
    const changed = await changeLogo(await lookOf(c), sent, changeDeps(c));
    if (!changed.ok) return refuseByRule(c, changed.error);
    const { width, height } = changed.value;
    return c.json({ success: true as const, data: { width, height } });
  })
  .delete("/company/look/logo", async (c) => {
    const removed = await removeLogo(await lookOf(c), changeDeps(c));
    if (!removed.ok) return refuseByRule(c, removed.error);
    return c.json({ success: true as const, data: {} });
  })
  .get("/company/look/logo", async (c) => {
    const { look } = (await lookOf(c)).current;
    const bytes = look?.logo && (await c.var.deps.brand.readPng(look.logo.file));
    if (!bytes) return refuse(c, "not_found");
    return new Response(bytes, {
      headers: { "Content-Type": "image/png", "Cache-Control": "private, no-store" },
    });
  });

const NOTHING_SET = {
  ...{ registry: null, email: null, phone: null, province: null },
  ...{ firstName: null, surname1: null, surname2: null },
};

async function readCompany(c: Context<ConsoleEnv>): Promise<CompanyReading> {
  return (await c.var.reads.company.read(c.var.account.accountId)) ?? refuse(c, "not_found");
}

async function lookOf(c: Context<ConsoleEnv>) {
  const { accountId } = c.var.account;
  return { accountId, current: (await readCompany(c)).appearance };
}

function changeDeps(c: Context<ConsoleEnv>) {
  const { account, user, deps, reads } = c.var;
  const id = newId("al", account.ledger, deps.random);
  return {
    company: reads.company,
    brand: deps.brand,
    readAgain: async () => (await readCompany(c)).appearance,
    line: { id, userId: user.id, at: deps.now() },
  };
}
