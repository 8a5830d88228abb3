import { Hono } from "hono";
import type { ConsoleEnv } from "../deps.ts";
import { signedIn } from "../gates.ts";
import { refuseByRule } from "../refuse.ts";
import { body } from "../valid.ts";
import { companyBody } from "./company-shapes.ts";
import { openCompany } from "./open-company.ts";

/** Opens a company: the second page of signing up, and every further one of the same person. */
export const companyOpening = new Hono<ConsoleEnv>().use(signedIn).post("/", body(companyBody), async (c) => {
  const { deps, user } = c.var;
  const typed = c.req.valid("json");
  const { common_rules_apply: commonRulesApply, keeps_books_in_sii: keepsBooksInSii, ...issuer } = typed;
  const { legal_name: legalName, default_regime: defaultRegime, registry, ...address } = issuer;
  const opened = await openCompany(
    {
      company: { legalName, defaultRegime, ...address, ...(registry ? { registry } : {}) },
      declaration: { commonRulesApply, keepsBooksInSii },
      ownerId: user.id,
    },
    deps,
  );
  if (!opened.ok) return refuseByRule(c, opened.error);
  return c.json({ success: true as const, data: { id: opened.value } }, 201);
});
