import * as z from "zod";
import { present } from "../../api/wire/present.ts";
import type { DestinationsChange } from "../../domain/billing/sales-settings.ts";

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
