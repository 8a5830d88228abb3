import type { TestRecord } from "../../../support/authority/messages.ts";

/** A code, what earns it, and the record that does; for some, what the sandbox must believe. */
export type RecordRow = readonly [code: number, why: string, record: TestRecord, control?: object];

/** Also for the whole message: its XML, or a piece that goes wherever it is sent. */
export type MessageRow = readonly [
  code: number,
  why: string,
  xml: string | Uint8Array,
  options?: MessageOptions,
];

export interface MessageOptions {
  readonly endpoint?: "VerifactuSOAP" | "RequerimientoSOAP";
  readonly contentType?: string;
  readonly method?: string;
  readonly control?: object;
}
