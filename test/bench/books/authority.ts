/** A tax authority within the process: it takes every record, most of them without a word. */

import type { AnswerLine } from "../../../src/domain/verifactu/submission/answer.ts";
import { composeMessage } from "../../../src/domain/verifactu/submission/message.ts";
import type { Authority } from "../../../src/platform/authority.ts";
import type { Chance } from "./chance.ts";

const REJECTED = 0.004;
const ACCEPTED_WITH_ERRORS = 0.012;
const decoder = new TextDecoder();
const NO_BYTES = new Uint8Array();

export interface CountedAuthority extends Authority {
  /** Total size of the messages so far. */
  readonly sent: { messages: number; bytes: number };
}

export function authorityOf(chance: Chance): CountedAuthority {
  const sent = { messages: 0, bytes: 0 };
  let lines: readonly AnswerLine[] = [];
  return {
    sent,
    compose: composeMessage,
    query: () => NO_BYTES,
    transport: {
      async submit(bytes) {
        sent.messages += 1;
        sent.bytes += bytes.length;
        lines = linesOf(decoder.decode(bytes), chance);
        return { outcome: "answered", status: 200, contentType: "text/xml", bytes: NO_BYTES };
      },
    },
    read: () => ({
      result: "answered",
      answer: { csv: "A-CSV", waitSeconds: 60, state: "partly_accepted", lines },
    }),
    readFound: () => undefined,
    endpointFor: () => "https://authority.example",
    wantsRepresentation: false,
  };
}

const RECORD = /<sf:Registro(Alta|Anulacion)[ >].*?<\/sf:Registro\1>/gs;

function linesOf(message: string, chance: Chance): AnswerLine[] {
  return Array.from(message.matchAll(RECORD), ([record, kind]) => {
    const isIssue = kind === "Alta";
    const part = (name: string) => new RegExp(`<sf:${name}>([^<]*)<`).exec(record)?.[1] ?? "";
    const ending = isIssue ? "" : "Anulada";
    return {
      reference: part("RefExterna"),
      key: {
        issuerNif: part(`IDEmisorFactura${ending}`),
        number: part(`NumSerieFactura${ending}`),
        date: part(`FechaExpedicionFactura${ending}`),
      },
      operation: {
        kind: isIssue ? "ALTA" : "ANULACION",
        ...{ amends: false, previousRejection: "N", withoutPreviousRecord: false },
      },
      ...fateOf(chance.next()),
    } as const;
  });
}

function fateOf(fate: number): Pick<AnswerLine, "state" | "code" | "text"> {
  if (fate < REJECTED) return { state: "rejected", code: 1100, text: "Valor o tipo incorrecto del campo." };
  if (fate < REJECTED + ACCEPTED_WITH_ERRORS) {
    return { state: "accepted_with_errors", code: 2004, text: "Fecha y hora de generación." };
  }
  return { state: "accepted" };
}
