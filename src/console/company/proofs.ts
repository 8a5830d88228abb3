import { type Context, Hono } from "hono";
import type { Membership } from "../../db/people/member-store.ts";
import { PROOF } from "../../domain/limits.ts";
import type { ConsoleEnv } from "../deps.ts";
import { signedIn } from "../gates.ts";
import { refuse, refuseByRule } from "../refuse.ts";
import { told } from "../told.ts";
import { body, query } from "../valid.ts";
import { claimDocumentQuery, claimSignatureBody, documentQuery, signatureBody } from "./proof-shapes.ts";
import { askForText, type ProveDeps, type Shown, showProof } from "./prove-company.ts";

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
      proofs: proofs.map(({ id, kind, madeAt }) => ({ id, kind, madeAt })),
      changes: changes.map(({ from, to, at }) => ({ from, to, at })),
      claim: claim ? { madeAt: claim.madeAt, isContested: claim.contestedAt !== undefined } : null,
    };
    return c.json({ success: true as const, data: told(shown) });
  })
  .post("/proofs/text", async (c) => {
    const { account, user } = c.var;
    const asked = await askForText({ account, userId: user.id }, proveDeps(c));
    if (!asked.ok) return refuseByRule(c, asked.error);
    const { nonce, text, madeAt } = asked.value;
    const expiresAt = madeAt + PROOF.nonceMs;
    return c.json({ success: true as const, data: told({ nonce, text, expiresAt }) }, 201);
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
