import { type Context, Hono } from "hono";
import * as z from "zod";
import { sentText } from "../../api/wire/values.ts";
import type { Membership } from "../../db/people/member-store.ts";
import { PROOF } from "../../domain/limits.ts";
import { isoInstant } from "../../domain/shared/instant.ts";
import type { ConsoleEnv } from "../deps.ts";
import { signedIn } from "../gates.ts";
import { refuse, refuseByRule } from "../refuse.ts";
import { body, query } from "../shapes.ts";
import { askForText, type ProveDeps, type Shown, showProof } from "./prove-company.ts";

/** Nonce of the signed text. */
const nonce = sentText(32).regex(/^[0-9a-z]{32}$/);

export const documentQuery = z.strictObject({ nonce });

/**
 * Base64 of the CAdES signature, which has some kilobytes with its chain. `sentText` allows four UTF-16 units
 * per character, so the effective limit is about 16,000 characters.
 */
const LONGEST_SIGNATURE = 4_000;
/** Only whole groups of four with padding: decoders need not accept other forms. */
const BASE_64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)$/;
const signature = sentText(LONGEST_SIGNATURE).regex(BASE_64);

export const signatureBody = z.strictObject({ nonce, signature });

const account = sentText(40);

export const claimDocumentQuery = documentQuery.extend({ account });
export const claimSignatureBody = signatureBody.extend({ account });

/** Proof of a company's NIF: past proofs, and a new one. */
export const proofRoutes = new Hono<ConsoleEnv>()
  .get("/verification", async (c) => {
    const { account, deps } = c.var;
    const { register } = deps.companies;
    const [proofs, changes, claim] = await Promise.all([
      register.proofsOf(account.accountId),
      register.changesOf(account.accountId),
      register.openClaimOf(account.accountId),
    ]);
    const shown = {
      verification: account.verification,
      nif: account.nif,
      takesCertificates: deps.verifySignature !== undefined,
      proofs: proofs.map(({ id, kind, madeAt }) => ({ id, kind, madeAt: isoInstant(madeAt) })),
      changes: changes.map(({ from, to, at }) => ({ from, to, at: isoInstant(at) })),
      claim: claim
        ? { madeAt: isoInstant(claim.madeAt), isContested: claim.contestedAt !== undefined }
        : null,
    };
    return c.json({ success: true as const, data: shown });
  })
  .post("/proofs/text", async (c) => {
    const { account, user } = c.var;
    const outcome = await askForText({ account, userId: user.id }, proveDeps(c));
    if (!outcome.ok) return refuseByRule(c, outcome.error);
    const { nonce, text, madeAt } = outcome.value;
    const expiresAt = isoInstant(madeAt + PROOF.nonceMs);
    return c.json({ success: true as const, data: { nonce, text, expiresAt } }, 201);
  })
  .post("/proofs/document", query(documentQuery), async (c) => {
    const { nonce } = c.req.valid("query");
    return show(c, c.var.account, nonce, { kind: "document", bytes: await bytesOf(c), isClaim: false });
  })
  .post("/proofs/certificate", body(signatureBody), async (c) => {
    const { nonce, signature } = c.req.valid("json");
    return show(c, c.var.account, nonce, {
      ...{ kind: "certificate", bytes: fromBase64(signature), isClaim: false },
    });
  });

/** Claims a verified company: an owner of an unverified company with the same NIF may file them. */
export const claimRoutes = new Hono<ConsoleEnv>()
  .use(signedIn)
  .post("/document", query(claimDocumentQuery), async (c) => {
    const { nonce, account } = c.req.valid("query");
    const claimant = await claimantOf(c, account);
    return show(c, claimant, nonce, { kind: "document", bytes: await bytesOf(c), isClaim: true });
  })
  .post("/", body(claimSignatureBody), async (c) => {
    const { nonce, signature, account } = c.req.valid("json");
    const claimant = await claimantOf(c, account);
    return show(c, claimant, nonce, { kind: "certificate", bytes: fromBase64(signature), isClaim: true });
  });

async function claimantOf(c: Context<ConsoleEnv>, accountId: string): Promise<Membership> {
  const account = await c.var.deps.members.membershipOf(c.var.user.id, accountId);
  if (!account) return refuse(c, "not_found");
  return account.role === "owner" ? account : refuse(c, "read_only");
}

async function show(c: Context<ConsoleEnv>, account: Membership, nonce: string, shown: Shown) {
  const outcome = await showProof({ account, userId: c.var.user.id }, nonce, shown, proveDeps(c));
  if (!outcome.ok) return refuseByRule(c, outcome.error);
  return c.json({ success: true as const, data: {} }, 201);
}

function proveDeps({ var: { deps } }: Context<ConsoleEnv>): ProveDeps {
  const { companies, documents, random, now, verifySignature } = deps;
  return { ...companies, documents, random, now, verifySignature };
}

async function bytesOf(c: Context<ConsoleEnv>): Promise<Uint8Array> {
  return new Uint8Array(await c.req.arrayBuffer());
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
