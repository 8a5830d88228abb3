/** A second tax authority, as its folder of `src` would have it: JSON in place of SOAP, two records a message. */
import { wantsRepresentation } from "../../../src/domain/connection/consent.ts";
import { sha256OfBytes } from "../../../src/domain/shared/hash.ts";
import type { InvoiceKey, SealedRecord } from "../../../src/domain/verifactu/record.ts";
import type {
  AnswerLine,
  AttemptResult,
  FoundRecord,
  TransportOutcome,
} from "../../../src/domain/verifactu/submission/answer.ts";
import type { MessageRequest, SubmissionMessage } from "../../../src/domain/verifactu/submission/message.ts";
import { type Operation, operationOf } from "../../../src/domain/verifactu/submission/state.ts";
import type { AuthorityDeps, AuthorityWays, Transport } from "../../../src/platform/authority.ts";

const RECORDS_PER_MESSAGE = 2;

/** One record of a message, and one line of the answer with the verdict added. */
export interface GuildRecord {
  readonly id: string;
  readonly key: InvoiceKey;
  readonly operation: Operation;
}

export interface GuildMessage {
  readonly from: string;
  readonly late: boolean;
  readonly records: readonly GuildRecord[];
}

export interface GuildAnswer {
  readonly lines: readonly (GuildRecord & Pick<AnswerLine, "state" | "code" | "text" | "duplicate">)[];
}

export const GUILD_WAYS: AuthorityWays = {
  guild: ({ baseUrl }, deps) => ({
    compose,
    transport: transportOver(deps),
    read,
    query: ({ key }) => bytesOf({ ask: key }),
    readFound: (outcome) => (outcome.outcome === "answered" ? found(outcome.bytes) : undefined),
    endpointFor: (environment) => (environment === "test" ? `${baseUrl}/records` : undefined),
    wantsRepresentation: wantsRepresentation("guild"),
  }),
};

function compose(run: readonly SealedRecord[], { issuer, incident }: MessageRequest): SubmissionMessage {
  const records = run.slice(0, RECORDS_PER_MESSAGE);
  const bytes = bytesOf({ from: issuer.issuerNif, late: incident, records: records.map(guildRecord) });
  const [from = 0] = records.map(({ position }) => position);
  return { bytes, sha256: sha256OfBytes(bytes), incident, records, from, to: from + records.length - 1 };
}

function guildRecord({ content }: SealedRecord): GuildRecord {
  return { id: content.reference, key: content.key, operation: operationOf(content) };
}

function transportOver({ fetch, userAgent }: AuthorityDeps): Transport {
  const headers = { "Content-Type": "application/json", "User-Agent": userAgent };
  return {
    async submit(bytes, endpoint): Promise<TransportOutcome> {
      const body = new Uint8Array(bytes);
      const response = await fetch(endpoint, { method: "POST", headers, body, redirect: "manual" });
      const { status } = response;
      const answer = new Uint8Array(await response.arrayBuffer());
      return { outcome: "answered", status, contentType: "application/json", bytes: answer };
    },
  };
}

function read(outcome: TransportOutcome): AttemptResult {
  if (outcome.outcome !== "answered") return { result: "no_answer", cause: outcome.outcome };
  const { lines } = textOf<GuildAnswer>(outcome.bytes);
  const read = lines.map(({ id: reference, ...line }): AnswerLine => ({ reference, ...line }));
  return { result: "answered", answer: { state: "partly_accepted", waitSeconds: 0, lines: read } };
}

function found(bytes: Uint8Array): readonly FoundRecord[] {
  return textOf<{ readonly found: readonly FoundRecord[] }>(bytes).found;
}

export function bytesOf(value: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

/** Both sides of the test write what they read. */
export function textOf<Value>(bytes: Uint8Array): Value {
  return JSON.parse(new TextDecoder().decode(bytes));
}
