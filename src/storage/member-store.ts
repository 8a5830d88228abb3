import { and, asc, eq, gt, inArray, isNull, ne, type SQL, sql } from "drizzle-orm";
import type { MemberStore, Role } from "../usecases/console/member-ports.ts";
import { type Database, databaseOn } from "./database.ts";
import { accountDirectory, accountOwner } from "./schema/directory.ts";
import { invitation, user } from "./schema/identity.ts";

/** Members and invitations of accounts, in the directory. */
export function memberStore(directory: D1Database): MemberStore {
  const db = databaseOn(directory);
  return {
    ...membershipReads(db),
    ...invitations(db),
    async changeRole(accountId, userId, role, now) {
      const kept = role === "owner" ? undefined : anotherOwner(accountId, userId);
      const [change] = await db.batch([
        db
          .update(accountOwner)
          .set({ role })
          .where(and(isMember(accountId, userId), kept)),
        endLinksOf(db, accountId, userId, now),
      ]);
      return (change.meta.changes ?? 0) > 0;
    },
    async removeMember(accountId, userId, now) {
      const [removal] = await db.batch([
        db.delete(accountOwner).where(and(isMember(accountId, userId), anotherOwner(accountId, userId))),
        endLinksOf(db, accountId, userId, now),
      ]);
      return (removal.meta.changes ?? 0) > 0;
    },
  };
}

type Reads = "membershipOf" | "membershipsOf" | "membersOf" | "namesOf";

function membershipReads(db: Database): Pick<MemberStore, Reads> {
  const memberships = (where: SQL | undefined) =>
    db
      .select({
        accountId: accountOwner.accountId,
        ledger: accountDirectory.ledger,
        nif: accountDirectory.nif,
        role: accountOwner.role,
      })
      .from(accountOwner)
      .innerJoin(accountDirectory, eq(accountDirectory.accountId, accountOwner.accountId))
      .where(and(where, isNull(accountDirectory.closedAt)))
      .orderBy(asc(accountDirectory.openedAt));
  return {
    async membershipOf(userId, accountId) {
      const [row] = await memberships(isMember(accountId, userId));
      return row && { ...row, role: roleOf(row.role) };
    },
    async membershipsOf(userId) {
      const rows = await memberships(eq(accountOwner.ownerId, userId));
      return rows.map((row) => ({ ...row, role: roleOf(row.role) }));
    },
    async membersOf(accountId) {
      const rows = await db
        .select({ userId: user.id, name: user.name, email: user.email, role: accountOwner.role })
        .from(accountOwner)
        .innerJoin(user, eq(user.id, accountOwner.ownerId))
        .where(eq(accountOwner.accountId, accountId))
        .orderBy(asc(user.name));
      return rows.map((row) => ({ ...row, role: roleOf(row.role) }));
    },
    async namesOf(userIds) {
      // One parameter, however many they are.
      const asked = sql`(SELECT value FROM json_each(${JSON.stringify(userIds)}))`;
      const rows = await db
        .select({ id: user.id, name: user.name })
        .from(user)
        .where(inArray(user.id, asked));
      return new Map(rows.map(({ id, name }) => [id, name]));
    },
  };
}

type Invitations = "invite" | "invitationsOf" | "invitationBy" | "acceptInvitation" | "withdrawInvitation";

function invitations(db: Database): Pick<MemberStore, Invitations> {
  const { tokenSha256: _, acceptedBy, endedAt, ...shown } = columnsOf();
  const isOpen = (now: number) => and(isNull(invitation.endedAt), gt(invitation.expiresAt, now));
  return {
    async invite(invited, { most, since }) {
      const { id, accountId, email, createdAt } = invited;
      const sent = sql`SELECT count(*) FROM ${invitation} AS sent
        WHERE sent.account_id = ${accountId} AND sent.created_at > ${since}`;
      const before = and(eq(invitation.accountId, accountId), isNull(invitation.endedAt));
      const [kept] = await db.batch([
        db.insert(invitation).select(sql`SELECT ${id}, ${accountId}, ${invited.tokenSha256}, ${email},
          ${invited.role}, ${invited.invitedBy}, ${createdAt}, ${invited.expiresAt}, NULL, NULL
          WHERE (${sent}) < ${most}`),
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
      return (kept.meta.changes ?? 0) > 0;
    },
    async invitationsOf(accountId, now) {
      const rows = await db
        .select(shown)
        .from(invitation)
        .where(and(eq(invitation.accountId, accountId), isOpen(now)))
        .orderBy(asc(invitation.createdAt));
      return rows.map((row) => ({ ...row, role: roleOf(row.role) }));
    },
    async invitationBy(tokenSha256, now) {
      const { id, accountId, expiresAt } = shown;
      const [row] = await db
        .select({ id, accountId, expiresAt, acceptedBy, endedAt })
        .from(invitation)
        .where(eq(invitation.tokenSha256, tokenSha256));
      return (
        row && {
          ...{ id: row.id, accountId: row.accountId, isOpen: row.endedAt === null && row.expiresAt > now },
          ...(row.acceptedBy === null ? {} : { acceptedBy: row.acceptedBy }),
        }
      );
    },
    async acceptInvitation(id, userId, now) {
      const accepted = and(eq(invitation.id, id), eq(acceptedBy, userId), eq(endedAt, now));
      const joining = sql`SELECT ${invitation.accountId}, ${userId}, ${invitation.role} FROM ${invitation}
        WHERE ${accepted}`;
      const [ended] = await db.batch([
        db
          .update(invitation)
          .set({ acceptedBy: userId, endedAt: now })
          .where(and(eq(invitation.id, id), isOpen(now))),
        // Who is a member already keeps the role.
        db.insert(accountOwner).select(joining).onConflictDoNothing(),
      ]);
      return (ended.meta.changes ?? 0) > 0;
    },
    async withdrawInvitation(accountId, id, now) {
      const withdrawal = db
        .update(invitation)
        .set({ endedAt: now })
        .where(and(eq(invitation.id, id), eq(invitation.accountId, accountId), isOpen(now)));
      return ((await withdrawal.run()).meta.changes ?? 0) > 0;
    },
  };
}

function columnsOf() {
  const { id, accountId, tokenSha256, email, role, invitedBy, createdAt, expiresAt, acceptedBy, endedAt } =
    invitation;
  return { id, accountId, tokenSha256, email, role, invitedBy, createdAt, expiresAt, acceptedBy, endedAt };
}

function isMember(accountId: string, userId: string): SQL | undefined {
  return and(eq(accountOwner.accountId, accountId), eq(accountOwner.ownerId, userId));
}

/** A link that an owner made is no way back in for who is none any more. */
function endLinksOf(db: Database, accountId: string, userId: string, now: number) {
  const ofAccount = and(eq(invitation.accountId, accountId), eq(invitation.invitedBy, userId));
  const isOwner = sql`EXISTS (SELECT 1 FROM ${accountOwner} AS owner WHERE owner.account_id = ${accountId}
    AND owner.owner_id = ${userId} AND owner.role = 'owner')`;
  return db
    .update(invitation)
    .set({ endedAt: now })
    .where(and(ofAccount, isNull(invitation.endedAt), sql`NOT ${isOwner}`));
}

function anotherOwner(accountId: string, userId: string): SQL {
  return sql`EXISTS (SELECT 1 FROM ${accountOwner} AS other WHERE other.account_id = ${accountId}
    AND other.owner_id <> ${userId} AND other.role = 'owner')`;
}

/** Whatever else stood there would grant nothing. */
function roleOf(text: string): Role {
  return text === "owner" ? "owner" : "accountant";
}
