import type { Database } from "../../db/database.ts";
import type { FencedStatement } from "../../db/fence.ts";
import type {
  AdmissionFacts,
  ChangedBy,
  ChangeOwner,
  DeliveryQuery,
  ErasureQuery,
  ErasureReading,
  OwnerReading,
  StoredInvoice,
  WriteChange,
} from "../../db/ledger-state.ts";
import { CALLBACK_URL_REFUSALS, type CallbackUrlPolicy } from "../../domain/callback/url.ts";
import type { ActivityArea } from "../../domain/connection/activity-areas.ts";
import type { RandomBytes } from "../../domain/connection/ids.ts";
import type { OwnerRefusal } from "../../domain/connection/owner-verbs.ts";
import { refuse } from "../../domain/invoice/refusal.ts";
import type { IssuingSettings } from "../../domain/invoice/settings.ts";
import { DECLARED_BYTES } from "../../domain/limits.ts";
import type { CivilDate } from "../../domain/shared/civil-date.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { Confirmed } from "../../domain/shop/backfill.ts";
import type { SealedSecret, ShopUrlPolicy } from "../../domain/shop/connected-shop.ts";

/** Known without a read: the object's memory and its environment. */
export interface VerbScope {
  /** Settings of the account, as the fence will prove them. */
  readonly settings: IssuingSettings;
  readonly keyHashes: readonly string[];
  readonly now: Instant;
  readonly today: CivilDate;
  readonly random: RandomBytes;
  /** Number of the ledger, part of every id made in it. */
  readonly ledger: string;
  readonly connectionId: string;
  /** Decides which addresses may be called; throws while that is unknown. */
  readonly callbackPolicy: () => CallbackUrlPolicy;
  /** The same for the shops that are fetched from. */
  readonly shopPolicy: () => ShopUrlPolicy;
}

export interface OwnerScope extends VerbScope {
  readonly reading: OwnerReading;
}

/** Reads of the object; each is one round trip. */
export interface VerbReads {
  readonly owner: (delivery: DeliveryQuery | undefined) => Promise<OwnerReading>;
  readonly erasure: (query: ErasureQuery) => Promise<ErasureReading>;
  readonly invoice: (invoiceId: string) => Promise<StoredInvoice | undefined>;
  /** How many orders of the backfill's list are selected, and how many ids cannot be confirmed. */
  readonly backfill: (selected: Confirmed) => Promise<{ readonly orders: number; readonly unknown: number }>;
  /** Seals what a shop entrusts to the connection; it reads nothing. */
  readonly vault: SecretSealing;
}

interface SecretSealing {
  seal(field: string, text: string): Promise<SealedSecret>;
  open(field: string, sealed: SealedSecret): Promise<string | undefined>;
}

interface Shown {
  /** Shown to the owner, now and after a repeat. */
  readonly shown?: Readonly<Record<string, string>>;
  /** Shown only to the call that made it. */
  readonly secret?: string;
}

interface Write<Change> extends Shown {
  readonly decision: "write";
  readonly change: Change;
  /** For the audit log: the request, without personal data. */
  readonly facts: Readonly<Record<string, string>>;
}

/** Already in this state: a retry writes nothing. */
type Unchanged = { readonly decision: "unchanged" } & Shown;
type Refused = { readonly decision: "refuse"; readonly refusal: OwnerRefusal };
type Decision<Change> = Write<Change> | Unchanged | Refused;

/** Revocations take effect before the write, grants after it. */
export type Revocation = (facts: AdmissionFacts) => AdmissionFacts;

/** Fields of the owner's form, by the code of the refusal that is shown next to them. */
type RefusalFields = Partial<Readonly<Record<OwnerRefusal["code"], string>>>;

/** Reads what the decision needs in addition; at most one round trip. */
type Reader<Request, Scope> = (request: Request, scope: VerbScope, reads: VerbReads) => Promise<Scope>;

