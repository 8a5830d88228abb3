import { and, eq } from "drizzle-orm";
import { switchMailing } from "../../db/mailing/mailing-writes.ts";
import { profile } from "../../db/schema/orders.ts";
import { refuse } from "../../domain/invoice/refusal.ts";
import type { MailSwitch } from "../../domain/mailing/mail-switch.ts";
import { refused, UNCHANGED, verb, write } from "./verb.ts";

interface Switching {
  /** Without a profile: the invoices of the connection that belong to none. */
  readonly profileId?: string;
  /** `accepting`: customers who have accepted themselves. `everyone`: with the owner's declaration. */
  readonly to: "nobody" | "accepting" | "everyone";
  /** Of the declaration, for `everyone`. */
  readonly textVersion?: string;
}

interface Switched {
  readonly profileId?: string;
  readonly to: Switching["to"];
  readonly textVersion: string;
}

/** Invoices issued from now on are mailed, or no longer; earlier ones never are. */
export const switch_mailing = verb<Switching, Switched>({
  area: "invoicing",
  wakesObject: false,
  decide({ profileId, to, textVersion = "" }, { reading }) {
    const chosen = reading.profiles.find(({ id }) => id === profileId);
    if (profileId !== undefined && !chosen) {
      return refused(refuse("profile_unknown", { profile: profileId }).error);
    }
    const current = chosen ? chosen.mailing : reading.mailing;
    if (isSame(current, { to, textVersion })) return UNCHANGED;
    const of = profileId === undefined ? {} : { profileId };
    return write(
      { ...of, to, textVersion },
      {
        to,
        ...(to === "everyone" ? { text_version: textVersion } : {}),
        ...(chosen ? { profile: chosen.id } : {}),
      },
    );
  },
  write(db, { connectionId }, { profileId, to, textVersion }, { userId, at }) {
    const declared = to === "everyone" ? { declared: { textVersion, by: userId, at } } : {};
    const mailing = to === "nobody" ? null : JSON.stringify(declared satisfies MailSwitch);
    if (profileId === undefined) return [switchMailing(db, connectionId, mailing)];
    const isThis = and(eq(profile.id, profileId), eq(profile.connectionId, connectionId));
    return [db.update(profile).set({ mailing }).where(isThis)];
  },
});

/** The same declaration again keeps who gave it first, and when. */
function isSame(
  current: MailSwitch | undefined,
  { to, textVersion }: Pick<Switched, "to" | "textVersion">,
): boolean {
  if (!current) return to === "nobody";
  if (!current.declared) return to === "accepting";
  return to === "everyone" && current.declared.textVersion === textVersion;
}
