import { and, asc, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { COMPANY_COLUMNS, selectSeriesHeads } from "../../db/book-reads.ts";
import { type Database, fromOwnJson } from "../../db/database.ts";
import type { SeriesHead } from "../../db/ledger-state.ts";
import { account, connection, consent, installation } from "../../db/schema/ledger.ts";
import { profile, shopCallback } from "../../db/schema/orders.ts";
import { auditLog, shopInventory, shopModule, shopSetup, shopStore } from "../../db/schema/shop.ts";
import { representation } from "../../db/schema/submission.ts";
import type { ConsentEvidence } from "../../domain/connection/consent.ts";
import type { SetupState } from "../../domain/connection/setup.ts";
import { type CompanyDetails, companyDetails } from "../../domain/invoice/issuer.ts";
import type { Territory } from "../../domain/invoice/settings.ts";
import { type CivilDate, civilDate } from "../../domain/shared/civil-date.ts";
import type { Instant, TimeZone } from "../../domain/shared/instant.ts";
import { shownStore } from "../../domain/shared/shown-text.ts";
import type { RepresentationShown } from "../company/queries.ts";
import { headsFrom, present } from "../connections/queries.ts";

export function setupReads(db: Database): SetupReads {
  return {
    async readSetup(accountId, connectionId) {
      const ofConnection = and(eq(connection.id, connectionId), eq(connection.accountId, accountId));
      const [[row], stores, profiles, heads, [agreed], [granted]] = await db.batch([
        selectBasics(db, ofConnection),
        selectStores(db, connectionId, accountId),
        selectProfileStems(db, connectionId, accountId),
        selectSeriesHeads(db, connectionId),
        selectConsent(db, connectionId, accountId),
        selectRepresentation(db, accountId),
      ]);
      if (!row) return undefined;
      return {
        ...basicsOf(row),
        stores: stores.map((store) => shownStore(withoutNulls(store))),
        profileStems: profiles.map(({ stem }) => stem),
        series: headsFrom(heads),
        ...(agreed ? { consent: consentOf(agreed) } : {}),
        ...(granted ? { representation: { ...granted, signedOn: civilDate(granted.signedOn) } } : {}),
      };
    },
  };
}

function selectBasics(db: Database, ofConnection: SQL | undefined) {
  return db
    .select({
      issuer: {
        ...COMPANY_COLUMNS,
        territory: account.territory,
        timeZone: account.timeZone,
      },
      kind: connection.kind,
      name: sql<string>`${connection.name}`.as("connection_name"),
      ordinal: sql<number>`${connection.ordinal}`.as("connection_ordinal"),
      installationOrdinal: sql<number>`${installation.ordinal}`.as("installation_ordinal"),
      trial: installation.trial,
      platform: shopModule.platform,
      state: shopSetup.state,
      storeIds: shopSetup.storeIds,
      orderStem: shopSetup.orderStem,
      receivedAt: shopInventory.receivedAt,
      ordersTotal: shopInventory.ordersTotal,
      callback: shopCallback.url,
    })
    .from(connection)
    .innerJoin(account, eq(account.id, connection.accountId))
    .innerJoin(installation, and(eq(installation.connectionId, connection.id), isNull(installation.closedAt)))
    .leftJoin(shopModule, eq(shopModule.connectionId, connection.id))
    .leftJoin(shopSetup, eq(shopSetup.connectionId, connection.id))
    .leftJoin(shopInventory, eq(shopInventory.connectionId, connection.id))
    .leftJoin(shopCallback, eq(shopCallback.connectionId, connection.id))
    .where(ofConnection);
}

type Basics = Awaited<ReturnType<typeof selectBasics>>[number];

function basicsOf(row: Basics) {
  const { platform, state, storeIds, orderStem, receivedAt, ordersTotal, callback, ...rest } = row;
  const { issuer } = row;
  return {
    ...rest,
    issuer: {
      ...companyDetails(issuer),
      nif: issuer.nif,
      // The schema checks these columns' values.
      territory: issuer.territory as Territory,
      timeZone: issuer.timeZone as TimeZone,
    },
    // Only guided connections have a row, and only this service writes its state.
    setup: { state: (state ?? "configured") as SetupState, storeIds },
    hasCallback: callback !== null,
    ...(platform === null ? {} : { platform }),
    ...(orderStem === null ? {} : { orderStem }),
    ...(receivedAt === null
      ? {}
      : { inventory: { receivedAt, ...(ordersTotal === null ? {} : { ordersTotal }) } }),
  };
}

function selectStores(db: Database, connectionId: string, accountId: string) {
  return db
    .select({
      id: shopStore.storeId,
      name: sql<string | null>`${shopStore.name}`.as("store_name"),
      url: shopStore.url,
      ordersCount: shopStore.ordersCount,
    })
    .from(shopStore)
    .innerJoin(connection, eq(connection.id, shopStore.connectionId))
    .where(and(eq(shopStore.connectionId, connectionId), eq(connection.accountId, accountId)))
    .orderBy(asc(shopStore.ordinal));
}

function withoutNulls(store: Awaited<ReturnType<typeof selectStores>>[number]): SetupRead["stores"][number] {
  const { id, name, url, ordersCount } = store;
  return {
    id,
    ...(name === null ? {} : { name }),
    ...(url === null ? {} : { url }),
    ...(ordersCount === null ? {} : { ordersCount }),
  };
}

function selectProfileStems(db: Database, connectionId: string, accountId: string) {
  return db
    .select({ stem: profile.stem })
    .from(profile)
    .where(and(eq(profile.connectionId, connectionId), eq(profile.accountId, accountId)))
    .orderBy(asc(profile.createdAt), asc(profile.id));
}

function selectConsent(db: Database, connectionId: string, accountId: string) {
  const { grantedAt, grantedBy, textVersion, cutoffDate, withdrawnAt } = consent;
  return db
    .select({ grantedAt, grantedBy, textVersion, cutoffDate, withdrawnAt })
    .from(consent)
    .where(and(eq(consent.connectionId, connectionId), eq(consent.accountId, accountId)))
    .orderBy(desc(consent.grantedAt))
    .limit(1);
}

function consentOf({ withdrawnAt, cutoffDate, ...given }: Awaited<ReturnType<typeof selectConsent>>[number]) {
  const consent = { ...given, cutoffDate: civilDate(cutoffDate) };
  return withdrawnAt === null ? consent : { ...consent, withdrawnAt };
}

function selectRepresentation(db: Database, accountId: string) {
  return db
    .select({ signedBy: representation.signedBy, signedOn: representation.signedOn })
    .from(representation)
    .where(and(eq(representation.accountId, accountId), isNull(representation.withdrawnAt)));
}

/** Everything that the three steps of setup show. */
export interface SetupRead {
  readonly issuer: CompanyDetails & {
    readonly nif: string;
    readonly territory: Territory;
    readonly timeZone: TimeZone;
  };
  readonly kind: string;
  readonly name: string;
  /** As the module reported it. */
  readonly platform?: string;
  readonly setup: { readonly state: SetupState; readonly storeIds: string | null };
  readonly inventory?: { readonly receivedAt: Instant; readonly ordersTotal?: number };
  /** In inventory order. */
  readonly stores: readonly StoreRead[];
  readonly hasCallback: boolean;
  readonly ordinal: number;
  readonly installationOrdinal: number;
  /** True for a production connection opened while the company was unverified: its numbers are tests. */
  readonly trial: boolean;
  /** The owner's stem, which replaces the assigned one. */
  readonly orderStem?: string;
  readonly profileStems: readonly string[];
  readonly series: readonly SeriesHead[];
  readonly consent?: {
    readonly grantedAt: Instant;
    readonly grantedBy: string;
    readonly textVersion: string;
    readonly cutoffDate: CivilDate;
    readonly withdrawnAt?: Instant;
  };
  readonly representation?: { readonly signedBy: string; readonly signedOn: CivilDate };
}

interface StoreRead {
  readonly id: string;
  readonly name?: string;
  readonly url?: string;
  readonly ordersCount?: number;
}

export interface SetupReads {
  readSetup(accountId: string, connectionId: string): Promise<SetupRead | undefined>;
}

/** Limit of shown consents and grants; older ones remain in the audit log. */
const MOST_SHOWN = 50;

export function evidenceReads(db: Database): EvidenceReads {
  return {
    async read(accountId, connectionId) {
      const [consents, grants] = await db.batch([
        selectConsents(db, accountId, connectionId),
        db
          .select()
          .from(representation)
          .where(eq(representation.accountId, accountId))
          .orderBy(desc(representation.storedAt))
          .limit(MOST_SHOWN),
      ]);
      return {
        consents: consents.map(consentFrom),
        grants: grants.map(({ accountId: _, signedOn, withdrawnAt, ...row }) => ({
          ...row,
          signedOn: civilDate(signedOn),
          ...present({ withdrawnAt }),
        })),
      };
    },
  };
}

/** The cutoff of the audit line: the owner may later move the consent's own cutoff. */
function selectConsents(db: Database, accountId: string, connectionId: string) {
  const { id, grantedBy, grantedAt, textVersion, cutoffDate, withdrawnAt, evidence } = consent;
  const line = sql`'give_consent:' || ${consent.connectionId} || ':' || ${id}`;
  return db
    .select({
      id: sql<string>`${id}`.as("consent_id"),
      ...{ grantedBy, grantedAt, textVersion, cutoffDate, withdrawnAt, evidence },
      agreedDate: sql<string | null>`${auditLog.facts} ->> '$.cutoff_date'`.as("agreed_date"),
    })
    .from(consent)
    .leftJoin(auditLog, eq(auditLog.id, line))
    .where(and(eq(consent.connectionId, connectionId), eq(consent.accountId, accountId)))
    .orderBy(desc(consent.grantedAt))
    .limit(MOST_SHOWN);
}

function consentFrom(row: Awaited<ReturnType<typeof selectConsents>>[number]): ConsentGiven {
  const { id, grantedBy: givenBy, grantedAt: givenAt, textVersion, withdrawnAt } = row;
  const evidence = fromOwnJson<Partial<ConsentEvidence>>(row.evidence);
  return {
    ...{ id, givenBy, givenAt, textVersion },
    cutoffDate: civilDate(row.agreedDate ?? row.cutoffDate),
    ...present({ withdrawnAt }),
    ...(isWhole(evidence) ? { evidence } : {}),
  };
}

function isWhole(evidence: Partial<ConsentEvidence>): evidence is ConsentEvidence {
  return evidence.textSha256 !== undefined;
}

/** A consent with its evidence. */
export interface ConsentGiven {
  readonly id: string;
  readonly givenBy: string;
  readonly givenAt: Instant;
  readonly textVersion: string;
  /** The cutoff at the time of the consent, not the current one. */
  readonly cutoffDate: CivilDate;
  readonly withdrawnAt?: Instant;
  /** Absent for consents given outside setup. */
  readonly evidence?: ConsentEvidence;
}

export interface GrantSigned extends RepresentationShown {
  readonly id: string;
}

export interface EvidenceReads {
  /** The connection's consents and the account's grants, newest first, withdrawn ones included. */
  read(accountId: string, connectionId: string): Promise<EvidenceReading>;
}

export interface EvidenceReading {
  readonly consents: readonly ConsentGiven[];
  readonly grants: readonly GrantSigned[];
}
