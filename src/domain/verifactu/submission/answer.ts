import type { InvoiceKey } from "../record.ts";
import type { Operation } from "./state.ts";

/** RespuestaRegFactuSistemaFacturacion in our terms. Only its lines decide about records. */
export interface SubmissionAnswer {
  /** Proof that the message was taken; absent when every record was rejected. */
  readonly csv?: string;
  /** TimestampPresentacion: the authority's clock. */
  readonly presentedAt?: string;
  /** TiempoEsperaEnvio; absent when it is empty. */
  readonly waitSeconds?: number;
  /** EstadoEnvio */
  readonly state: "accepted" | "partly_accepted" | "rejected";
  readonly lines: readonly AnswerLine[];
}

/** RespuestaLinea */
export interface AnswerLine {
  /** RefExterna as echoed: our id of the record. */
  readonly reference?: string;
  readonly key: InvoiceKey;
  readonly operation: Operation;
  readonly state: "accepted" | "accepted_with_errors" | "rejected";
  readonly code?: number;
  readonly text?: string;
  readonly duplicate?: DuplicateOf;
}

/** RegistroDuplicado: the state of the invoice at the authority. */
export interface DuplicateOf {
  readonly petition: string;
  readonly state: "accepted" | "accepted_with_errors" | "annulled";
  readonly code?: number;
  readonly text?: string;
}

/** A whole message refused. */
export interface SubmissionFault {
  /** If the client is at fault, the authority has stored nothing of the message. */
  readonly side: "client" | "server";
  /** Absent when the text has none. */
  readonly code?: number;
  readonly text: string;
}

/** Why the response is no answer. It decides about no record and is never a refusal. */
export type NoAnswerCause =
  /** The connection broke off, or its progress is unknown. */
  | "no_connection"
  | "timeout"
  | "interrupted"
  | "too_large"
  /** A redirect, or a page that forbids: how a certificate is refused. */
  | "certificate_refused"
  | "http_status"
  | "not_xml"
  | "malformed"
  /** XML, but not the service's answer. */
  | "unexpected_xml"
  /** A response with lines that do not match the records sent. */
  | "mismatch"
  /** The sender has died: the lease has expired. */
  | "abandoned";

export type AttemptResult =
  | { readonly result: "answered"; readonly answer: SubmissionAnswer }
  | { readonly result: "fault"; readonly fault: SubmissionFault }
  /** The one case in which nothing has arrived for sure: 429. */
  | { readonly result: "not_delivered"; readonly retryAfterSeconds?: number }
  | { readonly result: "no_answer"; readonly cause: NoAnswerCause; readonly status?: number };

/** The raw HTTP outcome, before parsing. `no_connection`: none was made, or it broke. */
export type TransportOutcome =
  | {
      readonly outcome: "answered";
      readonly status: number;
      readonly contentType: string;
      readonly bytes: Uint8Array;
      readonly retryAfterSeconds?: number;
    }
  | { readonly outcome: "too_large" | "interrupted"; readonly status: number }
  | { readonly outcome: "no_connection" | "timeout" };
