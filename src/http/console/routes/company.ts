import { type Context, Hono } from "hono";
import { newId } from "../../../domain/connection/ids.ts";
import { changeCompany } from "../../../usecases/console/change-company.ts";
import type { CompanyReading } from "../../../usecases/console/company-ports.ts";
import {
  authorisationBody,
  authorisationQuery,
  companyChangeBody,
  signatureBody,
  signerBody,
} from "../../contract/console/company-settings.ts";
import { clausesOf, DECLARATION_TITLE } from "../../pages/declaracion-clauses.ts";
import type { ConsoleEnv } from "../deps.ts";
import { grantOf } from "../grant-of.ts";
import { actAt } from "../owner-verb.ts";
import { refuse, refuseByRule } from "../refuse.ts";
import { told } from "../told.ts";
import { body, query } from "../valid.ts";

/** The company itself: its tax details, who submits in its name, its authorisations. */
export const companyRoutes = new Hono<ConsoleEnv>()
  .get("/company", async (c) => {
    const { deps } = c.var;
    const { firstConnection, ...company } = await readCompany(c);
    const { software, environment } = deps;
    const representative = { name: software.producerName, nif: software.producerNif };
    const hasConnections = firstConnection !== undefined;
    const data = { ...told(company), representative, environment, hasConnections };
    return c.json({ success: true as const, data });
  })
  .put("/company", body(companyChangeBody), async (c) => {
    const { account, user, deps, reads } = c.var;
    const { common_rules_apply: commonRulesApply, ...form } = c.req.valid("json");
    const { legal_name: legalName, default_regime: defaultRegime, ...address } = form;
    const id = newId("al", account.ledger, deps.random);
    const changed = await changeCompany(
      {
        ...{ accountId: account.accountId, current: await readCompany(c), commonRulesApply },
        change: { legalName, defaultRegime, ...address },
      },
      { company: reads.company, line: { id, userId: user.id, at: deps.now() } },
    );
    if (!changed.ok) return refuseByRule(c, changed.error);
    return c.json({ success: true as const, data: {} });
  })
  .post("/company/representation/preview", body(signerBody), async (c) => {
    const { title, parts, sha256 } = await grantOf(c, c.req.valid("json"), await readCompany(c));
    return c.json({ success: true as const, data: { title, parts, sha256 } });
  })
  .post("/company/representation", body(signatureBody), async (c) => {
    const { document_sha256: read, confirmed: _, ...signer } = c.req.valid("json");
    const company = await readCompany(c);
    const connection = firstConnectionOf(c, company);
    const { sha256, text, signedOn } = await grantOf(c, signer, company);
    if (read !== sha256) return refuse(c, "representation_unread");
    // Kept before it counts: what is sent in the issuer's name can always be answered for.
    await c.var.deps.documents.keep(c.var.account.accountId, sha256, text);
    const grant = { documentSha256: sha256, signedBy: signer.signed_by, signedOn };
    await actAt(c, connection, { verb: "grant_representation", ...grant });
    return c.json({ success: true as const, data: {} }, 201);
  })
  .get("/company/representation/document", async (c) => {
    const { representation } = await readCompany(c);
    if (!representation) return refuse(c, "not_found");
    const { accountId } = c.var.account;
    const text = await c.var.deps.documents.read(accountId, representation.documentSha256);
    return c.json({ success: true as const, data: { text: text ?? null } });
  })
  .delete("/company/representation", async (c) => {
    await actAt(c, firstConnectionOf(c, await readCompany(c)), { verb: "withdraw_representation" });
    return c.json({ success: true as const, data: {} });
  })
  .post("/company/authorisations", body(authorisationBody), async (c) => {
    const { number, limit, agreement_number: agreement } = c.req.valid("json");
    const authorisation = { number, limit, ...(agreement ? { agreementNumber: agreement } : {}) };
    const connection = firstConnectionOf(c, await readCompany(c));
    await actAt(c, connection, { verb: "open_authorisation", authorisation });
    return c.json({ success: true as const, data: {} }, 201);
  })
  .delete("/company/authorisations", query(authorisationQuery), async (c) => {
    const { number } = c.req.valid("query");
    const connection = firstConnectionOf(c, await readCompany(c));
    await actAt(c, connection, { verb: "close_authorisation", number });
    return c.json({ success: true as const, data: {} });
  })
  .get("/company/declaration", (c) => {
    const { software } = c.var.deps;
    const { name, version, declarationDate: date } = software;
    const data = { title: DECLARATION_TITLE, name, version, date, clauses: clausesOf(software) };
    return c.json({ success: true as const, data });
  });

async function readCompany(c: Context<ConsoleEnv>): Promise<CompanyReading> {
  return (await c.var.reads.company.read(c.var.account.accountId)) ?? refuse(c, "not_found");
}

/** What holds for the account is done at one of its connections. */
function firstConnectionOf(c: Context<ConsoleEnv>, { firstConnection }: CompanyReading): string {
  return firstConnection ?? refuse(c, "connection_needed");
}
