import * as z from "zod";
import type { Authority } from "../db/submission/submission-ports.ts";
import { wantsRepresentation } from "../domain/connection/representation.ts";
import type { AeatEnvironment } from "../domain/verifactu/qr-url.ts";
import { PACE, type Pace } from "../domain/verifactu/submission/pace.ts";
import type { After } from "../platform/within.ts";
import { type CertificateKind, endpointOf } from "./endpoints.ts";
import { readFound } from "./query-answer.ts";
import { readAttempt } from "./read-answer.ts";
import { aeatTransport } from "./submit-message.ts";

export interface AuthorityConfig {
  readonly transport: string;
  /** The environment of this deployment: the sandbox and a relay serve only one. */
  readonly environment: string;
  readonly baseUrl: string;
  readonly certificateKind: string;
  /** The fetch of the certificate's binding. */
  readonly certificate: Fetch | undefined;
  readonly relayToken: string | undefined;
}

export interface AuthorityDeps {
  readonly fetch: Fetch;
  readonly after: After;
  readonly userAgent: string;
  readonly timeLimitMs: number;
}

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Undefined where nothing is submitted. Throws where the configuration contradicts itself. */
export function authorityFrom(config: AuthorityConfig, deps: AuthorityDeps): Authority | undefined {
  const { transport, certificate, relayToken } = config;
  switch (transport) {
    case "off":
      return undefined;
    case "certificate": {
      if (!certificate) throw new Error("AEAT_TRANSPORT=certificate needs the binding AEAT_CERTIFICATE");
      const kind = certificateKind(config);
      const endpointFor = (environment: AeatEnvironment) => endpointOf({ environment, certificate: kind });
      return over(certificate, deps, { endpointFor, wantsRepresentation: wantsRepresentation(transport) });
    }
    case "sandbox":
      return over(deps.fetch, deps, {
        endpointFor: onlyAt(config),
        wantsRepresentation: wantsRepresentation(transport),
      });
    case "relay":
      if (!relayToken) throw new Error("AEAT_TRANSPORT=relay needs the secret AEAT_RELAY_TOKEN");
      return over(withToken(deps.fetch, relayToken), deps, {
        endpointFor: onlyAt(config),
        wantsRepresentation: wantsRepresentation(transport),
      });
    default:
      throw new Error("AEAT_TRANSPORT is none of off, sandbox, certificate, relay");
  }
}

function over(
  fetch: Fetch,
  { after, userAgent, timeLimitMs }: AuthorityDeps,
  way: Pick<Authority, "endpointFor" | "wantsRepresentation">,
): Authority {
  const transport = aeatTransport({ fetch, after, userAgent, timeLimitMs });
  return { ...way, transport, read: readAttempt, readFound };
}

/** If only the host distinguished environments, one wrong setting could submit real records. */
function onlyAt(config: AuthorityConfig): Authority["endpointFor"] {
  const { baseUrl } = config;
  if (!URL.canParse(baseUrl)) throw new Error("AEAT_BASE_URL must be the URL of the sandbox or the relay");
  const certificate = certificateKind(config);
  return (environment) =>
    environment === config.environment ? endpointOf({ environment, certificate, baseUrl }) : undefined;
}

function certificateKind({ certificateKind: kind }: AuthorityConfig): CertificateKind {
  if (kind === "certificate" || kind === "seal") return kind;
  throw new Error("AEAT_CERTIFICATE_KIND is neither certificate nor seal");
}

function withToken(fetch: Fetch, token: string): Fetch {
  return (url, init) => {
    const headers = new Headers(init.headers);
    headers.set("Authorization", `Bearer ${token}`);
    return fetch(url, { ...init, headers });
  };
}

const paceSchema = z.strictObject({
  initialWaitSeconds: z.int().min(0).max(9_999).optional(),
  backOffMs: z.array(z.int().min(1)).min(1).optional(),
  stoppedRetryMs: z.int().min(1).optional(),
  timeLimitMs: z.int().min(1).optional(),
});

/** The legal pace by default. Another one is for the sandbox only. */
export function paceFrom(text: string, transport: string): Pace {
  if (text === "") return PACE;
  if (transport !== "sandbox") throw new Error("SUBMISSION_PACE is for AEAT_TRANSPORT=sandbox only");
  const { initialWaitSeconds, backOffMs, stoppedRetryMs, timeLimitMs } = paceIn(text);
  return {
    initialWaitSeconds: initialWaitSeconds ?? PACE.initialWaitSeconds,
    backOffMs: backOffMs ?? PACE.backOffMs,
    stoppedRetryMs: stoppedRetryMs ?? PACE.stoppedRetryMs,
    timeLimitMs: timeLimitMs ?? PACE.timeLimitMs,
  };
}

/** The messages of both parsers quote what they read. */
function paceIn(text: string): z.output<typeof paceSchema> {
  try {
    return paceSchema.parse(JSON.parse(text));
  } catch {
    throw new Error("SUBMISSION_PACE is no JSON of the four members that it may have");
  }
}
