import { and, asc, desc, eq, sql } from "drizzle-orm";
import { COMPANY_COLUMNS, CONTACT_COLUMNS, LOOK_COLUMNS, lookFrom, termsFrom } from "../../db/book-reads.ts";
import type { Database } from "../../db/database.ts";
import type { AuditEntry } from "../../db/ledger-state.ts";
import { account, authorisation, connection } from "../../db/schema/ledger.ts";
import { ossRate } from "../../db/schema/orders.ts";
import { auditLog } from "../../db/schema/shop.ts";
import { representation } from "../../db/schema/submission.ts";
import type { InvoiceLook } from "../../domain/brand/look.ts";
import type { Company } from "../../domain/connection/company.ts";
import { CONTACT_DETAILS, type ContactSettings, contactDetails } from "../../domain/invoice/contact.ts";
import { COMPANY_DETAILS, type CompanyDetails, companyDetails } from "../../domain/invoice/issuer.ts";
import type { Territory } from "../../domain/invoice/settings.ts";
import type { ActiveAuthorisation } from "../../domain/invoice/simplified.ts";
import type { KeptRate } from "../../domain/place/vat-rates.ts";
import { type CivilDate, civilDate } from "../../domain/shared/civil-date.ts";
import { decimal } from "../../domain/shared/decimal.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { present } from "../connections/queries.ts";

/** One authorisation is active at a time; older ones are history and remain in the audit log. */
const MOST_AUTHORISATIONS = 20;

export function companyStore(db: Database): CompanyStore {
  return {
    read: (accountId) => read(db, accountId),
    async firstConnection(accountId) {
      const [first] = await selectFirstConnection(db, accountId);
      return first?.id;
    },
    async change(accountId, { from, to }, { id, userId, at, verb, facts }) {
      const isUnchanged = hasStill(accountId, from);
      const [, changed] = await db.batch([
        // The line comes before the change, so that both statements test the company's old state.
        db.insert(auditLog).select(sql`SELECT ${id}, ${accountId}, NULL, ${userId}, ${at}, ${verb},
          ${JSON.stringify(facts)} FROM ${account} WHERE ${isUnchanged}`),
        db.update(account).set(changedIn(from, to)).where(isUnchanged).returning({ id: account.id }),
      ]);
      return changed.length > 0 ? "changed" : "behind";
    },
  };
}

/** Settings of an account, as its columns have them. */
type SettingColumns = Partial<
  Pick<
    typeof account.$inferInsert,
    keyof CompanyDetails | keyof typeof CONTACT_COLUMNS | keyof typeof LOOK_COLUMNS
  >
>;

export function columnsOfDetails(company: CompanyDetails): SettingColumns {
  const values = COMPANY_DETAILS.map((name) => [name, company[name] ?? null]);
  // Only an optional detail is null.
  return Object.fromEntries(values) as SettingColumns;
}

export function columnsOfContact({ terms, ...contact }: ContactSettings): SettingColumns {
  const values = CONTACT_DETAILS.map((name) => [name, contact[name] ?? null]);
  return { ...Object.fromEntries(values), terms: terms ? JSON.stringify(terms) : null };
}

export function columnsOfLook({ footer, look }: LookSettings): SettingColumns {
  return { footer: footer ?? null, look: look ? JSON.stringify(look) : null };
}

/** Only these: a trigger raises the version for each setting that is named. */
function changedIn(from: SettingColumns, to: SettingColumns): SettingColumns {
  const names = Object.keys(to) as (keyof SettingColumns)[];
  return Object.fromEntries(names.filter((name) => from[name] !== to[name]).map((name) => [name, to[name]]));
}

function hasStill(accountId: string, columns: SettingColumns) {
  const isSame = Object.entries(columns).map(
    ([name, value]) => sql`${account[name as keyof SettingColumns]} IS ${value}`,
  );
  return and(eq(account.id, accountId), ...isSame);
}

