import { type Context, Hono } from "hono";
import { nifFrom } from "../../domain/shared/tax-identifier.ts";
import type { ConsoleEnv } from "../deps.ts";
import { proven, uncontested } from "../gates.ts";
import { longDate } from "../issuer-day.ts";
import { act } from "../owner-verb.ts";
import { refuse, refuseByRule } from "../refuse.ts";
import { body, query } from "../valid.ts";
import type { WizardRead } from "./queries.ts";
import { linesOf, withHash } from "./texts/legal-text.ts";
import { type Capacity, representationTextV1 } from "./texts/representation-v1.ts";
import { todayOf, wizardOf } from "./view.ts";
import { representationBody, representationQuery } from "./wizard-shapes.ts";

interface Signer {
  readonly signer: string;
  readonly signer_nif: string;
  readonly capacity: Capacity;
  readonly power: string;
}

/** The account's grant that lets the producer submit the records: the text, then the signature. */
export const representationRoutes = new Hono<ConsoleEnv>()
  .get("/representation-text", query(representationQuery), async (c) => {
    const read = await wizardOf(c);
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
    const read = await wizardOf(c);
    const signer = checkedSigner(c, given);
    const text = withHash(representationTextV1(factsOf(c, read, signer)("es"), "es"));
    if (text.sha256 !== sha256) return refuse(c, "representation_document_invalid");
    // The document is stored before the grant, because a grant needs its document.
    await c.var.deps.documents.keepGrant(c.var.account.accountId, text.sha256, linesOf(text));
    const signedOn = todayOf(c, read);
    const grant = { documentSha256: text.sha256, signedBy: signer.signer, signedOn };
    await act(c, { verb: "grant_representation", ...grant });
    return c.json({ success: true as const, data: {} });
  })
  .post("/representation/withdraw", async (c) => {
    await act(c, { verb: "withdraw_representation" });
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
  read: WizardRead,
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
