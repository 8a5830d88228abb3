import { and, asc, eq, gt, inArray, isNull, ne, type SQL, sql } from "drizzle-orm";
import { verificationOf } from "../../domain/connection/verification.ts";
import { mailboxOf } from "../../domain/identity/mailbox.ts";
import { COMPANY } from "../../domain/limits.ts";
import { markOfSeveral } from "../companies/register-rows.ts";
import { type Database, databaseOn } from "../database.ts";
import { plainReads, rowsAs, written } from "../plain-reads.ts";
import { accountDirectory, accountOwner } from "../schema/directory.ts";
import { invitation, user } from "../schema/identity.ts";
import { invitationCounts, invitationRefusal, mayInvite, membersIn } from "./invitation-quotas.ts";
import type { MemberStore, Membership, Role } from "./member-ports.ts";

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
      const stands = sql`EXISTS (SELECT 1 FROM account_owner AS offering
        JOIN account_directory AS offered ON offered.account_id = offering.account_id
        WHERE offering.account_id = ${accountId} AND offering.owner_id = ${accountOwner.offeredBy}
          AND offering.role = 'owner' AND offered.verification <> 'contested')`;
      // An owner with an open offer has just taken it: only this batch sees such a row.
      const hasTaken = sql`owning.owner_id = ${userId} AND owning.offered_by IS NOT NULL`;
      const [taken] = await plain.batch([
        db
          .update(accountOwner)
          .set({ role: "owner" })
          .where(and(isMember(accountId, userId), ne(accountOwner.role, "owner"), stands))
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
      const asked = sql`(SELECT value FROM json_each(${JSON.stringify(userIds)}))`;
      const rows = await db
        .select({ id: user.id, name: user.name })
        .from(user)
        .where(inArray(user.id, asked));
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
