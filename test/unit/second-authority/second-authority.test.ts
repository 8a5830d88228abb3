import { expect, test } from "vitest";
import { AEAT_WAYS } from "../../../src/aeat/authority.ts";
import type {
  RunRecord,
  SettleWrite,
  SubmissionStore,
  SubmittingChain,
} from "../../../src/db/submission/submission-writes.ts";
import { invariant } from "../../../src/domain/shared/result.ts";
import type { SealedRecord } from "../../../src/domain/verifactu/record.ts";
import { type ChainSubmission, PACE } from "../../../src/domain/verifactu/submission/chain.ts";
import { type AuthorityConfig, authorityFrom } from "../../../src/platform/authority.ts";
import { submitChain } from "../../../src/work/submission/submit-records.ts";
import { AN_ISSUER } from "../../support/authority/submitter.ts";
import { aCancellation, aChain, aRegistration } from "../../support/builders/records.ts";
import { bytesOf, GUILD_WAYS, type GuildAnswer, type GuildMessage, textOf } from "./guild.ts";

const NOON = Date.parse("2026-11-27T12:00:00+01:00");
const WAYS = { ...AEAT_WAYS, ...GUILD_WAYS };

const CONFIG: AuthorityConfig = {
  transport: "guild",
  environment: "test",
  baseUrl: "https://guild.example",
  certificateKind: "",
  certificate: undefined,
  relayToken: undefined,
};

const RECORDS = aChain([
  aRegistration({ reference: "r1" }),
  aRegistration({ reference: "r2", amendment: { previousRejection: "N" } }),
  aCancellation({ reference: "r3" }),
]);

type Sent = GuildMessage | { readonly ask: object };

/** Accepts what it gets, rejects r3, and has r2 already: as the same record. */
function guildServer() {
  const sent: Sent[] = [];
  const urls: string[] = [];
  const fetch = async (url: string, { body }: RequestInit) => {
    invariant(body instanceof Uint8Array, "the way sends bytes");
    const message = textOf<Sent>(body);
    sent.push(message);
    urls.push(url);
    return new Response(new Uint8Array(bytesOf("ask" in message ? { found: ours() } : verdictOn(message))));
  };
  return { sent, urls, fetch };
}

function ours() {
  const [, record] = RECORDS;
  return record ? [{ key: record.content.key, hash: record.hash, state: "accepted" }] : [];
}

function verdictOn({ records }: GuildMessage): GuildAnswer {
  const duplicate = { petition: "p1", state: "accepted" } as const;
  const verdicts = {
    r1: { state: "accepted" },
    r2: { state: "rejected", code: 3000, text: "known", duplicate },
    r3: { state: "rejected", code: 1100, text: "wrong" },
  } as const;
  const byId: Readonly<Record<string, (typeof verdicts)[keyof typeof verdicts]>> = verdicts;
  return { lines: records.map((record) => ({ ...record, ...(byId[record.id] ?? verdicts.r1) })) };
}

/** A chain in memory: records without a final state are due. */
function aStore(records: readonly SealedRecord[]) {
  const states = new Map<string, string>();
  const settled: SettleWrite[] = [];
  let chain: ChainSubmission | undefined;
  let seq = 0;
  const open = () => records.filter(({ content }) => !states.has(content.reference));
  const run = (): RunRecord[] => open().map((sealed) => ({ sealed, wasLost: true, tries: 0 }));
  const store: SubmissionStore = {
    readChains: async () => [current()],
    readQueue: async () =>
      open().map(({ position }) => ({ position, state: "pending_submission", generatedAt: NOON })),
    readRun: async () => run(),
    readHashes: async () => [],
    begin: async (write) => {
      ({ chain, seq } = write);
      return "written";
    },
    settle: async (write) => {
      ({ chain, seq } = write);
      settled.push(write);
      for (const { position, state } of write.records) {
        const record = records.find((one) => one.position === position);
        if (record) states.set(record.content.reference, state);
      }
      return "written";
    },
    withhold: async () => "written",
    readAttempt: async () => "open",
    keepLateAnswer: async () => {},
  };
  const current = (): SubmittingChain => ({
    ...{ accountId: "ac1", installationId: "is1", environment: "test", issuer: AN_ISSUER },
    ...{ isRepresented: true, isFrozen: false, seq, chain, unsent: open().length },
  });
  return { store, states, settled, current };
}

test("the product submits to a second authority that only its own folder and its name in the ways know", async () => {
  const server = guildServer();
  const authority = authorityFrom(WAYS, CONFIG, {
    ...{ fetch: server.fetch, after: () => () => {}, userAgent: "Cuadre/1.0.0", timeLimitMs: 1_000 },
  });
  invariant(authority, "a way that is on");
  const { store, states, current } = aStore(RECORDS);
  const kept: string[] = [];
  const alarms: string[] = [];
  for (let step = 0; step < 5; step += 1) {
    await submitChain(current(), {
      ...{ store, authority, pace: PACE, now: () => NOON + step * 3_600_000, chance: () => 0 },
      evidence: { keep: async ({ part }) => void kept.push(part) },
      newOwner: () => `at${step}`,
      alertOperator: (what) => void alarms.push(what),
      log: () => {},
    });
  }
  expect(Object.fromEntries(states)).toEqual({ r1: "accepted", r2: "accepted", r3: "rejected" });
  expect(server.sent.map((one) => ("ask" in one ? "query" : one.records.map(({ id }) => id)))).toEqual([
    ["r1", "r2"],
    "query",
    ["r3"],
  ]);
  expect(new Set(server.urls)).toEqual(new Set(["https://guild.example/records"]));
  expect(kept).toEqual(["request", "answer", "request", "answer"]);
  expect(alarms).toEqual([]);
});

test("the second authority gets records of signed issuers only, and none of another environment", async () => {
  const { sent, fetch } = guildServer();
  const deps = { fetch, after: () => () => {}, userAgent: "Cuadre/1.0.0", timeLimitMs: 1_000 };
  const authority = authorityFrom(WAYS, CONFIG, deps);
  invariant(authority, "a way that is on");
  const { store, current } = aStore(RECORDS);
  const others = {
    ...{ store, authority, pace: PACE, now: () => NOON, chance: () => 0, newOwner: () => "at1" },
    ...{ evidence: { keep: async () => {} }, alertOperator: () => {}, log: () => {} },
  };
  expect(await submitChain({ ...current(), isRepresented: false }, others)).toEqual({ step: "rests" });
  expect(await submitChain({ ...current(), environment: "production" }, others)).toEqual({ step: "rests" });
  expect(sent).toEqual([]);
});

test("the AEAT's transports stay next to the new one, and an unknown name lists them all", () => {
  const deps = { fetch, after: () => () => {}, userAgent: "Cuadre/1.0.0", timeLimitMs: 1_000 };
  const choose = (transport: string) =>
    authorityFrom(WAYS, { ...CONFIG, transport, certificateKind: "seal" }, deps);
  expect(choose("off")).toBeUndefined();
  expect(choose("sandbox")?.endpointFor("test")).toContain("/VerifactuSOAP");
  expect(() => choose("toString")).toThrow(
    "AEAT_TRANSPORT is none of off, sandbox, certificate, relay, guild",
  );
});
