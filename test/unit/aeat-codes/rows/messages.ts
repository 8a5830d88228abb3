/** Rules about chains, messages and queries as a whole. */
import type { Written } from "./structure.ts";
import { element, inner, texts } from "./xml.ts";

type Row<Judged> = readonly [codes: readonly number[], what: string, holds: (judged: Judged) => boolean];

export const IN_CHAINS: readonly Row<readonly Written[]>[] = [
  [
    [2007],
    "only the first record is a first record",
    (written) =>
      written.every(
        ({ record }, index) => (element(record, "PrimerRegistro") !== undefined) === (index === 0),
      ),
  ],
];

export const IN_MESSAGES: readonly Row<string>[] = [
  [[4114], "has 1 to 1000 records", (message) => between(inner(message, "RegistroFactura").length, 1, 1000)],
  [
    [4136, 4137],
    "has one registration or annulment in each place for one",
    (message) =>
      inner(message, "RegistroFactura").every((place) =>
        /^<sf:(RegistroAlta|RegistroAnulacion)>(?:(?!<sf:Registro(?:Alta|Anulacion)>).)*<\/sf:\1>$/s.test(
          place,
        ),
      ),
  ],
  [
    [4119, 4138],
    "is text that UTF-8 can carry, and says so once",
    (message) =>
      message.isWellFormed() && message.split('<?xml version="1.0" encoding="UTF-8"?>').length === 2,
  ],
];

export const IN_QUERIES: readonly Row<string>[] = [
  [
    [1248],
    "asks for a month",
    (query) => texts(query, "Periodo").every((text) => /^(0[1-9]|1[0-2])$/.test(text)),
  ],
  [
    [1249, 1250, 1261, 1270, 1271, 1272],
    "asks as the issuer, for one invoice by its number and day",
    (query) =>
      !/IndicadorRepresentante|RangoFechaExpedicion|Destinatario|MostrarNombreRazonEmisor|MostrarSistema/.test(
        query,
      ),
  ],
];

function between(count: number, least: number, most: number): boolean {
  return count >= least && count <= most;
}
