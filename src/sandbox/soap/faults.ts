/** A refused message: a SOAP fault with the code in its text. */
import type { Refusal } from "../rules/refusal.ts";
import { SOAP } from "../xml/names.ts";
import { escaped } from "../xml/write.ts";
import { type Answer, xmlAnswer } from "./answer.ts";
import { describe } from "./error-texts.ts";

/** The service's own failure: the same message may be sent again. */
const TECHNICAL = [102, 103, 3500, 3501, 4103, 4108, 4110, 4111, 4118, 4128, 4134];

export function faultAnswer(refusal: Refusal, status: number): Answer {
  const side = TECHNICAL.includes(refusal.code) ? "Server" : "Client";
  const text = `Codigo[${refusal.code}].${describe(refusal)}`;
  return xmlAnswer(
    `<?xml version="1.0" encoding="UTF-8"?>` +
      `<env:Envelope xmlns:env="${SOAP}"><env:Body><env:Fault><faultcode>env:${side}</faultcode>` +
      `<faultstring>${escaped(text)}</faultstring></env:Fault></env:Body></env:Envelope>`,
    status,
  );
}
