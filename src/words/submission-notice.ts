import { type Instant, localTime, type TimeZone } from "../domain/shared/instant.ts";
import type { Bilingual, Language } from "./language.ts";

/** A notice that an owner sees on every page until its cause ends. */
export interface SubmissionNotice {
  readonly notice: "unsent" | "representation";
  readonly title: string;
  readonly body: string;
}

interface SubmissionFacts {
  readonly chains: readonly { readonly unsent: number; readonly incidentSince?: Instant }[];
  readonly representationPending: boolean;
  readonly timeZone: TimeZone;
}

/**
 * Article 16.4 Orden HAC/1177/2024: from the first failure until nothing is unsent, the notice says that an
 * incident stops submission, since when, and how many records wait. A missing signature comes first,
 * because nothing is submitted without it.
 */
export function submissionNotice(
  { chains, representationPending, timeZone }: SubmissionFacts,
  language: Language,
  now: Instant,
): SubmissionNotice | undefined {
  if (representationPending) {
    const unsent = total(chains.map((chain) => chain.unsent));
    if (unsent === 0) return undefined;
    const body = `${waiting(unsent)[language]} ${SIGN[language]}`;
    return { notice: "representation", title: SIGNATURE_MISSING[language], body };
  }
  const stopped = chains.filter((chain) => chain.incidentSince !== undefined && chain.unsent > 0);
  if (stopped.length === 0) return undefined;
  const since = Math.min(...stopped.map((chain) => chain.incidentSince ?? now));
  const opening = INCIDENT[language].replace("{since}", sinceText(since, language, { now, timeZone }));
  const title = `${opening} ${stillToSend(total(stopped.map((chain) => chain.unsent)))[language]}`;
  return { notice: "unsent", title, body: KEEP_TRYING[language] };
}

const INCIDENT: Bilingual = {
  es: "Una incidencia impide enviar a la AEAT desde {since}.",
  en: "A technical incident has stopped submission to the AEAT since {since}.",
};

const KEEP_TRYING: Bilingual = {
  es: "Lo seguimos intentando; no tienes que hacer nada y puedes seguir vendiendo.",
  en: "We keep trying; there is nothing you need to do, and you can go on selling.",
};

const SIGNATURE_MISSING: Bilingual = {
  es: "Falta tu firma para enviar registros a la AEAT",
  en: "Your signature is missing to send records to the AEAT",
};

const SIGN: Bilingual = {
  es: "VERI*FACTU exige enviarlos al momento: firma la representación cuanto antes.",
  en: "VERI*FACTU requires sending at once: sign the representation as soon as you can.",
};

function stillToSend(count: number): Bilingual {
  return count === 1
    ? { es: "Falta 1 registro por enviar.", en: "1 record is still to be sent." }
    : {
        es: `Faltan ${figure(count, "es")} registros por enviar.`,
        en: `${figure(count, "en")} records are still to be sent.`,
      };
}

function waiting(count: number): Bilingual {
  return count === 1
    ? { es: "Hay 1 registro sin enviar.", en: "1 record is waiting." }
    : {
        es: `Hay ${figure(count, "es")} registros sin enviar.`,
        en: `${figure(count, "en")} records are waiting.`,
      };
}

/** «las 11:36» of today, «el 26 de noviembre a las 11:36» of another day, in the issuer's zone. */
function sinceText(
  since: Instant,
  language: Language,
  { now, timeZone }: { readonly now: Instant; readonly timeZone: TimeZone },
): string {
  const { date, timestamp } = localTime(since, timeZone);
  const time = timestamp.slice(11, 16);
  const es = `${time.startsWith("01:") ? "la" : "las"} ${time.replace(/^0/, "")}`;
  if (date === localTime(now, timeZone).date) return language === "es" ? es : time;
  const day = dayFormat(language).format(Date.parse(date));
  return language === "es" ? `el ${day} a ${es}` : `${day} at ${time}`;
}

/** Made on first use: a formatter takes a tenth of a Worker's start. */
const days = new Map<Language, Intl.DateTimeFormat>();

function dayFormat(language: Language): Intl.DateTimeFormat {
  const locale = language === "es" ? "es" : "en-GB";
  const made =
    days.get(language) ?? new Intl.DateTimeFormat(locale, { day: "numeric", month: "long", timeZone: "UTC" });
  days.set(language, made);
  return made;
}

function figure(count: number, language: Language): string {
  return new Intl.NumberFormat(language).format(count);
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
