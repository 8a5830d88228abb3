import { and, asc, eq, gt, inArray, isNull, ne, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type Verification, verificationOf } from "../../domain/connection/company.ts";
import { mailboxOf } from "../../domain/identity/mailbox.ts";
import { COMPANY, PERSON, RECEIVER } from "../../domain/limits.ts";
import { type QuotaRefusal, quotaExceeded } from "../../domain/quota.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { markOfSeveral } from "../companies/registered-company.ts";
import { type Database, databaseOn, plainReads, rowsAs, written } from "../database.ts";
import { accountDirectory, accountOwner, invitation, user } from "../schema/directory.ts";
import { loginsOf } from "./logins-of.ts";

/** Members and invitations of accounts, in the directory. */
export function memberStore(directory: D1Database): MemberStore {
  const db = databaseOn(directory);
  const plain = plainReads(directory);
  return {
    ...membershipReads(db),
    ...invitations(db),
    async makeAccountant(accountId, userId, now) {
      const [change] = await db.batch([
        db
          .update(accountOwner)
          .set({ role: "accountant", offeredBy: null })
          .where(and(isMember(accountId, userId), anotherOwner(accountId, userId))),
        ...endAll(db, accountId, userId, now),
      ]);
      return (change.meta.changes ?? 0) > 0;
    },
    async offerOwnership(accountId, userId, offeredBy) {
      await db
        .update(accountOwner)
        .set({ offeredBy })
        .where(and(isMember(accountId, userId), ne(accountOwner.role, "owner")));
    },
    async takeOwnership(accountId, userId) {
      const isOffered = sql`EXISTS (SELECT 1 FROM account_owner AS offering
        JOIN account_directory AS offered ON offered.account_id = offering.account_id
        WHERE offering.account_id = ${accountId} AND offering.owner_id = ${accountOwner.offeredBy}
          AND offering.role = 'owner' AND offered.verification <> 'contested')`;
      // An owner with an open offer has just taken it: only this batch sees such a row.
      const hasTaken = sql`owning.owner_id = ${userId} AND owning.offered_by IS NOT NULL`;
      const [taken] = await plain.batch([
        db
          .update(accountOwner)
          .set({ role: "owner" })
          .where(and(isMember(accountId, userId), ne(accountOwner.role, "owner"), isOffered))
          .returning({ ownerId: accountOwner.ownerId })
          .toSQL(),
        written(markOfSeveral(sql`${accountId}`, hasTaken)),
        db
          .update(accountOwner)
          .set({ offeredBy: null })
          .where(and(isMember(accountId, userId), eq(accountOwner.role, "owner")))
          .toSQL(),
      ]);
      return rowsAs(taken).length > 0;
    },
    async declineOwnership(accountId, userId) {
      await db.update(accountOwner).set({ offeredBy: null }).where(isMember(accountId, userId));
    },
    async removeMember(accountId, userId, now) {
      const [removal] = await db.batch([
        db.delete(accountOwner).where(and(isMember(accountId, userId), anotherOwner(accountId, userId))),
        ...endAll(db, accountId, userId, now),
      ]);
      return (removal.meta.changes ?? 0) > 0;
    },
  };
}

type Reads = "membershipOf" | "membershipsOf" | "membersOf" | "namesOf" | "emailOf";

function membershipReads(db: Database): Pick<MemberStore, Reads> {
  const memberships = (where: SQL | undefined) =>
    db
      .select({
        accountId: accountOwner.accountId,
        ledger: accountDirectory.ledger,
        nif: accountDirectory.nif,
        role: accountOwner.role,
        verification: accountDirectory.verification,
        offeredBy: accountOwner.offeredBy,
      })
      .from(accountOwner)
      .innerJoin(accountDirectory, eq(accountDirectory.accountId, accountOwner.accountId))
      .where(and(where, isNull(accountDirectory.closedAt)))
      .orderBy(asc(accountDirectory.openedAt));
  return {
    async membershipOf(userId, accountId) {
      const [row] = await memberships(isMember(accountId, userId));
      return row && membershipFrom(row);
    },
    async membershipsOf(userId) {
      const rows = await memberships(eq(accountOwner.ownerId, userId));
      return rows.map(membershipFrom);
    },
    async membersOf(accountId) {
      const rows = await db
        .select({
          ...{ userId: user.id, name: user.name, email: user.email, role: accountOwner.role },
          offeredBy: accountOwner.offeredBy,
        })
        .from(accountOwner)
        .innerJoin(user, eq(user.id, accountOwner.ownerId))
        .where(eq(accountOwner.accountId, accountId))
        .orderBy(asc(user.name))
        .limit(COMPANY.peopleShown);
      return rows.map(({ role, offeredBy, ...row }) => ({
        ...row,
        role: roleOf(role),
        isOffered: offeredBy !== null,
      }));
    },
    async namesOf(userIds) {
      // One parameter for any number of ids.
      const ids = sql`(SELECT value FROM json_each(${JSON.stringify(userIds)}))`;
      const rows = await db.select({ id: user.id, name: user.name }).from(user).where(inArray(user.id, ids));
      return new Map(rows.map(({ id, name }) => [id, name]));
    },
    async emailOf(userId) {
      const [row] = await db.select({ email: user.email }).from(user).where(eq(user.id, userId));
      return row?.email;
    },
  };
}

