import { type Context, Hono } from "hono";
import * as z from "zod";
import { text } from "../../api/wire/values.ts";
import { newId } from "../../domain/connection/ids.ts";
import { DEFAULT_REGIMES } from "../../domain/invoice/issuer.ts";
import { TERRITORIES } from "../../domain/invoice/settings.ts";
import { VAT_RATES } from "../../domain/place/vat-rates.ts";
import { withIso } from "../../domain/shared/instant.ts";
import type { ConsoleEnv } from "../deps.ts";
import { signedIn } from "../gates.ts";
import { actForAccount } from "../owner-verb.ts";
import { refuse, refuseByRule } from "../refuse.ts";
import { body, decimalText, query, version } from "../shapes.ts";
import { changeCompany, companyVersion, openCompany } from "./change-company.ts";
import { changeContact, contactBody, contactOf, contactView } from "./contact.ts";
import { lookView } from "./look.ts";
import type { CompanyReading } from "./queries.ts";

const name = { legal_name: text(120) };
const address = { address1: text(250), postcode: text(10), city: text(100) };
const details = {
  default_regime: z.enum(DEFAULT_REGIMES),
  /** Registry data as printed; empty if the company need not print any. */
  registry: z.union([z.literal(""), text(250)]),
};

/** The form on the second page of signing up. */
export const companyBody = z.strictObject({
  ...name,
  nif: text(20),
  ...address,
  territory: z.enum(TERRITORIES),
  ...details,
  registry: details.registry.default(""),
  common_rules_apply: z.boolean(),
  keeps_books_in_sii: z.boolean(),
});

/** The details of an existing company, all of them changeable. */
export const companyChangeBody = z.strictObject({
  ...name,
  ...address,
  ...details,
  common_rules_apply: z.boolean(),
  version,
});

export const authorisationBody = z.strictObject({
  number: text(100),
  limit: decimalText,
  agreement_number: text(60).nullish(),
});

export const authorisationQuery = z.strictObject({ number: z.string().max(100) });

/** A kept rate, as the company page shows it. */
export const ossRateQuery = z.strictObject({ area: z.string().max(40), rate: decimalText });

/** Opens a company: the second page of signing up, and each further company of the same person. */
export const companyOpening = new Hono<ConsoleEnv>().use(signedIn).post("/", body(companyBody), async (c) => {
  const { deps, user } = c.var;
  const typed = c.req.valid("json");
  const { common_rules_apply: commonRulesApply, keeps_books_in_sii: keepsBooksInSii, ...issuer } = typed;
  const { legal_name: legalName, default_regime: defaultRegime, ...others } = issuer;
  const opened = await openCompany(
    {
      company: { legalName, defaultRegime, ...others },
      declaration: { commonRulesApply, keepsBooksInSii },
      ownerId: user.id,
    },
    deps,
  );
  if (!opened.ok) return refuseByRule(c, opened.error);
  return c.json({ success: true as const, data: { id: opened.value } }, 201);
});

/** The company: tax details, grant of representation, authorisations. */
export const companyRoutes = new Hono<ConsoleEnv>()
  .get("/company", async (c) => {
    const { deps } = c.var;
    const { firstConnection = null, ...company } = await readCompany(c);
    const { software, environment } = deps;
    const representative = { name: software.producerName, nif: software.producerNif };
    const version = companyVersion(company);
    const data = { ...shownCompany(company), representative, environment, firstConnection, version };
    return c.json({ success: true as const, data });
  })
  .put("/company", body(companyChangeBody), async (c) => {
    const { account, user, deps, reads } = c.var;
    const { common_rules_apply: commonRulesApply, version, ...form } = c.req.valid("json");
    const { legal_name: legalName, default_regime: defaultRegime, ...others } = form;
    const id = newId("al", account.ledger, deps.random);
    const changed = await changeCompany(
      {
        ...{
          accountId: account.accountId,
          current: await readCompany(c),
          formVersion: version,
          commonRulesApply,
        },
        change: { legalName, defaultRegime, ...others },
      },
      { company: reads.company, line: { id, userId: user.id, at: deps.now() } },
    );
    if (!changed.ok) return refuseByRule(c, changed.error);
    return c.json({ success: true as const, data: {} });
  })
  .put("/company/contact", body(contactBody), async (c) => {
    const { account, user, deps, reads } = c.var;
    const { version: formVersion, ...form } = c.req.valid("json");
    const id = newId("al", account.ledger, deps.random);
    const changed = await changeContact(
      {
        accountId: account.accountId,
        current: await readCompany(c),
        change: contactOf(form),
        formVersion,
      },
      { company: reads.company, line: { id, userId: user.id, at: deps.now() } },
    );
    if (!changed.ok) return refuseByRule(c, changed.error);
    return c.json({ success: true as const, data: {} });
  })
  .get("/company/representation/document", async (c) => {
    const { representation } = await readCompany(c);
    if (!representation) return refuse(c, "not_found");
    const { accountId } = c.var.account;
    const text = await c.var.deps.documents.readGrant(accountId, representation.documentSha256);
    return c.json({ success: true as const, data: { text: text ?? null } });
  })
  .post("/company/authorisations", body(authorisationBody), async (c) => {
    const { number, limit, agreement_number: agreement } = c.req.valid("json");
    const authorisation = { number, limit, ...(agreement ? { agreementNumber: agreement } : {}) };
    await actForAccount(c, { verb: "open_authorisation", authorisation });
    return c.json({ success: true as const, data: {} }, 201);
  })
  .delete("/company/authorisations", query(authorisationQuery), async (c) => {
    const { number } = c.req.valid("query");
    await actForAccount(c, { verb: "close_authorisation", number });
    return c.json({ success: true as const, data: {} });
  })
  .delete("/company/oss-rates", query(ossRateQuery), async (c) => {
    const { area, rate } = c.req.valid("query");
    // Only areas of the table are ever kept. The verb runs even if nothing is: a keeping may be under way.
    const known = VAT_RATES.find((one) => one.area === area);
    if (known) await actForAccount(c, { verb: "withdraw_oss_rate", area: known.area, rate });
    return c.json({ success: true as const, data: {} });
  });

async function readCompany(c: Context<ConsoleEnv>): Promise<CompanyReading> {
  return (await c.var.reads.company.read(c.var.account.accountId)) ?? refuse(c, "not_found");
}

function shownCompany(company: Omit<CompanyReading, "firstConnection">) {
  const { contact, appearance, representation, authorisations, ossRates } = company;
  return {
    ...company,
    contact: contactView(contact, company.nif),
    appearance: lookView(appearance),
    representation: representation && withIso(representation, "storedAt", "withdrawnAt"),
    authorisations: authorisations.map((one) => withIso(one, "openedAt", "closedAt")),
    ossRates: ossRates.map((rate) => withIso(rate, "keptAt")),
  };
}
