import { type AuthorityConfig, authorityFrom, paceFrom } from "./aeat/authority.ts";
import { evidenceStore } from "./db/submission/evidence-store.ts";
import type { Evidence } from "./db/submission/submission-ports.ts";
import { submissionStore } from "./db/submission/submission-store.ts";
import type { Submits } from "./db/work/due-store.ts";
import type { Env } from "./env.ts";
import { withDeadline } from "./ledger/core/deadline.ts";
import type { After } from "./platform/within.ts";
import type { SubmissionDeps } from "./work/due-work.ts";

export type SubmissionEnv = Pick<
  Env,
  | "AEAT_ENVIRONMENT"
  | "AEAT_TRANSPORT"
  | "AEAT_BASE_URL"
  | "AEAT_CERTIFICATE_KIND"
  | "AEAT_CERTIFICATE"
  | "AEAT_RELAY_TOKEN"
  | "SUBMISSION_PACE"
  | "EVIDENCE"
>;

interface SubmissionPlace {
  readonly connectionId: string;
  readonly userAgent: string;
  readonly after: After;
  readonly log: (line: object) => void;
  readonly newOwner: () => string;
}

const EVIDENCE_DEADLINE_MS = 20_000;

/** What submits the records of a connection; undefined where nothing is submitted. */
export function submissionDeps(
  env: SubmissionEnv,
  binding: D1Database,
  { connectionId, userAgent, after, log, newOwner }: SubmissionPlace,
): SubmissionDeps | undefined {
  return configured(log, () => {
    const pace = paceFrom(env.SUBMISSION_PACE, env.AEAT_TRANSPORT);
    const { timeLimitMs } = pace;
    const authority = authorityFrom(configOf(env), {
      fetch: (url, init) => fetch(url, init),
      ...{ after, userAgent, timeLimitMs },
    });
    if (!authority) return undefined;
    const store = submissionStore(binding, connectionId);
    return { authority, pace, store, evidence: evidenceOn(env, after), newOwner };
  });
}

export function evidenceOn({ EVIDENCE }: Pick<Env, "EVIDENCE">, after: After): Evidence {
  return evidenceStore(EVIDENCE, (call) => withDeadline(call, EVIDENCE_DEADLINE_MS, after));
}

/** What the sweep must know of it. */
export function submits(env: SubmissionEnv, log: (line: object) => void): Submits {
  const unused = { fetch, after: () => () => {}, userAgent: "", timeLimitMs: 0 };
  const authority = configured(log, () => authorityFrom(configOf(env), unused));
  return { isOn: authority !== undefined, wantsRepresentation: authority?.wantsRepresentation ?? false };
}

/** A configuration that contradicts itself submits nothing and rings; issuing goes on. */
function configured<T>(log: (line: object) => void, make: () => T | undefined): T | undefined {
  try {
    return make();
  } catch (error) {
    const cause = error instanceof Error ? error.message : "unknown";
    log({ level: "alarm", alarm: "submission_misconfigured", cause });
    return undefined;
  }
}

function configOf(env: SubmissionEnv): AuthorityConfig {
  const { AEAT_CERTIFICATE: certificate } = env;
  return {
    transport: env.AEAT_TRANSPORT,
    environment: env.AEAT_ENVIRONMENT,
    baseUrl: env.AEAT_BASE_URL,
    certificateKind: env.AEAT_CERTIFICATE_KIND,
    certificate: certificate && ((url, init) => certificate.fetch(url, init)),
    relayToken: env.AEAT_RELAY_TOKEN,
  };
}
