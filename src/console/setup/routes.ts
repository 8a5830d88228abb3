import { type Context, Hono } from "hono";
import * as z from "zod";
import { date, list, text } from "../../api/wire/values.ts";
import { type ConsentTextFacts, consentTextToday, foralProvinceOf } from "../../domain/connection/consent.ts";
import { ledgerOf, newId } from "../../domain/connection/ids.ts";
import { FORM_VERSIONS } from "../../domain/connection/owner-verbs.ts";
import { takesOrders } from "../../domain/order/gates.ts";
import type { CivilDate } from "../../domain/shared/civil-date.ts";
import { nifFrom } from "../../domain/shared/tax-identifier.ts";
import type { ConsoleEnv } from "../deps.ts";
import { proven, uncontested } from "../gates.ts";
import { longDate } from "../issuer-day.ts";
import { act, actForAccount } from "../owner-verb.ts";
import { refuse, refuseByRule } from "../refuse.ts";
import { declaredStems } from "../sales/series-view.ts";
import { body, query, version } from "../shapes.ts";
import type { SetupRead } from "./queries.ts";
import { type HashedText, linesOf, withHash } from "./texts/legal-text.ts";
import { CAPACITIES, type Capacity, representationTextV1 } from "./texts/representation-v1.ts";
import { consentText, readSetup, seriesNames, seriesOf, todayOf } from "./view.ts";

export const storesBody = z.strictObject({
  store_ids: z.union([z.literal("all"), list(text(32), 100)]),
  version,
});

export const consentTextQuery = z.object({ cutoff_date: date });

export const consentBody = z.strictObject({
  /** Issued with the text, so that the same consent sent twice counts once. */
  consent_id: text(40),
  text_version: text(10),
  text_sha256: text(64),
  cutoff_date: date,
  common_rules_apply: z.boolean(),
  keeps_books_in_sii: z.boolean(),
});

export const stemChoiceBody = z.strictObject({ stem: text(46), version });

export const signerFields = {
  signer: text(120),
  signer_nif: text(20),
  capacity: z.enum(CAPACITIES),
  power: z.union([z.literal(""), text(200)]).default(""),
};

export const representationQuery = z.object(signerFields);
export const representationBody = z.strictObject({ ...signerFields, text_sha256: text(64) });

/** Step 3 of setup: the consent text, and the consent. */
export const consentRoutes = new Hono<ConsoleEnv>()
  .get("/consent-text", query(consentTextQuery), async (c) => {
    const { deps, account } = c.var;
    const read = await readSetup(c);
    const text = textFor(c, read, c.req.valid("query").cutoff_date);
    const consentId = newId("co", account.ledger, deps.random);
    return c.json({ success: true as const, data: { ...text, consentId } });
  })
  .put("/stem", body(stemChoiceBody), async (c) => {
    const { stem, version } = c.req.valid("json");
    await act(c, { verb: "choose_order_stem", stem, seen: version });
    return c.json({ success: true as const, data: {} });
  })
  .post("/consent", body(consentBody), async (c) => {
    const agreed = c.req.valid("json");
    const read = await readSetup(c);
    if (ledgerOf(agreed.consent_id, "co") !== c.var.account.ledger) return refuse(c, "not_found");
    const text = textFor(c, read, agreed.cutoff_date);
    const isThis = agreed.text_version === text.version && agreed.text_sha256 === text.sha256;
    // The name, date or series changed after the text was shown, so the owner has not read the current text.
    if (!isThis) return refuseOutdated(c, agreed.text_version, text.version);
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
        told: consentFactsOf(c, read, agreed.cutoff_date),
      },
    });
    return c.json({ success: true as const, data: {} });
  });

function textFor(c: Context<ConsoleEnv>, read: SetupRead, cutoffDate: CivilDate): HashedText {
  const facts = { ...consentFactsOf(c, read, cutoffDate), series: seriesNames(c, read) };
  return consentText(consentTextToday(read.kind), facts, c.var.language);
}

function consentFactsOf(c: Context<ConsoleEnv>, read: SetupRead, cutoffDate: CivilDate): ConsentTextFacts {
  const { issuer, kind, name: connection } = read;
  const { legalName, nif } = issuer;
  const product = c.var.deps.software.name;
  const year = todayOf(c, read).slice(0, "YYYY".length);
  return { isShop: kind === "commerce", product, legalName, nif, connection, cutoffDate, year };
}

function refuseOutdated(c: Context<ConsoleEnv>, version: string, current: string): never {
  return refuse(c, "consent_text_outdated", { facts: { version, current } });
}

