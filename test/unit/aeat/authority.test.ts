/** The transport of records by configuration; a contradictory one names its mistake. */
import { describe, expect, test } from "vitest";
import { AEAT_WAYS, paceFrom } from "../../../src/aeat/authority.ts";
import { PACE } from "../../../src/domain/verifactu/submission/chain.ts";
import { type AuthorityConfig, authorityFrom } from "../../../src/platform/authority.ts";

const PATH = "/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP";

const CONFIG: AuthorityConfig = {
  transport: "certificate",
  environment: "test",
  baseUrl: "",
  certificateKind: "seal",
  certificate: undefined,
  relayToken: undefined,
};

interface Asked {
  readonly url: string;
  readonly authorization: string | null;
  readonly redirect: string | undefined;
}

/** Says through which of two ways a message went, and with which headers. */
function lines() {
  const asked: (Asked & { readonly line: string })[] = [];
  const line = (name: string) => async (url: string, init: RequestInit) => {
    const { headers, redirect } = init;
    asked.push({ line: name, url, authorization: new Headers(headers).get("Authorization"), redirect });
    return new Response("", { status: 429 });
  };
  return { asked, certificate: line("certificate"), open: line("open") };
}

function authorityOver(change: Partial<AuthorityConfig>) {
  const { asked, certificate, open } = lines();
  const authority = authorityFrom(
    AEAT_WAYS,
    { ...CONFIG, certificate, ...change },
    { fetch: open, after: () => () => {}, userAgent: "Cuadre/1.0.0", timeLimitMs: 1_000 },
  );
  return { asked, authority };
}

test("off: nothing is submitted", () => {
  expect(authorityOver({ transport: "off" }).authority).toBeUndefined();
});

describe("a certificate", () => {
  test.each([
    ["production", "certificate", "https://www1.agenciatributaria.gob.es"],
    ["production", "seal", "https://www10.agenciatributaria.gob.es"],
    ["test", "certificate", "https://prewww1.aeat.es"],
    ["test", "seal", "https://prewww10.aeat.es"],
  ] as const)("%s, %s: %s through its binding", async (environment, certificateKind, host) => {
    const { asked, authority } = authorityOver({ certificateKind });
    const endpoint = authority?.endpointFor(environment);
    expect(endpoint).toBe(`${host}${PATH}`);
    expect(authority?.wantsRepresentation).toBe(true);
    await authority?.transport.submit(new Uint8Array([1]), endpoint ?? "");
    expect(asked).toEqual([
      { line: "certificate", url: `${host}${PATH}`, authorization: null, redirect: "manual" },
    ]);
  });
});

describe("a relay", () => {
  const RELAY = { transport: "relay", baseUrl: "https://relay.example/", relayToken: "secret" };

  test("gets the token, and asks for the grant as the AEAT would", async () => {
    const { asked, authority } = authorityOver(RELAY);
    expect(authority?.wantsRepresentation).toBe(true);
    const endpoint = authority?.endpointFor("test") ?? "";
    await authority?.transport.submit(new Uint8Array([1]), endpoint);
    const url = `https://relay.example${PATH}`;
    expect(asked).toEqual([{ line: "open", url, authorization: "Bearer secret", redirect: "manual" }]);
  });

  test("takes records of its own environment only", () => {
    expect(authorityOver(RELAY).authority?.endpointFor("production")).toBeUndefined();
    expect(authorityOver({ ...RELAY, environment: "production" }).authority?.endpointFor("test")).toBe(
      undefined,
    );
  });
});

test("the sandbox: no grant, no token, and its own environment only", async () => {
  const sandbox = { transport: "sandbox", baseUrl: "http://127.0.0.1:8789" };
  const { asked, authority } = authorityOver(sandbox);
  expect(authority?.wantsRepresentation).toBe(false);
  expect(authority?.endpointFor("production")).toBeUndefined();
  await authority?.transport.submit(new Uint8Array([1]), authority.endpointFor("test") ?? "");
  const url = `http://127.0.0.1:8789${PATH}`;
  expect(asked).toEqual([{ line: "open", url, authorization: null, redirect: "manual" }]);
});

test.each([
  ["no binding", { transport: "certificate", certificate: undefined }, "needs the binding AEAT_CERTIFICATE"],
  ["an unknown kind", { certificateKind: "sello" }, "neither certificate nor seal"],
  ["no token", { transport: "relay", baseUrl: "https://relay.example" }, "needs the secret AEAT_RELAY_TOKEN"],
  ["no address of the relay", { transport: "relay", relayToken: "x" }, "AEAT_BASE_URL must be the URL"],
  ["no address of the sandbox", { transport: "sandbox" }, "AEAT_BASE_URL must be the URL"],
  ["an unknown way", { transport: "on" }, "none of off, sandbox, certificate, relay"],
])("%s is reported", (_, change, problem) => {
  expect(() => authorityOver(change)).toThrow(problem);
});

describe("the pace", () => {
  test("is the law's where nothing is said", () => {
    expect(paceFrom("", "certificate")).toBe(PACE);
    expect(PACE).toEqual({
      initialWaitSeconds: 60,
      backOffMs: [60_000, 120_000, 240_000, 480_000, 900_000],
      stoppedRetryMs: 3_600_000,
      timeLimitMs: 120_000,
    });
  });

  test("a faster sandbox pace is used, as configured", () => {
    expect(paceFrom('{"initialWaitSeconds":2}', "sandbox")).toEqual({ ...PACE, initialWaitSeconds: 2 });
  });

  test.each([
    ["certificate", "{}"],
    ["relay", "{}"],
    ["sandbox", "2"],
    ["sandbox", "{"],
    ["sandbox", '{"waits":2}'],
    ["sandbox", '{"backOffMs":[]}'],
    ["sandbox", '{"timeLimitMs":0}'],
  ])("of %s is not %s", (transport, text) => {
    expect(() => paceFrom(text, transport)).toThrow();
  });
});