async function read(db: Database, accountId: string): Promise<CompanyReading | undefined> {
  const [[row], [granted], authorised, kept, [first]] = await db.batch([
    db
      .select({ ...COMPANY_COLUMNS, ...CONTACT_COLUMNS, ...LOOK_COLUMNS, territory: account.territory })
      .from(account)
      .where(eq(account.id, accountId)),
    db
      .select()
      .from(representation)
      .where(eq(representation.accountId, accountId))
      .orderBy(desc(representation.storedAt))
      .limit(1),
    db
      .select()
      .from(authorisation)
      .where(eq(authorisation.accountId, accountId))
      .orderBy(desc(authorisation.activeFrom))
      .limit(MOST_AUTHORISATIONS),
    db.select().from(ossRate).where(eq(ossRate.accountId, accountId)).orderBy(ossRate.area, ossRate.rate),
    selectFirstConnection(db, accountId),
  ]);
  if (!row) return undefined;
  return {
    ...companyDetails(row),
    nif: row.nif,
    // The schema checks this column's values.
    territory: row.territory as Territory,
    contact: { ...contactDetails(row), ...termsFrom(row) },
    appearance: { ...lookFrom(row), ...(row.footer === null ? {} : { footer: row.footer }) },
    ...(granted ? { representation: representationFrom(granted) } : {}),
    authorisations: authorised.map(authorisationFrom),
    ossRates: kept.map(ossRateFrom),
    ...(first ? { firstConnection: first.id } : {}),
  };
}

function selectFirstConnection(db: Database, accountId: string) {
  return db
    .select({ id: connection.id })
    .from(connection)
    .where(eq(connection.accountId, accountId))
    .orderBy(asc(connection.ordinal))
    .limit(1);
}

function representationFrom(row: typeof representation.$inferSelect) {
  const { documentSha256, signedBy, signedOn, storedBy, storedAt, withdrawnAt } = row;
  const stored = { documentSha256, signedBy, signedOn: civilDate(signedOn), storedBy, storedAt };
  return { ...stored, ...present({ withdrawnAt }) };
}

function authorisationFrom(row: typeof authorisation.$inferSelect) {
  const { number, limit, agreementNumber, activeFrom: openedAt, closedAt } = row;
  return { number, limit: decimal(limit), openedAt, ...present({ agreementNumber, closedAt }) };
}

function ossRateFrom({ area, rate, from, keptAt }: typeof ossRate.$inferSelect) {
  // Only areas of the rate table are ever stored.
  return { area: area as KeptRate["area"], rate: decimal(rate), from: civilDate(from), keptAt };
}

export interface RepresentationShown {
  readonly documentSha256: string;
  readonly signedBy: string;
  readonly signedOn: CivilDate;
  /** The user who stored it. */
  readonly storedBy: string;
  readonly storedAt: Instant;
  readonly withdrawnAt?: Instant;
}

interface AuthorisationShown extends ActiveAuthorisation {
  readonly openedAt: Instant;
  readonly closedAt?: Instant;
}

interface OssRateShown extends KeptRate {
  readonly keptAt: Instant;
}

export interface LookSettings {
  readonly footer?: string;
  readonly look?: InvoiceLook;
}

export interface CompanyReading extends Company {
  /** How it is reached and paid. */
  readonly contact: ContactSettings;
  /** How its invoices look. */
  readonly appearance: LookSettings;
  /** The newest grant, withdrawn or not. */
  readonly representation?: RepresentationShown;
  /** Newest first; an active one is the first. */
  readonly authorisations: readonly AuthorisationShown[];
  /** Kept rates of the one-stop shop, by place. */
  readonly ossRates: readonly OssRateShown[];
  /** The connection that was opened first. */
  readonly firstConnection?: string;
}

interface SettingsStep {
  readonly from: SettingColumns;
  readonly to: SettingColumns;
}

export interface CompanyStore {
  /** Undefined if the account does not exist. */
  read(accountId: string): Promise<CompanyReading | undefined>;
  /** The connection that was opened first; undefined before any is. */
  firstConnection(accountId: string): Promise<string | undefined>;
  /**
   * Writes the change and its audit line, or nothing if the company has changed since the read. The change
   * raises the settings' version, so that every connection decides again.
   */
  change(accountId: string, change: SettingsStep, line: AuditEntry): Promise<"changed" | "behind">;
}
