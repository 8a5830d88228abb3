import type { ProfileChange, ProfileDraft } from "../../domain/billing/profiles.ts";
import type { SalesChange } from "../../domain/billing/sales-change.ts";
import type { DraftMatch } from "./match-order.ts";
import type { OrderTestBody, ProfileChangeBody, SalesBody } from "./profiles-shapes.ts";

/** What a form of sales says, in the words of the domain. */
export function salesChange(form: SalesBody): SalesChange {
  return stated({
    issuingMode: form.issuing_mode,
    customerCredit: form.customer_credit,
    voucherKind: form.voucher_kind,
    zeroRateBasis: form.zero_rate_basis,
    destinations: form.destinations,
    foreignSales: form.foreign_sales,
    article42: form.article_4_2,
    underAuthorisation: form.under_authorisation,
    discountsIncluded: form.discounts_included,
    roundingRate: form.rounding_rate,
    treatments: form.treatments,
  });
}

export function profileChange({ name, channel, store_id: storeId, stem }: ProfileChangeBody): ProfileChange {
  return stated({ name, channel, storeId, stem });
}

interface DraftBody {
  readonly name: string;
  readonly stem: string;
  readonly channel?: string | null | undefined;
  readonly store_id?: string | null | undefined;
}

export function profileDraft({ name, channel, store_id: storeId, stem }: DraftBody): ProfileDraft {
  return { name, stem, ...(channel ? { channel } : {}), ...(storeId ? { storeId } : {}) };
}

export function draftMatch({ draft }: OrderTestBody): DraftMatch | undefined {
  return draft && { ...profileDraft(draft), ...(draft.id === undefined ? {} : { id: draft.id }) };
}

type Stated<Form extends object> = { [Name in keyof Form]?: Exclude<Form[Name], undefined> };

/** Members that were not sent are not there. */
function stated<Form extends object>(form: Form): Stated<Form> {
  // The type says that each member is there with a value, or not at all.
  return Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined)) as Stated<Form>;
}
