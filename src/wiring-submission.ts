import { AEAT_WAYS, paceFrom } from "./aeat/authority.ts";
import type { Submits } from "./db/due/due-store.ts";
import { evidenceStore } from "./db/submission/evidence-store.ts";
import { submissionStore } from "./db/submission/submission-store.ts";
import type { Evidence } from "./db/submission/submission-writes.ts";
import type { ApiDeployment } from "./env.ts";
import { type AuthorityConfig, type AuthorityWays, authorityFrom } from "./platform/authority.ts";
import { type After, withDeadline } from "./platform/limits.ts";
import type { SubmissionDeps } from "./work/due-work.ts";

export type SubmissionDeployment = Pick<ApiDeployment, "AEAT_CERTIFICATE" | "EVIDENCE" | "config">;

interface SubmissionPlace {
  readonly connectionId: string;
  readonly userAgent: string;
  readonly after: After;
  readonly log: (line: object) => void;
  readonly newOwner: () => string;
}

/** Each authority adds its ways here. */
const WAYS: AuthorityWays = { ...AEAT_WAYS };

const EVIDENCE_DEADLINE_MS = 20_000;

/** The dependencies that submit a connection's records; undefined if none are submitted. */
export function submissionDeps(
  deployment: SubmissionDeployment,
  binding: D1Database,
  { connectionId, userAgent, after, log, newOwner }: SubmissionPlace,
): SubmissionDeps | undefined {
  return configured(log, () => {
    const { config } = deployment;
    const pace = paceFrom(config.SUBMISSION_PACE, config.AEAT_TRANSPORT);
    const { timeLimitMs } = pace;
    const authority = authorityFrom(WAYS, authorityConfig(deployment), {
      fetch: (url, init) => fetch(url, init),
      ...{ after, userAgent, timeLimitMs },
    });
    if (!authority) return undefined;
    const store = submissionStore(binding, connectionId);
    return { authority, pace, store, evidence: evidenceOn(deployment, after), newOwner };
  });
}

export function evidenceOn({ EVIDENCE }: Pick<ApiDeployment, "EVIDENCE">, after: After): Evidence {
  return evidenceStore(EVIDENCE, (call) => withDeadline(call, EVIDENCE_DEADLINE_MS, after));
}

/** The part of the submission settings that the sweep needs. */
export function submits(deployment: SubmissionDeployment, log: (line: object) => void): Submits {
  const unused = { fetch, after: () => () => {}, userAgent: "", timeLimitMs: 0 };
  const authority = configured(log, () => authorityFrom(WAYS, authorityConfig(deployment), unused));
  return { isOn: authority !== undefined, wantsRepresentation: authority?.wantsRepresentation ?? false };
}

/** A contradictory configuration stops submission and alerts an operator; issuing continues. */
function configured<T>(log: (line: object) => void, make: () => T | undefined): T | undefined {
  try {
    return make();
  } catch (error) {
    const cause = error instanceof Error ? error.message : "unknown";
    log({ level: "alarm", alarm: "submission_misconfigured", cause });
    return undefined;
  }
}

function authorityConfig({ AEAT_CERTIFICATE: certificate, config }: SubmissionDeployment): AuthorityConfig {
  return {
    transport: config.AEAT_TRANSPORT,
    environment: config.AEAT_ENVIRONMENT,
    baseUrl: config.AEAT_BASE_URL,
    certificateKind: config.AEAT_CERTIFICATE_KIND,
    certificate: certificate && ((url, init) => certificate.fetch(url, init)),
    relayToken: config.AEAT_RELAY_TOKEN,
  };
}
