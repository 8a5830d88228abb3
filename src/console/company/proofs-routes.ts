import { type Context, Hono } from "hono";
import type { Membership } from "../../db/people/member-ports.ts";
import { PROOF } from "../../domain/limits.ts";
import type { Result } from "../../domain/shared/result.ts";
import type { ConsoleEnv } from "../deps.ts";
import { signedIn } from "../gates.ts";
import { refuse, refuseByQuota, refuseByRule } from "../refuse.ts";
import { told } from "../told.ts";
import { body, query } from "../valid.ts";
import { claimDocumentQuery, claimSignatureBody, documentQuery, signatureBody } from "./proof-shapes.ts";
import {
  askForText,
  claimCompany,
  type ProofRefusal,
  type ProveDeps,
  proveCompany,
  type Shown,
} from "./prove-company.ts";

/** Whose the NIF of a company is: what was shown so far, and showing it. */
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
    if (!asked.ok) return refuseByQuota(c, asked.error);
    const { nonce, text, madeAt } = asked.value;
    const expiresAt = madeAt + PROOF.nonceMs;
    return c.json({ success: true as const, data: told({ nonce, text, expiresAt }) }, 201);
  })
  .post("/proofs/document", query(documentQuery), async (c) => {
    const { nonce } = c.req.valid("query");
    return prove(c, nonce, { kind: "document", bytes: await bytesOf(c) });
  })
  .post("/proofs/certificate", body(signatureBody), async (c) => {
    const { nonce, signature } = c.req.valid("json");
    return prove(c, nonce, { kind: "certificate", bytes: fromBase64(signature) });
  });

/** Of a company that another has verified: by an owner of an unverified one of the same NIF. */
export const claimRoutes = new Hono<ConsoleEnv>()
  .use(signedIn)
  .post("/document", query(claimDocumentQuery), async (c) => {
    const { nonce, account } = c.req.valid("query");
    return claim(c, account, nonce, async () => ({ kind: "document", bytes: await bytesOf(c) }));
  })
  .post("/", body(claimSignatureBody), async (c) => {
    const { nonce, signature, account } = c.req.valid("json");
    return claim(c, account, nonce, async () => ({ kind: "certificate", bytes: fromBase64(signature) }));
  });

async function prove(c: Context<ConsoleEnv>, nonce: string, shown: Shown) {
  const { account, user } = c.var;
  return answered(c, await proveCompany({ account, userId: user.id }, nonce, shown, proveDeps(c)));
}

async function claim(c: Context<ConsoleEnv>, accountId: string, nonce: string, shown: () => Promise<Shown>) {
  const { deps, user } = c.var;
  const account: Membership | undefined = await deps.members.membershipOf(user.id, accountId);
  if (!account) return refuse(c, "not_found");
  if (account.role !== "owner") return refuse(c, "read_only");
  return answered(c, await claimCompany({ account, userId: user.id }, nonce, await shown(), proveDeps(c)));
}

function answered(c: Context<ConsoleEnv>, outcome: Result<void, ProofRefusal>) {
  if (outcome.ok) return c.json({ success: true as const, data: {} }, 201);
  const { error } = outcome;
  return error.code === "quota_exceeded" ? refuseByQuota(c, error) : refuseByRule(c, error);
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
