import { utf8ToBytes } from "@noble/hashes/utils.js";
import * as z from "zod";
import { wantsRepresentation } from "../domain/connection/consent.ts";
import type { AeatEnvironment } from "../domain/verifactu/record.ts";
import type { TransportOutcome } from "../domain/verifactu/submission/answer.ts";
import { PACE, type Pace } from "../domain/verifactu/submission/chain.ts";
import { composeMessage } from "../domain/verifactu/submission/message.ts";
import { queryXml } from "../domain/verifactu/xml/message-xml.ts";
import type {
  Authority,
  AuthorityConfig,
  AuthorityDeps,
  AuthorityWays,
  Fetch,
  Transport,
} from "../platform/authority.ts";
import { type After, readAtMost, within } from "../platform/limits.ts";
import { readAttempt, readFound } from "./read-answer.ts";

/** The ways to the AEAT: the sandbox, a certificate's binding, or a relay outside. */
export const AEAT_WAYS = {
  sandbox: (config, deps) => over(deps.fetch, deps, { transport: "sandbox", endpointFor: onlyAt(config) }),
  certificate: (config, deps) => {
    const { certificate } = config;
    if (!certificate) throw new Error("AEAT_TRANSPORT=certificate needs the binding AEAT_CERTIFICATE");
    const kind = certificateKind(config);
    const endpointFor = (environment: AeatEnvironment) => endpointOf({ environment, certificate: kind });
    return over(certificate, deps, { transport: "certificate", endpointFor });
  },
  relay: (config, deps) => {
    const { relayToken } = config;
    if (!relayToken) throw new Error("AEAT_TRANSPORT=relay needs the secret AEAT_RELAY_TOKEN");
    const fetch = withToken(deps.fetch, relayToken);
    return over(fetch, deps, { transport: "relay", endpointFor: onlyAt(config) });
  },
} as const satisfies AuthorityWays;

function over(
  fetch: Fetch,
  { after, userAgent, timeLimitMs }: AuthorityDeps,
  way: { readonly transport: string; readonly endpointFor: Authority["endpointFor"] },
): Authority {
  return {
    compose: composeMessage,
    transport: aeatTransport({ fetch, after, userAgent, timeLimitMs }),
    read: readAttempt,
    query: (query) => utf8ToBytes(queryXml(query)),
    readFound,
    endpointFor: way.endpointFor,
    wantsRepresentation: wantsRepresentation(way.transport),
  };
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

/** The certificate of a person or representative, or the seal of an entity. */
type CertificateKind = "certificate" | "seal";

interface EndpointChoice {
  readonly environment: AeatEnvironment;
  readonly certificate: CertificateKind;
  /** Another host that answers the same path: the sandbox, a relay. */
  readonly baseUrl?: string;
}

/** The ports of SistemaFacturacion.wsdl, service sfVerifactu. */
const HOSTS: Readonly<Record<AeatEnvironment, Readonly<Record<CertificateKind, string>>>> = {
  production: {
    certificate: "https://www1.agenciatributaria.gob.es",
    seal: "https://www10.agenciatributaria.gob.es",
  },
  test: { certificate: "https://prewww1.aeat.es", seal: "https://prewww10.aeat.es" },
};

const PATH = "/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP";

export function endpointOf({ environment, certificate, baseUrl }: EndpointChoice): string {
  return `${(baseUrl ?? HOSTS[environment][certificate]).replace(/\/+$/, "")}${PATH}`;
}

interface TransportDeps {
  /** The certificate's binding in production: it authenticates the issuer. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly after: After;
  readonly timeLimitMs: number;
  /** `Cuadre/1.0.0` */
  readonly userAgent: string;
  readonly answerLimitBytes?: number;
}

/** A thousand lines with the longest texts that the schema admits stay below. */
const ANSWER_LIMIT_BYTES = 8 * 1024 * 1024;

/**
 * One POST, one outcome. Redirects are not followed: after a refused certificate they lead to a page with
 * status 200.
 */
export function aeatTransport(deps: TransportDeps): Transport {
  const { fetch, after, timeLimitMs, userAgent, answerLimitBytes = ANSWER_LIMIT_BYTES } = deps;
  const headers = {
    "Content-Type": "text/xml; charset=utf-8",
    // The WSDL declares an empty action, and SOAP 1.1 wants it quoted.
    SOAPAction: '""',
    Accept: "text/xml",
    "User-Agent": userAgent,
  };
  return {
    submit: (bytes, endpoint, limitMs = timeLimitMs) =>
      within<TransportOutcome>(Math.min(limitMs, timeLimitMs), after, {
        ask: async (signal) => {
          const init = {
            method: "POST",
            headers,
            body: new Uint8Array(bytes),
            redirect: "manual",
            signal,
          } as const;
          const response = await responseOf(() => fetch(endpoint, init));
          return response ? readResponse(response, answerLimitBytes) : { outcome: "no_connection" };
        },
        late: () => ({ outcome: "timeout" }),
      }),
  };
}

/** The cause is not reported: no runtime distinguishes a refused from a broken connection reliably. */
async function responseOf(ask: () => Promise<Response>): Promise<Response | undefined> {
  try {
    return await ask();
  } catch {
    return undefined;
  }
}

async function readResponse(response: Response, limitBytes: number): Promise<TransportOutcome> {
  const { status, headers, body } = response;
  try {
    const { bytes } = body ? await readAtMost(body, { mostBytes: limitBytes }) : { bytes: new Uint8Array() };
    if (bytes === undefined) return { outcome: "too_large", status };
    const contentType = headers.get("Content-Type") ?? "";
    const seconds = /^\d{1,9}$/.exec(headers.get("Retry-After") ?? "")?.[0];
    const retry = seconds === undefined ? {} : { retryAfterSeconds: Number(seconds) };
    return { outcome: "answered", status, contentType, bytes, ...retry };
  } catch {
    return { outcome: "interrupted", status };
  }
}
