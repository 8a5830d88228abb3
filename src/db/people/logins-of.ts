import { type SQL, sql } from "drizzle-orm";

/** The logins that the mailbox of one has or had: a quota of a person is theirs together. */
export function loginsOf(userId: string): SQL {
  return sql`(SELECT same.user_id FROM login_mailbox AS mine
    JOIN login_mailbox AS same ON same.mailbox_hash = mine.mailbox_hash
    WHERE mine.user_id = ${userId} UNION SELECT ${userId})`;
}

/** The key of a counter of theirs. */
export function counterOf(kind: string, userId: string): SQL {
  return sql`(${`${kind} of `} || coalesce(
    (SELECT mailbox_hash FROM login_mailbox WHERE user_id = ${userId}), ${userId}))`;
}
