import { and, asc, eq } from "drizzle-orm";
import type { Database } from "../../db/database.ts";
import { mailSwitchFrom } from "../../db/mailing/mailing-reads.ts";
import { account, connection } from "../../db/schema/ledger.ts";
import { profile } from "../../db/schema/orders.ts";
import type { MailSwitch } from "../../domain/mailing/mail-switch.ts";

/** A switch for mails when invoices are issued, of a profile or of the connection. */
interface MailingTarget {
  /** Absent for invoices that belong to no profile. */
  readonly profile?: { readonly id: string; readonly name: string };
  readonly mailing?: MailSwitch;
}

interface MailingRead {
  readonly legalName: string;
  readonly targets: readonly MailingTarget[];
}

export interface MailingReads {
  /** Undefined for a connection of another account. */
  read(accountId: string, connectionId: string): Promise<MailingRead | undefined>;
}

export function mailingReads(db: Database): MailingReads {
  return {
    async read(accountId, connectionId) {
      const [[own], profiles] = await db.batch([
        db
          .select({ legalName: account.legalName, mailing: connection.mailing })
          .from(connection)
          .innerJoin(account, eq(account.id, connection.accountId))
          .where(and(eq(connection.id, connectionId), eq(connection.accountId, accountId))),
        db
          .select({ id: profile.id, name: profile.name, mailing: profile.mailing })
          .from(profile)
          .where(and(eq(profile.connectionId, connectionId), eq(profile.accountId, accountId)))
          .orderBy(asc(profile.createdAt), asc(profile.id)),
      ]);
      if (!own) return undefined;
      const ofProfiles = profiles.map(({ id, name, mailing }) => ({
        profile: { id, name },
        ...switchIn(mailing),
      }));
      return {
        legalName: own.legalName,
        // With profiles every order belongs to one of them.
        targets: ofProfiles.length > 0 ? ofProfiles : [switchIn(own.mailing)],
      };
    },
  };
}

function switchIn(json: string | null): Pick<MailingTarget, "mailing"> {
  const mailing = mailSwitchFrom(json);
  return mailing ? { mailing } : {};
}