/** The progress of setup, and its step 2. */
export const setupRoutes = new Hono<ConsoleEnv>()
  .get("/setup", async (c) => {
    const read = await readSetup(c);
    const { ordinal: _1, installationOrdinal: _2, consent, ...shown } = read;
    const names = consent ? await c.var.deps.members.namesOf([consent.grantedBy]) : new Map<string, string>();
    const { series, shown: named, year } = seriesOf(c, read);
    const data = {
      ...shown,
      ...(consent ? { consent: { ...consent, grantedByName: names.get(consent.grantedBy) ?? "" } } : {}),
      today: todayOf(c, read),
      year,
      series: named,
      /** Versions of the values that the forms are filled from. */
      versions: {
        stores: FORM_VERSIONS.stores(read.setup.storeIds),
        stem: FORM_VERSIONS.stem(declaredStems(read).orders),
      },
      isStemFree: !series.some(({ isOfOrders, isNumbered }) => isOfOrders && isNumbered),
      takesOrders: takesOrders(read.kind),
      foralProvince: foralProvinceOf(read.issuer.postcode) ?? null,
      textVersion: consentTextToday(read.kind),
      representative: c.var.deps.software.producerName,
      representativeNif: c.var.deps.software.producerNif,
    };
    return c.json({ success: true as const, data });
  })
  .put("/stores", body(storesBody), async (c) => {
    const { store_ids: storeIds, version } = c.req.valid("json");
    await act(c, { verb: "complete_setup", storeIds, seen: version });
    return c.json({ success: true as const, data: {} });
  });

interface Signer {
  readonly signer: string;
  readonly signer_nif: string;
  readonly capacity: Capacity;
  readonly power: string;
}

/** The account's grant that lets the producer submit the records: the text, then the signature. */
export const representationRoutes = new Hono<ConsoleEnv>()
  .get("/representation-text", query(representationQuery), async (c) => {
    const read = await readSetup(c);
    const signer = checkedSigner(c, c.req.valid("query"));
    const facts = factsOf(c, read, signer);
    const spanish = withHash(representationTextV1(facts("es"), "es"));
    // The Spanish text is binding: its hash is signed even if the English text is shown.
    const shown = c.var.language === "es" ? spanish : representationTextV1(facts("en"), "en");
    return c.json({ success: true as const, data: { ...shown, sha256: spanish.sha256 } });
  })
  // A typed name proves nothing, so only an owner of a proven company may grant.
  .post("/representation", proven, uncontested, body(representationBody), async (c) => {
    const { text_sha256: sha256, ...given } = c.req.valid("json");
    const read = await readSetup(c);
    const signer = checkedSigner(c, given);
    const text = withHash(representationTextV1(factsOf(c, read, signer)("es"), "es"));
    if (text.sha256 !== sha256) return refuse(c, "representation_document_invalid");
    // The document is stored before the grant, because a grant needs its document.
    await c.var.deps.documents.keepGrant(c.var.account.accountId, text.sha256, linesOf(text));
    const signedOn = todayOf(c, read);
    const grant = { documentSha256: text.sha256, signedBy: signer.signer, signedOn };
    await actForAccount(c, { verb: "grant_representation", ...grant });
    return c.json({ success: true as const, data: {} });
  })
  .post("/representation/withdraw", async (c) => {
    await actForAccount(c, { verb: "withdraw_representation" });
    return c.json({ success: true as const, data: {} });
  });

function checkedSigner(c: Context<ConsoleEnv>, signer: Signer): Signer {
  const nif = nifFrom(signer.signer_nif);
  if (nif === undefined) return refuseByRule(c, { code: "nif_invalid", path: "signer_nif", facts: {} });
  if (signer.capacity === "attorney" && signer.power === "") {
    return refuseByRule(c, { code: "power_missing", path: "power", facts: {} });
  }
  return { ...signer, signer_nif: nif };
}

function factsOf(
  c: Context<ConsoleEnv>,
  read: SetupRead,
  { signer, signer_nif: signerNif, ...rest }: Signer,
) {
  const { issuer } = read;
  const { software } = c.var.deps;
  return (language: "es" | "en") => ({
    ...{ legalName: issuer.legalName, nif: issuer.nif, signer, signerNif, ...rest },
    address: `${issuer.address1}, ${issuer.postcode} ${issuer.city}`,
    representative: software.producerName,
    representativeNif: software.producerNif,
    product: software.name,
    date: longDate(todayOf(c, read), language),
  });
}