type Invitations = "invite" | "invitationsOf" | "invitationBy" | "acceptInvitation" | "withdrawInvitation";

function invitations(db: Database): Pick<MemberStore, Invitations> {
  const { tokenSha256: _, acceptedBy, endedAt, ...shown } = columnsOf();
  return {
    async invite(invited) {
      const { id, accountId, email, createdAt } = invited;
      const before = and(eq(invitation.accountId, accountId), isNull(invitation.endedAt));
      const [kept] = await db.batch([
        db.insert(invitation).select(sql`SELECT ${id}, ${accountId}, ${invited.tokenSha256}, ${email},
          ${invited.role}, ${invited.invitedBy}, ${createdAt}, ${invited.expiresAt}, NULL, NULL,
          ${mailboxOf(email)}
          WHERE ${mayInvite(invited)}`),
        db
          .update(invitation)
          .set({ endedAt: createdAt })
          .where(
            and(
              ...[before, ne(invitation.id, id), sql`lower(${invitation.email}) = ${email.toLowerCase()}`],
              sql`EXISTS (SELECT 1 FROM ${invitation} AS newer WHERE newer.id = ${id})`,
            ),
          ),
      ]);
      if ((kept.meta.changes ?? 0) > 0) return undefined;
      return invitationRefusal(await db.all(invitationCounts(invited)), createdAt);
    },
    async invitationsOf(accountId, now) {
      const rows = await db
        .select(shown)
        .from(invitation)
        .where(and(eq(invitation.accountId, accountId), isOpenAt(now)))
        .orderBy(asc(invitation.createdAt))
        .limit(COMPANY.peopleShown);
      return rows.map((row) => ({ ...row, role: roleOf(row.role) }));
    },
    async invitationBy(tokenSha256, now) {
      const { id, accountId, expiresAt, email } = shown;
      const [row] = await db
        .select({ id, accountId, expiresAt, email, acceptedBy, endedAt })
        .from(invitation)
        .where(eq(invitation.tokenSha256, tokenSha256));
      return (
        row && {
          ...{ id: row.id, accountId: row.accountId, email: row.email },
          isOpen: row.endedAt === null && row.expiresAt > now,
          ...(row.acceptedBy === null ? {} : { acceptedBy: row.acceptedBy }),
        }
      );
    },
    acceptInvitation: (id, userId, now) => accept(db, id, userId, now),
    async withdrawInvitation(accountId, id, now) {
      const withdrawal = db
        .update(invitation)
        .set({ endedAt: now })
        .where(and(eq(invitation.id, id), eq(invitation.accountId, accountId), isOpenAt(now)));
      return ((await withdrawal.run()).meta.changes ?? 0) > 0;
    },
  };
}

async function accept(
  db: Database,
  id: string,
  userId: string,
  now: number,
): Promise<"joined" | "ended" | "full"> {
  const accepted = and(
    ...[eq(invitation.id, id), eq(invitation.acceptedBy, userId), eq(invitation.endedAt, now)],
  );
  const offeredBy = sql`CASE WHEN ${invitation.role} = 'owner' THEN ${invitation.invitedBy} END`;
  const joining = sql`SELECT ${invitation.accountId}, ${userId}, 'accountant', ${offeredBy}
    FROM ${invitation} WHERE ${accepted}`;
  const isTheirs = sql`EXISTS (SELECT 1 FROM ${user} WHERE ${user.id} = ${userId}
    AND lower(${user.email}) = lower(${invitation.email}))`;
  const hasRoom = sql<number>`${membersIn(invitation.accountId)} < ${COMPANY.people}`;
  const [[counted], ended] = await db.batch([
    db.select({ hasRoom }).from(invitation).where(eq(invitation.id, id)),
    db
      .update(invitation)
      .set({ acceptedBy: userId, endedAt: now })
      .where(and(eq(invitation.id, id), isOpenAt(now), isTheirs, hasRoom)),
    // An existing member keeps the role.
    db.insert(accountOwner).select(joining).onConflictDoNothing(),
  ]);
  if ((ended.meta.changes ?? 0) > 0) return "joined";
  return counted?.hasRoom === 0 ? "full" : "ended";
}

