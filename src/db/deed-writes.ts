import { and, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import { UNDECLARED } from "../domain/billing/sales-settings.ts";
import { trialStem } from "../domain/billing/series.ts";
import { codesOfStem } from "../domain/billing/stems.ts";
import type { PullCallback } from "../domain/callback/pull-callback.ts";
import { assertNever } from "../domain/shared/result.ts";
import { accessStatements } from "./access/access-writes.ts";
import type { Database } from "./database.ts";
import type { FencedStatement } from "./fence.ts";
import { erasureStatements } from "./orders/erasure-deeds.ts";
import { beginRelease, countBroughtIn } from "./orders/release-writes.ts";
import { decideAccountAgain, withdrawRate } from "./oss-rates.ts";
import type { Deed, OwnerBatch } from "./owner-state.ts";
import { apiKey, authorisation, connection, consent } from "./schema/ledger.ts";
import { profile, seriesStem, shopCallback, shopOrder, tagRule } from "./schema/orders.ts";
import { shopSetup } from "./schema/shop.ts";
import type { ShopOwner } from "./shop/shop-writes.ts";
import { submissionStatements } from "./submission/submission-deeds.ts";
import { webhookStatements } from "./webhooks/webhook-deeds.ts";

/** What an owner's deed writes behind the fence; orders that it may decide otherwise are marked for it. */
export function deedStatements(db: Database, owner: StemOwner, batch: OwnerBatch): FencedStatement[] {
  const { deed } = batch;
  switch (deed.deed) {
    case "open_key":
    case "revoke_key":
      return keyStatements(db, owner, deed, batch.at);
    case "rename_connection":
      return [db.update(connection).set({ name: deed.name }).where(eq(connection.id, owner.connectionId))];
    case "grant_consent":
    case "withdraw_consent":
    case "move_cutoff":
      return consentStatements(db, owner, deed, batch);
    case "select_stores":
      return [
        upsertSetup(db, owner, { state: "configured", storeIds: deed.storeIds, chosenAt: batch.at }),
        ...(deed.callback ? [upsertCallback(db, owner, deed.callback)] : []),
        ...decideAgain(db, owner, or(isHeld(), eq(shopOrder.state, "store_not_selected"))),
      ];
    case "set_sales":
      return [
        upsertSetup(db, owner, { sales: JSON.stringify(deed.sales) }),
        ...decideAgain(db, owner, isHeld()),
      ];
    case "set_order_stem":
      return stemStatements(db, owner, deed);
    case "add_profile":
    case "change_profile":
    case "remove_profile":
      return profileStatements(db, owner, deed, batch.at);
    case "set_tag_rule":
    case "remove_tag_rule":
      return tagStatements(db, owner, deed);
    case "open_authorisation":
    case "close_authorisation":
      return authorisationStatements(db, owner, deed, batch.at);
    case "withdraw_oss_rate":
      return withdrawRate(db, owner.accountId, deed);
    case "keep_callback":
      return deed.callback ? [upsertCallback(db, owner, deed.callback)] : [removeCallback(db, owner)];
    case "switch_access":
    case "add_origin":
    case "remove_origin":
    case "refuse_origin":
      return accessStatements(db, owner, deed, batch.at);
    case "grant_representation":
    case "withdraw_representation":
    case "resume_submission":
    case "settle_duplicate":
      return submissionStatements(db, owner, deed, batch);
    case "erase":
    case "admit_order":
      return erasureStatements(db, owner, deed, batch.at);
    case "open_webhook":
    case "choose_webhook_events":
    case "keep_webhook_secrets":
    case "end_webhook":
    case "send_webhook":
    case "resend_webhook":
      return webhookStatements(db, owner, deed, batch.at);
    default:
      return assertNever(deed);
  }
}

/** Stems of a connection for tests are reserved as they number: they are in nobody's way. */
interface StemOwner extends ShopOwner {
  readonly trial: boolean;
}

type Of<Name extends Deed["deed"]> = Extract<Deed, { readonly deed: Name }>;

function stemStatements(db: Database, owner: StemOwner, deed: Of<"set_order_stem">): FencedStatement[] {
  return [
    upsertSetup(db, owner, { orderStem: deed.stem ?? null }),
    ...(deed.before === undefined ? [] : [freeStem(db, owner, deed.before)]),
    ...(deed.stem === undefined ? [] : [takeStem(db, owner, deed.stem)]),
  ];
}

function keyStatements(
  db: Database,
  { connectionId }: ShopOwner,
  deed: Of<"open_key" | "revoke_key">,
  at: number,
): FencedStatement[] {
  const { hash } = deed;
  if (deed.deed === "open_key") {
    const { id, tail = null } = deed;
    return [db.insert(apiKey).values({ id, connectionId, hash, createdAt: at, tail })];
  }
  const alive = and(eq(apiKey.connectionId, connectionId), eq(apiKey.hash, hash), isNull(apiKey.revokedAt));
  return [db.update(apiKey).set({ revokedAt: at }).where(alive)];
}

function consentStatements(
  db: Database,
  owner: ShopOwner,
  deed: Of<"grant_consent" | "withdraw_consent" | "move_cutoff">,
  { at, userId }: OwnerBatch,
): FencedStatement[] {
  const standing = and(eq(consent.connectionId, owner.connectionId), isNull(consent.withdrawnAt));
  switch (deed.deed) {
    case "grant_consent": {
      const declaration = JSON.stringify(deed.consent.declaration);
      const evidence = JSON.stringify(deed.consent.evidence ?? {});
      const given = { ...deed.consent, ...owner, grantedBy: userId, declaration, evidence };
      return [
        db.insert(consent).values(given),
        countBroughtIn(db, owner.connectionId, given.cutoffDate),
        ...decideAgain(db, owner, isHeld()),
      ];
    }
    case "withdraw_consent":
      return [db.update(consent).set({ withdrawnAt: at }).where(standing)];
    case "move_cutoff":
      return [
        beginRelease(db, owner.connectionId, { cutoffDate: deed.cutoffDate, at }),
        db.update(consent).set({ cutoffDate: deed.cutoffDate }).where(standing),
        ...decideAgain(db, owner, isHeld()),
      ];
    default:
      return assertNever(deed);
  }
}

function profileStatements(
  db: Database,
  { trial, ...owner }: StemOwner,
  deed: Of<"add_profile" | "change_profile" | "remove_profile">,
  at: number,
): FencedStatement[] {
  const again = decideAgain(db, owner, isHeld());
  if (deed.deed === "remove_profile") {
    const { freedStem } = deed;
    return [
      db.delete(profile).where(isProfile(owner, deed.id)),
      ...(freedStem === undefined ? [] : [freeStem(db, { ...owner, trial }, freedStem)]),
      ...again,
    ];
  }
  const { id, name, channel = null, storeId = null, stem, sales } = deed.profile;
  const row = { name, channel, storeId, stem, sales: JSON.stringify(sales) };
  if (deed.deed === "add_profile") {
    return [
      db.insert(profile).values({ id, ...owner, ...row, createdAt: at }),
      takeStem(db, { ...owner, trial }, stem),
      ...again,
    ];
  }
  const isMoved = deed.stemBefore !== stem;
  return [
    db.update(profile).set(row).where(isProfile(owner, id)),
    ...(isMoved
      ? [freeStem(db, { ...owner, trial }, deed.stemBefore), takeStem(db, { ...owner, trial }, stem)]
      : []),
    ...again,
  ];
}

function isProfile({ connectionId }: ShopOwner, id: string) {
  return and(eq(profile.connectionId, connectionId), eq(profile.id, id));
}

function tagStatements(
  db: Database,
  owner: ShopOwner,
  deed: Of<"set_tag_rule" | "remove_tag_rule">,
): FencedStatement[] {
  const again = decideAgain(db, owner, isHeld());
  if (deed.deed === "set_tag_rule") {
    const { tag, action } = deed.rule;
    const upsert = { target: [tagRule.connectionId, tagRule.tag], set: { action } };
    return [
      db
        .insert(tagRule)
        .values({ ...owner, tag, action })
        .onConflictDoUpdate(upsert),
      ...again,
    ];
  }
  const ours = and(eq(tagRule.connectionId, owner.connectionId), eq(tagRule.tag, deed.tag));
  return [db.delete(tagRule).where(ours), ...again];
}

/** It holds for the whole account: orders of its other connections are found by the sweep. */
function authorisationStatements(
  db: Database,
  { accountId }: ShopOwner,
  deed: Of<"open_authorisation" | "close_authorisation">,
  at: number,
): FencedStatement[] {
  const again = decideAccountAgain(db, accountId);
  if (deed.deed === "close_authorisation") {
    const active = and(eq(authorisation.accountId, accountId), isNull(authorisation.closedAt));
    return [db.update(authorisation).set({ closedAt: at }).where(active), again];
  }
  const { number, limit, agreementNumber = null } = deed.authorisation;
  const opened = { id: deed.id, accountId, number, limit, agreementNumber, activeFrom: at };
  return [db.insert(authorisation).values(opened), again];
}

interface SetupChange {
  readonly state?: "configured";
  readonly storeIds?: string;
  readonly chosenAt?: number;
  readonly sales?: string;
  readonly orderStem?: string | null;
}

/** A connection that was opened without guide has no row before its first declaration, and is configured. */
function upsertSetup(db: Database, owner: ShopOwner, change: SetupChange): FencedStatement {
  const begun = { ...owner, state: "configured", storeIds: null, sales: JSON.stringify(UNDECLARED) };
  return db
    .insert(shopSetup)
    .values({ ...begun, ...change })
    .onConflictDoUpdate({ target: shopSetup.connectionId, set: change });
}

/** The four codes that a stem reserves in its account. */
function takeStem(db: Database, { accountId, connectionId, trial }: StemOwner, declared: string) {
  const stem = trial ? trialStem(declared) : declared;
  return db
    .insert(seriesStem)
    .values(codesOfStem(stem).map((code) => ({ accountId, code, stem, connectionId })));
}

function freeStem(db: Database, { accountId, connectionId, trial }: StemOwner, declared: string) {
  const codes = codesOfStem(trial ? trialStem(declared) : declared);
  const ours = and(
    eq(seriesStem.accountId, accountId),
    sql`${seriesStem.code} IN (SELECT value FROM json_each(${JSON.stringify(codes)}))`,
    eq(seriesStem.connectionId, connectionId),
  );
  return db.delete(seriesStem).where(ours);
}

function upsertCallback(db: Database, owner: ShopOwner, callback: PullCallback): FencedStatement {
  const { url, secrets, delivery } = callback;
  const kept = {
    url,
    secret: secrets.current,
    previousSecret: secrets.previous ?? null,
    deliveryId: delivery?.id ?? null,
    askedAt: delivery?.askedAt ?? null,
    attempts: delivery?.attempts ?? 0,
    dueAt: delivery?.dueAt ?? null,
    lastAt: delivery?.lastAt ?? null,
    lastOutcome: delivery?.lastOutcome ? JSON.stringify(delivery.lastOutcome) : null,
  };
  return db
    .insert(shopCallback)
    .values({ ...owner, ...kept })
    .onConflictDoUpdate({ target: shopCallback.connectionId, set: kept });
}

function removeCallback(db: Database, { connectionId }: ShopOwner): FencedStatement {
  return db.delete(shopCallback).where(eq(shopCallback.connectionId, connectionId));
}

function isHeld(): SQL {
  return eq(shopOrder.state, "held");
}

function decideAgain(db: Database, { connectionId }: ShopOwner, which: SQL | undefined): FencedStatement[] {
  const ours = and(eq(shopOrder.connectionId, connectionId), which);
  return [db.update(shopOrder).set({ undecided: true }).where(ours)];
}
