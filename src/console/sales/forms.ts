import * as z from "zod";
import { present } from "../../api/wire/json.ts";
import { dueDays, usualPayment } from "../../api/wire/trade-values.ts";
import { text } from "../../api/wire/values.ts";
import type { ProfileChange, ProfileDraft } from "../../domain/billing/profiles.ts";
import type { SalesChange } from "../../domain/billing/sales-change.ts";
import type { DestinationsChange } from "../../domain/billing/sales-settings.ts";
import { ARTICLE_4_2_OPERATIONS } from "../../domain/invoice/request.ts";
import { decimalText, version } from "../shapes.ts";

export const stem = text(120);

const euConsumer = z.enum(["oss", "domestic"]);
const euBusiness = z.enum(["intra_community", "not_located"]);
const outsideEu = z.enum(["export", "not_located", "domestic"]);
const otherSpanish = z.enum(["export", "domestic"]);

/** The older setting: one treatment for all destinations. */
export const foreignSales = z.enum(["domestic", "oss", "export", "intra_community"]);

/** Change per destination: an absent member stays, null removes the declaration. */
export const destinationsChange = z
  .strictObject({
    eu_consumer: euConsumer.nullish(),
    eu_business: euBusiness.nullish(),
    outside_eu: outsideEu.nullish(),
    other_spanish: otherSpanish.nullish(),
  })
  .transform(
    (stated): DestinationsChange =>
      present({
        euConsumer: stated.eu_consumer,
        euBusiness: stated.eu_business,
        outsideEu: stated.outside_eu,
        otherSpanish: stated.other_spanish,
      }),
  );

/** Declarations about one sale: none exists before, so null is not allowed. */
export const destinations = z
  .strictObject({
    eu_consumer: euConsumer.optional(),
    eu_business: euBusiness.optional(),
    outside_eu: outsideEu.optional(),
    other_spanish: otherSpanish.optional(),
  })
  .transform((said) =>
    present({
      euConsumer: said.eu_consumer,
      euBusiness: said.eu_business,
      outsideEu: said.outside_eu,
      otherSpanish: said.other_spanish,
    }),
  );

const treatment = z.discriminatedUnion("as", [
  z.strictObject({ as: z.enum(["payment", "discount", "ignore_non_taxable", "hold"]) }),
  z.strictObject({ as: z.literal("fee"), rate: decimalText }),
]);

/** Change of sales declarations: an absent member stays, null removes it. */
const salesShape = {
  issuing_mode: z.enum(["automatic", "review", "none"]).optional(),
  customer_credit: z.enum(["discount", "payment", "review"]).optional(),
  voucher_kind: z.enum(["multi_purpose", "single_purpose"]).optional(),
  zero_rate_basis: z.enum(["E1", "E6", "N1", "S1"]).nullish(),
  destinations: destinationsChange.optional(),
  foreign_sales: foreignSales.nullish(),
  article_4_2: z.enum(ARTICLE_4_2_OPERATIONS).nullish(),
  under_authorisation: z.boolean().optional(),
  discounts_included: z.boolean().optional(),
  rounding_rate: decimalText.nullish(),
  payment: usualPayment.nullish(),
  due_days: dueDays.nullish(),
  treatments: z.record(z.string().min(1).max(300), treatment.nullable()).optional(),
};

export const salesBody = z.strictObject({ ...salesShape, version });
export type SalesBody = Omit<z.infer<typeof salesBody>, "version">;

const name = text(200);
const match = text(255);

export const newProfileBody = z.strictObject({
  ...{ name, channel: match.nullish(), store_id: match.nullish(), stem },
  ...salesShape,
});

export const profileChangeBody = z.strictObject({
  ...{ name: name.optional(), channel: match.nullish(), store_id: match.nullish(), stem: stem.optional() },
  ...salesShape,
  version,
});
export type ProfileChangeBody = Omit<z.infer<typeof profileChangeBody>, "version">;

/** An order by its id, or by the members that select a profile. */
export const orderTestBody = z.strictObject({
  order: match.nullish(),
  channel: match.nullish(),
  store_id: match.nullish(),
  /** The profile as the form shows it. */
  draft: z
    .strictObject({
      ...{ id: z.string().max(40).optional(), name: z.string().max(200), stem: z.string().max(120) },
      ...{ channel: match.nullish(), store_id: match.nullish() },
    })
    .optional(),
});
export type OrderTestBody = z.infer<typeof orderTestBody>;

/** Translates the sales form into the domain's names. */
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
    payment: form.payment && present(form.payment),
    dueDays: form.due_days,
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

/** Removes members that were not sent. */
function stated<Form extends object>(form: Form): Stated<Form> {
  // The type describes the filtered object; the compiler cannot check that.
  return Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined)) as Stated<Form>;
}

export type Stated<Form extends object> = { [Name in keyof Form]?: Exclude<Form[Name], undefined> };

/** A profile in the form; it replaces the stored profile with its id. */
export interface DraftMatch {
  /** Undefined for a new profile. */
  readonly id?: string;
  readonly name: string;
  readonly channel?: string;
  readonly storeId?: string;
  readonly stem: string;
}