function isOpenAt(now: number): SQL | undefined {
  return and(isNull(invitation.endedAt), gt(invitation.expiresAt, now));
}

function columnsOf() {
  const { id, accountId, tokenSha256, email, role, invitedBy, createdAt, expiresAt, acceptedBy, endedAt } =
    invitation;
  return { id, accountId, tokenSha256, email, role, invitedBy, createdAt, expiresAt, acceptedBy, endedAt };
}

function isMember(accountId: string, userId: string): SQL | undefined {
  return and(eq(accountOwner.accountId, accountId), eq(accountOwner.ownerId, userId));
}

/** A former owner cannot return through a link of their own; their invitations and offers end. */
function endAll(db: Database, accountId: string, userId: string, now: number) {
  const ofAccount = and(eq(invitation.accountId, accountId), eq(invitation.invitedBy, userId));
  const isOwner = sql`EXISTS (SELECT 1 FROM ${accountOwner} AS owner WHERE owner.account_id = ${accountId}
    AND owner.owner_id = ${userId} AND owner.role = 'owner')`;
  const offered = and(eq(accountOwner.accountId, accountId), eq(accountOwner.offeredBy, userId));
  return [
    db
      .update(invitation)
      .set({ endedAt: now })
      .where(and(ofAccount, isNull(invitation.endedAt), sql`NOT ${isOwner}`)),
    db
      .update(accountOwner)
      .set({ offeredBy: null })
      .where(and(offered, sql`NOT ${isOwner}`)),
  ] as const;
}

interface MembershipRow {
  readonly accountId: string;
  readonly ledger: string;
  readonly nif: string;
  readonly role: string;
  readonly verification: string;
  readonly offeredBy: string | null;
}

function membershipFrom({ role, verification, offeredBy, ...row }: MembershipRow): Membership {
  return {
    ...row,
    role: roleOf(role),
    verification: verificationOf(verification),
    ...(offeredBy === null ? {} : { offeredBy }),
  };
}

function anotherOwner(accountId: string, userId: string): SQL {
  return sql`EXISTS (SELECT 1 FROM ${accountOwner} AS other WHERE other.account_id = ${accountId}
    AND other.owner_id <> ${userId} AND other.role = 'owner')`;
}

/** An unknown text grants no ownership. */
function roleOf(text: string): Role {
  return text === "owner" ? "owner" : "accountant";
}

export const ROLES = ["owner", "accountant"] as const;
/** An accountant reads everything and changes nothing. */
export type Role = (typeof ROLES)[number];

export interface Membership {
  readonly accountId: string;
  readonly ledger: string;
  readonly nif: string;
  readonly role: Role;
  readonly verification: Verification;
  /** The owner who offers ownership to this person. */
  readonly offeredBy?: string;
}

interface Member {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  /** Ownership is offered, and not taken yet. */
  readonly isOffered: boolean;
}

