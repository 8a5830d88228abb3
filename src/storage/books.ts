import type { IssuingSettings, Territory } from "../domain/invoice/settings.ts";
import { civilDate } from "../domain/shared/civil-date.ts";
import { decimal } from "../domain/shared/decimal.ts";
import type { TimeZone } from "../domain/shared/instant.ts";
import type { Books, SeriesHead } from "../usecases/ports.ts";
import type { SettingsRow } from "./book-reads.ts";
import { recordFromJson } from "./stored-json.ts";

export interface BookRows {
  readonly settings: SettingsRow;
  readonly keys: readonly { readonly hash: string }[];
  readonly series: readonly { readonly code: string; readonly number: number | null; readonly date: string | null }[];
  readonly head: { readonly position: number; readonly hash: string; readonly content: string } | undefined;
}

export function booksOf({ settings, keys, series, head }: BookRows): Books {
  const content = head ? recordFromJson(head.content) : undefined;
  return {
    gate: { keyHashes: keys.map((key) => key.hash), rateLimit: settings.connection.rateLimit },
    settings: settingsOf(settings),
    frozen: settings.account.frozen !== 0,
    seq: settings.seq ?? 0,
    ...(head && content
      ? {
          chain: {
            position: head.position,
            hash: head.hash,
            key: content.key,
            generatedAt: content.generatedAt,
          },
        }
      : {}),
    series: series.flatMap(seriesHead),
  };
}

function settingsOf({ account, connection, installation, authorisation, consented }: SettingsRow): IssuingSettings {
  const { legalName: name, nif, address1, postcode, city } = account;
  return {
    version: account.settingsVersion,
    accountId: account.id,
    issuer: { name, nif, address1, postcode, city },
    timeZone: asTimeZone(account.timeZone),
    territory: asTerritory(account.territory),
    defaultRegime: account.defaultRegime,
    multipleIssuers: account.multipleIssuers,
    ...(authorisation
      ? {
          authorisation: {
            number: authorisation.number,
            limit: decimal(authorisation.limit),
            ...(authorisation.agreementNumber === null ? {} : { agreementNumber: authorisation.agreementNumber }),
          },
        }
      : {}),
    connectionOrdinal: connection.ordinal,
    connectionKind: connection.kind,
    consented: consented === 1,
    ...(installation
      ? {
          installation: {
            id: installation.id,
            ordinal: installation.ordinal,
            number: installation.number,
            environment: installation.environment === "production" ? "production" : "test",
          },
        }
      : {}),
  };
}

/** A series row without an invoice cannot stand: it is written in the batch of its first number. */
function seriesHead(row: BookRows["series"][number]): SeriesHead[] {
  if (row.number === null || row.date === null) return [];
  return [{ code: row.code, number: row.number, date: civilDate(row.date) }];
}

/** The schema checks the values of these columns. */
function asTimeZone(text: string): TimeZone {
  return text as TimeZone;
}

function asTerritory(text: string): Territory {
  return text as Territory;
}
