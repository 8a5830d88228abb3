import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { mailboxOf } from "../../domain/identity/mailbox.ts";
import { COMPANY, PERSON, RECEIVER } from "../../domain/limits.ts";
import { type QuotaRefusal, quotaExceeded } from "../../domain/quota.ts";
import { loginsOf } from "../logins-of.ts";
import type { NewInvitation } from "./member-ports.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Whether one more may be sent: by this person, to this address, by this company. */
export function mayInvite(invited: NewInvitation): SQL {
  const { ofHour, ofDay, ofReceiver, open, most, members } = countsOf(invited);
  return sql`${ofHour} IS NULL AND ${ofDay} IS NULL AND ${ofReceiver} IS NULL AND ${open} < ${most}
    AND ${members} + ${open} < ${COMPANY.people}`;
}

/** The counts of each quota, to name the one that is full. */
export function invitationCounts(invited: NewInvitation): SQL {
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

export function invitationRefusal([row]: readonly unknown[], now: number): QuotaRefusal {
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

export function membersIn(accountId: string | SQLWrapper): SQL {
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