interface NewInvitation {
  readonly id: string;
  readonly accountId: string;
  readonly tokenSha256: string;
  readonly email: string;
  readonly role: Role;
  readonly invitedBy: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

type OpenInvitation = Omit<NewInvitation, "tokenSha256">;

/** The invitation of a link, in any state. */
interface FoundInvitation {
  readonly id: string;
  readonly accountId: string;
  readonly isOpen: boolean;
  /** The invited address. */
  readonly email: string;
  readonly acceptedBy?: string;
}

/** The members of an account, and its invitations. */
export interface MemberStore {
  /** Undefined without membership, and for an unknown account. */
  membershipOf(userId: string, accountId: string): Promise<Membership | undefined>;
  membershipsOf(userId: string): Promise<readonly Membership[]>;
  membersOf(accountId: string): Promise<readonly Member[]>;
  /** Names by user ids; deleted users have none. */
  namesOf(userIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** In place of an open one to the same address. Counted and kept in one statement. */
  invite(invitation: NewInvitation): Promise<QuotaRefusal | undefined>;
  /** Neither accepted, nor taken back, nor expired. */
  invitationsOf(accountId: string, now: Instant): Promise<readonly OpenInvitation[]>;
  invitationBy(tokenSha256: string, now: Instant): Promise<FoundInvitation | undefined>;
  /**
   * Accepts it once, for the person with its address, if the same statement finds room in the company.
   * An invited owner joins as an accountant with an offer of ownership.
   */
  acceptInvitation(id: string, userId: string, now: Instant): Promise<"joined" | "ended" | "full">;
  /** False where there is no open one. */
  withdrawInvitation(accountId: string, id: string, now: Instant): Promise<boolean>;
  /** False if no owner would remain. A former owner's invitations and offers end. */
  makeAccountant(accountId: string, userId: string, now: Instant): Promise<boolean>;
  /** No effect if the person is an owner already. */
  offerOwnership(accountId: string, userId: string, offeredBy: string): Promise<void>;
  /** Takes an offer; false if the offering person is no longer an owner, or the company is contested. */
  takeOwnership(accountId: string, userId: string): Promise<boolean>;
  /** Undefined for a deleted login. */
  emailOf(userId: string): Promise<string | undefined>;
  declineOwnership(accountId: string, userId: string): Promise<void>;
  removeMember(accountId: string, userId: string, now: Instant): Promise<boolean>;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Whether one more may be sent: by this person, to this address, by this company. */
function mayInvite(invited: NewInvitation): SQL {
  const { ofHour, ofDay, ofReceiver, open, most, members } = countsOf(invited);
  return sql`${ofHour} IS NULL AND ${ofDay} IS NULL AND ${ofReceiver} IS NULL AND ${open} < ${most}
    AND ${members} + ${open} < ${COMPANY.people}`;
}

/** The counts of each quota, to name the one that is full. */
function invitationCounts(invited: NewInvitation): SQL {
  const { ofHour, ofDay, ofReceiver, open, most, members } = countsOf(invited);
  return sql`SELECT ${ofHour} AS of_hour, ${ofDay} AS of_day, ${ofReceiver} AS of_receiver, ${open} AS open,
    ${most} AS most, ${members} AS members`;
}

/** For windows also the time of the oldest invitation, which must expire first. */
interface Counts {
  readonly of_hour: number | null;
  readonly of_day: number | null;
  readonly of_receiver: number | null;
  readonly open: number;
  readonly most: number;
  readonly members: number;
}

function invitationRefusal([row]: readonly unknown[], now: number): QuotaRefusal {
  const { of_hour: ofHour, of_day: ofDay, of_receiver: ofReceiver, open, most, members } = row as Counts;
  if (open >= most) return quotaExceeded("quota_open_invitations", most);
  if (members + open >= COMPANY.people) return quotaExceeded("quota_people", COMPANY.people);
  if (ofDay !== null) {
    return quotaExceeded("quota_invitations_day", PERSON.invitationsPerDay, ofDay + DAY_MS);
  }
  if (ofReceiver !== null) {
    return quotaExceeded("quota_receiver_day", RECEIVER.invitationsPerDay, ofReceiver + DAY_MS);
  }
  // Counted a moment later it may be free again: then it may be tried at once.
  return quotaExceeded(
    "quota_invitations_hour",
    PERSON.invitationsPerHour,
    (ofHour ?? now - HOUR_MS) + HOUR_MS,
  );
}

function membersIn(accountId: string | SQLWrapper): SQL {
  return sql`(SELECT count(*) FROM account_owner AS member WHERE member.account_id = ${accountId})`;
}

function countsOf({ accountId, email, invitedBy, createdAt }: NewInvitation) {
  const nth = (which: SQL, windowMs: number, most: number) =>
    sql`(SELECT sent.created_at FROM invitation AS sent WHERE ${which}
      AND sent.created_at > ${createdAt - windowMs} ORDER BY sent.created_at DESC
      LIMIT 1 OFFSET ${most - 1})`;
  const isTheirs = sql`sent.invited_by IN ${loginsOf(invitedBy)}`;
  const address = email.toLowerCase();
  return {
    ofHour: nth(isTheirs, HOUR_MS, PERSON.invitationsPerHour),
    ofDay: nth(isTheirs, DAY_MS, PERSON.invitationsPerDay),
    ofReceiver: nth(sql`sent.mailbox = ${mailboxOf(email)}`, DAY_MS, RECEIVER.invitationsPerDay),
    // An invitation to the same address replaces the earlier one.
    open: sql`(SELECT count(*) FROM invitation AS sent WHERE sent.account_id = ${accountId}
      AND sent.ended_at IS NULL AND sent.expires_at > ${createdAt} AND lower(sent.email) <> ${address})`,
    most: sql`(SELECT CASE WHEN verification IN ('verified', 'contested') THEN ${WITHOUT_END}
      ELSE ${COMPANY.openInvitationsUnverified} END FROM account_directory WHERE account_id = ${accountId})`,
    members: membersIn(accountId),
  };
}

/** A verified company is bounded by its people. */
const WITHOUT_END = 1_000_000;