interface VerbRow<Request extends object, Change, Scope> {
  /** Where the console lists it in the activity. */
  readonly area: ActivityArea;
  /** True if it creates due work, so that the alarm is set before the write. */
  readonly wakesObject: boolean;
  /** The version of what the form replaces; undefined if that no longer exists. */
  readonly formVersion?: (request: Request, scope: Scope) => string | undefined;
  /** Pure. */
  readonly decide: (request: Request, scope: Scope) => Decision<Change>;
  /** All declarations after the change, if the change declares something. */
  readonly declares?: (change: Change, before: Declared) => Declared;
  readonly write: (db: Database, owner: ChangeOwner, change: Change, by: ChangedBy) => FencedStatement[];
  /** The id of a request, so that a repeat finds its line in the audit log. */
  readonly onceBy?: (request: Request) => string;
  /** Takes effect at once, before the write to D1. */
  readonly revokes?: (request: Request) => Revocation | undefined;
  readonly fieldOf?: RefusalFields;
}

export type DecidedVerb =
  | (Omit<Write<unknown>, "change"> & { readonly write: WriteChange })
  | Unchanged
  | Refused;

/** An owner's verb as the object runs it. The types of its change and of its scope stay inside. */
export interface Verb<Request extends object>
  extends Pick<
    VerbRow<Request, unknown, unknown>,
    "area" | "wakesObject" | "onceBy" | "revokes" | "fieldOf"
  > {
  readonly run: (request: Request, scope: VerbScope, reads: VerbReads) => Promise<DecidedVerb>;
}

/** A form that replaces everything names the version that it was filled from. */
export interface FromForm {
  readonly seen?: string;
}

/** Refusals of an address that may not be called. */
export const URL_FIELDS: RefusalFields = Object.fromEntries(
  CALLBACK_URL_REFUSALS.map((code) => [code, "url"]),
);

export const UNCHANGED: Unchanged = { decision: "unchanged" };

export function refused(refusal: OwnerRefusal): Refused {
  return { decision: "refuse", refusal };
}

export function write<Change>(change: Change, facts: Readonly<Record<string, string>> = {}): Write<Change> {
  return { decision: "write", change, facts };
}

/** A verb that is decided on the owner's reading. */
export function verb<Request extends object, Change>(
  row: VerbRow<Request, Change, OwnerScope>,
): Verb<Request> {
  return verbReading(ownerReading<Request>(), row);
}

export function verbReading<Request extends object, Change, Scope extends VerbScope>(
  read: Reader<Request, Scope>,
  row: VerbRow<Request, Change, Scope>,
): Verb<Request> {
  return {
    ...row,
    async run(request, known, reads) {
      const scope = await read(request, known, reads);
      const decision = bounded(row, row.decide(request, scope), scope);
      if (decision.decision === "unchanged") return decision;
      if (isStaleForm(request, row.formVersion?.(request, scope))) {
        return refused(refuse("changed_meanwhile").error);
      }
      if (decision.decision === "refuse") return decision;
      const { change, ...decided } = decision;
      return { ...decided, write: (db, owner, by) => row.write(db, owner, change, by) };
    },
  };
}

export async function nothing(_: object, scope: VerbScope): Promise<VerbScope> {
  return scope;
}

/** With the delivery of a webhook that the request is about. */
export function ownerReading<Request>(
  delivery?: (request: Request) => DeliveryQuery,
): Reader<Request, OwnerScope> {
  return async (request, scope, reads) => ({ ...scope, reading: await reads.owner(delivery?.(request)) });
}

function bounded<Change>(
  { declares }: Pick<VerbRow<never, Change, never>, "declares">,
  decision: Decision<Change>,
  scope: VerbScope | OwnerScope,
): Decision<Change> {
  if (decision.decision !== "write" || !declares || !("reading" in scope)) return decision;
  const { reading: before } = scope;
  const isTooMuch = isTooMuchDeclared(declares(decision.change, before), before);
  return isTooMuch ? refused(refuse("too_much_declared").error) : decision;
}

/** True if the form was filled from an older version. If the target is gone, the refusal says so instead. */
function isStaleForm(request: object & FromForm, version: string | undefined): boolean {
  return request.seen !== undefined && version !== undefined && version !== request.seen;
}

/** Everything that an owner declares of one connection. */
export type Declared = Pick<OwnerReading, "profiles" | "sales" | "tagRules">;

/** True if the declarations no longer fit. A change that makes them smaller always fits. */
function isTooMuchDeclared(after: Declared, before: Declared): boolean {
  const bytes = bytesOf(after);
  return bytes > DECLARED_BYTES && bytes > bytesOf(before);
}

function bytesOf({ profiles, sales, tagRules }: Declared): number {
  return new TextEncoder().encode(JSON.stringify([profiles, sales, tagRules])).length;
}
