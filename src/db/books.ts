import { SETUP_STATES, type Setup, UNGUIDED } from "../domain/connection/setup.ts";
import { isProven } from "../domain/connection/verification.ts";
import type { IssuingSettings, Territory } from "../domain/invoice/settings.ts";
import { civilDate } from "../domain/shared/civil-date.ts";
import { decimal } from "../domain/shared/decimal.ts";
import type { TimeZone } from "../domain/shared/instant.ts";
import { invariant } from "../domain/shared/result.ts";
import { ACCESS_UNTOUCHED, type CustomerAccess } from "../domain/viewer/access.ts";
import type { SettingsRow } from "./book-reads.ts";
import type { AdmissionFacts, LedgerState, SeriesHead } from "./ledger-state.ts";
import { type ProfileRow, sellingOf } from "./selling.ts";
import { recordFromJson } from "./stored-json.ts";

export interface BookRows {
  readonly settings: SettingsRow;
  readonly keys: readonly { readonly hash: string }[];
  readonly series: readonly {
    readonly code: string;
    readonly number: number | null;
    readonly date: string | null;
  }[];
  readonly profiles: readonly ProfileRow[];
  readonly tagRules: readonly { readonly tag: string; readonly action: string }[];
  readonly head: { readonly position: number; readonly hash: string; readonly content: string } | undefined;
}

export function booksOf(rows: BookRows): LedgerState {
  const { settings, keys, series, head } = rows;
  const content = head ? recordFromJson(head.content) : undefined;
  return {
    admission: gateOf(settings, keys),
    settings: settingsOf(settings),
    selling: sellingOf(rows),
    frozen: settings.frozen !== 0,
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

function gateOf(row: SettingsRow, keys: BookRows["keys"]): AdmissionFacts {
  return {
    keyHashes: keys.map((key) => key.hash),
    rateLimit: row.rateLimit ?? undefined,
    sendsTests: row.trial === true || !isProven(row.verification),
    connectionKind: row.kind,
    setup: setupOf(row),
    access: accessOf(row),
    leavingOrigins: [],
    refusedOrigins: [],
  };
}

export function accessOf(row: {
  readonly accessIsOn: number | null;
  readonly epoch: number | null;
}): CustomerAccess {
  if (row.accessIsOn === null || row.epoch === null) return ACCESS_UNTOUCHED;
  return { isOn: row.accessIsOn === 1, epoch: row.epoch };
}

/** A connection without a row was opened without guide. */
export function setupOf(row: {
  readonly setupState: string | null;
  readonly storeIds: string | null;
}): Setup {
  if (row.setupState === null) return UNGUIDED;
  const state = SETUP_STATES.find((one) => one === row.setupState);
  invariant(state, "a setup is in one of its states");
  return { state, storeIds: row.storeIds };
}

function settingsOf(row: SettingsRow): IssuingSettings {
  const { legalName: name, nif, address1, postcode, city, registry } = row;
  return {
    version: row.settingsVersion ?? 0,
    accountId: row.accountId ?? "",
    issuer: { name, nif, address1, postcode, city, ...(registry === null ? {} : { registry }) },
    timeZone: asTimeZone(row.timeZone),
    territory: asTerritory(row.territory),
    defaultRegime: row.defaultRegime,
    multipleIssuers: row.multipleIssuers,
    ...authorisationOf(row),
    connectionOrdinal: row.ordinal ?? 0,
    connectionKind: row.kind,
    consented: row.consented === 1,
    verified: isProven(row.verification),
    ...(row.issuingEndsAt === null ? {} : { issuingEndsAt: row.issuingEndsAt }),
    ...installationOf(row),
  };
}

function authorisationOf(row: SettingsRow): Pick<IssuingSettings, "authorisation"> {
  const { authorisationNumber: number, authorisationLimit: limit, agreementNumber } = row;
  if (number === null || limit === null) return {};
  return {
    authorisation: {
      number,
      limit: decimal(limit),
      ...(agreementNumber === null ? {} : { agreementNumber }),
    },
  };
}

function installationOf(row: SettingsRow): Pick<IssuingSettings, "installation"> {
  const { installationId: id, installationOrdinal: ordinal, installationNumber: number } = row;
  if (id === null || ordinal === null || number === null) return {};
  const environment = row.environment === "production" ? "production" : "test";
  return { installation: { id, ordinal, number, environment, trial: row.trial === true } };
}

/** A series row without an invoice cannot exist: it is written in the batch of its first number. */
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
