import { type Context, Hono } from "hono";
import { CONSENT_TEXT_VERSIONS, type ConsentTextFacts } from "../../domain/connection/consent.ts";
import { sha256Hex } from "../../domain/shared/hash.ts";
import { localTime, withIso } from "../../domain/shared/instant.ts";
import type { ConsoleEnv } from "../deps.ts";
import { refuse } from "../refuse.ts";
import type { ConsentGiven, EvidenceReading, GrantSigned } from "./queries.ts";
import { linesOf } from "./texts/legal-text.ts";
import { consentText, readSetup } from "./view.ts";

/** Consents and grants as they were given, in a list and word for word. */
export const evidenceRoutes = new Hono<ConsoleEnv>()
  .get("/evidence", async (c) => {
    const reading = await readEvidence(c);
    const names = await namesIn(c, reading);
    const consents = reading.consents.map((one) => consentShown(one, names));
    const grants = reading.grants.map((one) => grantShown(one, names));
    return c.json({ success: true as const, data: { consents, grants } });
  })
  .get("/evidence/:evidence", async (c) => {
    const { consents, grants } = await readEvidence(c);
    const id = c.req.param("evidence");
    const [given] = consents.filter((one) => one.id === id);
    const [signed] = grants.filter((one) => one.id === id);
    const text = given ? await textGiven(c, given) : signed ? await textSigned(c, signed) : undefined;
    if (!given && !signed) return refuse(c, "not_found");
    return c.json({ success: true as const, data: { text: text ?? null } });
  });

function readEvidence(c: Context<ConsoleEnv>): Promise<EvidenceReading> {
  return c.var.reads.evidence.read(c.var.account.accountId, c.var.connection.id);
}

type Names = ReadonlyMap<string, string>;

function namesIn(c: Context<ConsoleEnv>, { consents, grants }: EvidenceReading): Promise<Names> {
  const people = [...consents.map(({ givenBy }) => givenBy), ...grants.map(({ storedBy }) => storedBy)];
  return c.var.deps.members.namesOf([...new Set(people)]);
}

function consentShown({ evidence, givenBy, ...shown }: ConsentGiven, names: Names) {
  const proof = evidence && { sha256: evidence.textSha256, language: evidence.language };
  return {
    ...withIso(shown, "givenAt", "withdrawnAt"),
    givenByName: names.get(givenBy) ?? null,
    proof: proof ?? null,
  };
}

function grantShown({ storedBy, ...shown }: GrantSigned, names: Names) {
  return { ...withIso(shown, "storedAt", "withdrawnAt"), storedByName: names.get(storedBy) ?? null };
}

/** Rebuilds the text from its stored facts; only a text with the same hash is the agreed one. */
async function textGiven(c: Context<ConsoleEnv>, given: ConsentGiven): Promise<string | undefined> {
  const { evidence } = given;
  const version = CONSENT_TEXT_VERSIONS.find((one) => one === given.textVersion);
  if (!evidence || version === undefined) return undefined;
  const facts = { ...(evidence.told ?? (await likelyFacts(c, given))), series: evidence.series };
  const text = consentText(version, facts, evidence.language === "en" ? "en" : "es");
  return text.sha256 === evidence.textSha256 ? linesOf(text) : undefined;
}

/** Guesses the facts of a consent that stored only a hash; the hash then proves or refutes the guess. */
async function likelyFacts(c: Context<ConsoleEnv>, given: ConsentGiven): Promise<ConsentTextFacts> {
  const { issuer, kind, name: connection } = await readSetup(c);
  const { legalName, nif, timeZone } = issuer;
  const year = localTime(given.givenAt, timeZone).date.slice(0, "YYYY".length);
  const product = c.var.deps.software.name;
  const { cutoffDate } = given;
  return { isShop: kind === "commerce", product, legalName, nif, connection, cutoffDate, year };
}

async function textSigned(c: Context<ConsoleEnv>, { documentSha256 }: GrantSigned) {
  const text = await c.var.deps.documents.readGrant(c.var.account.accountId, documentSha256);
  return text !== undefined && sha256Hex(text) === documentSha256 ? text : undefined;
}
