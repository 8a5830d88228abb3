/** A message answered as asked for: before or after its records are stored, and not with the truth. */
import { type Answer, faultAnswer, htmlAnswer, xmlAnswer } from "../soap/answer.ts";
import type { Control, Misbehaviour } from "./control.ts";

/** Longer than any client's limit: large messages may need two minutes. */
const TIMEOUT_MS = 150_000;
const SLOW_MS = 5_000;

/** The redirect target after a refused certificate. */
export const CERTIFICATE_PAGE = "/erro4011.html";

export interface Exchange {
  readonly misbehaviour: Misbehaviour;
  readonly faultStatus: Control["fault_status"];
  /** The answer without misbehaviour. */
  readonly honest: () => Promise<Answer>;
  readonly wait: (milliseconds: number) => Promise<void>;
}

export async function misbehave(exchange: Exchange): Promise<Answer> {
  const { misbehaviour, honest, wait } = exchange;
  const { fault, when, delay_ms: delay } = misbehaviour;
  if (fault === "none") return honest();
  if (fault === "slow" && when !== "after_storing") {
    await wait(delay ?? SLOW_MS);
    return honest();
  }
  const isStored = when === "after_storing" || fault === "truncated";
  const answer = isStored ? await honest() : undefined;
  await wait(delay ?? (fault === "timeout" ? TIMEOUT_MS : fault === "slow" ? SLOW_MS : 0));
  return distorted(exchange, answer);
}

/** `answer`: the honest one, where the records are stored. */
function distorted({ misbehaviour, faultStatus }: Exchange, answer: Answer | undefined): Answer {
  const { fault, status, code } = misbehaviour;
  const half = answer?.body.slice(0, answer.body.length / 2) ?? "";
  switch (fault) {
    case "timeout":
      return errorPage(504);
    case "http_error":
      return errorPage(status ?? 500);
    case "html":
      return htmlAnswer(page("Servicio no disponible", "Inténtelo de nuevo más tarde."), 200);
    case "redirect":
      return { ...htmlAnswer("", 302), location: CERTIFICATE_PAGE };
    case "empty":
      return xmlAnswer("");
    case "truncated":
      return xmlAnswer(half);
    case "closed":
      return { ...xmlAnswer(half), isBroken: true };
    case "soap_fault":
      return faultAnswer({ code: code ?? 102 }, faultStatus);
    case "slow":
    case "none":
      return answer ?? errorPage(500);
  }
}

function errorPage(status: number): Answer {
  return htmlAnswer(page(`Error ${status}`, "La petición no se ha podido atender."), status);
}

/** A page for people, not an answer of the service. */
export function page(title: string, text: string): string {
  return (
    `<!DOCTYPE html><html lang="es"><head><meta charset="utf-8"><title>${title}</title></head>` +
    `<body><h1>${title}</h1><p>${text}</p></body></html>`
  );
}
