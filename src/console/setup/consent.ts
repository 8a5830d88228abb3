import { type Context, Hono } from "hono";
import {
  CONSENT_TEXT_TODAY,
  type ConsentTextFacts,
  foralProvinceOf,
} from "../../domain/connection/consent.ts";
import { ledgerOf, newId } from "../../domain/connection/ids.ts";
import { FORM_VERSIONS } from "../../domain/connection/owner-verbs.ts";
import { takesOrders } from "../../domain/order/gates.ts";
import type { CivilDate } from "../../domain/shared/civil-date.ts";
import type { ConsoleEnv } from "../deps.ts";
import { act } from "../owner-verb.ts";
import { refuse } from "../refuse.ts";
import { declaredStems } from "../sales/series-view.ts";
import { body, query } from "../valid.ts";
import type { WizardRead } from "./queries.ts";
import { consentText } from "./texts/consent-text.ts";
import type { HashedText } from "./texts/legal-text.ts";
import { seriesNames, seriesOf, todayOf, wizardOf } from "./view.ts";
import { consentBody, consentTextQuery, stemChoiceBody, storesBody } from "./wizard-shapes.ts";

/** Step 3 of setup: the consent text, and the consent. */
export const consentRoutes = new Hono<ConsoleEnv>()
  .get("/consent-text", query(consentTextQuery), async (c) => {
    const { deps, account } = c.var;
    const read = await wizardOf(c);
    const text = textFor(c, read, c.req.valid("query").cutoff_date);
    const consentId = newId("co", account.ledger, deps.random);
    return c.json({ success: true as const, data: { ...text, consentId } });
  })
  .put("/stem", body(stemChoiceBody), async (c) => {
    const { stem, version: seen } = c.req.valid("json");
    await act(c, { verb: "choose_order_stem", stem, seen });
    return c.json({ success: true as const, data: {} });
  })
  .post("/consent", body(consentBody), async (c) => {
    const agreed = c.req.valid("json");
    const read = await wizardOf(c);
    if (ledgerOf(agreed.consent_id, "co") !== c.var.account.ledger) return refuse(c, "not_found");
    const text = textFor(c, read, agreed.cutoff_date);
    const isThis = agreed.text_version === text.version && agreed.text_sha256 === text.sha256;
    // The name, date or series changed after the text was shown, so the owner has not read the current text.
    if (!isThis) return refuseOutdated(c, agreed.text_version);
    await act(c, {
      verb: "give_consent",
      id: agreed.consent_id,
      textVersion: text.version,
      cutoffDate: agreed.cutoff_date,
      declaration: {
        commonRulesApply: agreed.common_rules_apply,
        keepsBooksInSii: agreed.keeps_books_in_sii,
      },
      evidence: {
        textSha256: text.sha256,
        language: text.language,
        series: seriesNames(c, read),
        address: c.req.header("CF-Connecting-IP") ?? "",
        told: toldOf(c, read, agreed.cutoff_date),
      },
    });
    return c.json({ success: true as const, data: {} });
  });

function textFor(c: Context<ConsoleEnv>, read: WizardRead, cutoffDate: CivilDate): HashedText {
  const told = { ...toldOf(c, read, cutoffDate), series: seriesNames(c, read) };
  return consentText(CONSENT_TEXT_TODAY, told, c.var.language);
}

function toldOf(c: Context<ConsoleEnv>, read: WizardRead, cutoffDate: CivilDate): ConsentTextFacts {
  const { issuer, kind, name: connection } = read;
  const { legalName, nif } = issuer;
  const product = c.var.deps.software.name;
  const year = todayOf(c, read).slice(0, "YYYY".length);
  return { isShop: kind === "commerce", product, legalName, nif, connection, cutoffDate, year };
}

function refuseOutdated(c: Context<ConsoleEnv>, version: string): never {
  return refuse(c, "consent_text_outdated", { facts: { version, current: CONSENT_TEXT_TODAY } });
}

/** The progress of setup, and its step 2. */
export const setupRoutes = new Hono<ConsoleEnv>()
  .get("/setup", async (c) => {
    const read = await wizardOf(c);
    const { ordinal: _1, installationOrdinal: _2, consent, ...shown } = read;
    const names = consent ? await c.var.deps.members.namesOf([consent.grantedBy]) : new Map<string, string>();
    const { series, year } = seriesOf(c, read);
    const data = {
      ...shown,
      ...(consent ? { consent: { ...consent, grantedByName: names.get(consent.grantedBy) ?? "" } } : {}),
      today: todayOf(c, read),
      year,
      series,
      /** Versions of the values that the forms are filled from. */
      versions: {
        stores: FORM_VERSIONS.stores(read.setup.storeIds),
        stem: FORM_VERSIONS.stem(declaredStems(read).orders),
      },
      isStemFree: !series.some(({ isOfOrders, isNumbered }) => isOfOrders && isNumbered),
      takesOrders: takesOrders(read.kind),
      foralProvince: foralProvinceOf(read.issuer.postcode) ?? null,
      textVersion: CONSENT_TEXT_TODAY,
      representative: c.var.deps.software.producerName,
      representativeNif: c.var.deps.software.producerNif,
    };
    return c.json({ success: true as const, data });
  })
  .put("/stores", body(storesBody), async (c) => {
    const { store_ids: storeIds, version: seen } = c.req.valid("json");
    await act(c, { verb: "complete_setup", storeIds, seen });
    return c.json({ success: true as const, data: {} });
  });
