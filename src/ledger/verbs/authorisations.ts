import { and, eq, isNull } from "drizzle-orm";
import { redecideAccount, withdrawRate } from "../../db/rates/rate-store.ts";
import { authorisation } from "../../db/schema/ledger.ts";
import { closeAuthorisation, openAuthorisation } from "../../domain/billing/declarations.ts";
import { newId } from "../../domain/connection/ids.ts";
import type { ActiveAuthorisation } from "../../domain/invoice/simplified.ts";
import { type AreaRate, isSameRate } from "../../domain/place/vat-rates.ts";
import { refused, UNCHANGED, verb, write } from "./verb.ts";

interface Opened {
  readonly id: string;
  readonly authorisation: ActiveAuthorisation;
}

/** Valid for every connection of the account; the sweep finds the orders of its other connections. */
export const open_authorisation = verb<{ readonly authorisation: ActiveAuthorisation }, Opened>({
  area: "company",
  wakesObject: true,
  fieldOf: { authorisation_active: "number" },
  decide({ authorisation: stated }, { settings, ledger, random }) {
    const active = settings.authorisation;
    const opened = openAuthorisation(stated, active);
    if (!opened.ok) return refused(opened.error);
    if (active) return UNCHANGED;
    const { number, limit, agreementNumber } = opened.value;
    const agreement = agreementNumber === undefined ? {} : { agreement: agreementNumber };
    const change = { id: newId("au", ledger, random), authorisation: opened.value };
    return write(change, { number, limit, ...agreement });
  },
  write(db, { accountId }, { id, authorisation: opened }, { at }) {
    const { number, limit, agreementNumber = null } = opened;
    return [
      db.insert(authorisation).values({ id, accountId, number, limit, agreementNumber, activeFrom: at }),
      redecideAccount(db, accountId),
    ];
  },
});

export const close_authorisation = verb<{ readonly number: string }, object>({
  area: "company",
  wakesObject: true,
  decide({ number }, { settings }) {
    const closed = closeAuthorisation(number, settings.authorisation);
    if (!closed.ok) return refused(closed.error);
    return closed.value ? write({}, { number }) : UNCHANGED;
  },
  write(db, { accountId }, _, { at }) {
    const active = and(eq(authorisation.accountId, accountId), isNull(authorisation.closedAt));
    return [db.update(authorisation).set({ closedAt: at }).where(active), redecideAccount(db, accountId)];
  },
});

/** An answer to an order kept the rate. After the withdrawal, orders on hold are decided without it. */
export const withdraw_oss_rate = verb<AreaRate, AreaRate>({
  area: "company",
  wakesObject: true,
  decide({ area, rate }, { reading }) {
    const kept = reading.keptRates.find((one) => isSameRate(one, { area, rate }));
    return kept ? write({ area, rate }, { area, rate, from: kept.from }) : UNCHANGED;
  },
  write: (db, { accountId }, change) => withdrawRate(db, accountId, change),
});
