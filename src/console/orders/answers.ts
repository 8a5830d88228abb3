import * as z from "zod";
import { present } from "../../api/wire/json.ts";
import { date, list, text } from "../../api/wire/values.ts";
import type { AnsweredQuestion } from "../../db/orders/remembered-answer.ts";
import type { SalesChange } from "../../domain/billing/sales-change.ts";
import type { Destinations } from "../../domain/billing/sales-settings.ts";
import { matchProfile } from "../../domain/billing/sales-settings.ts";
import { ARTICLE_4_2_OPERATIONS } from "../../domain/invoice/request.ts";
import type { EnteredRecipient } from "../../domain/order/answers/invoice.ts";
import { answeredDestinations, type OwnSales } from "../../domain/order/answers/sale.ts";
import type { OrderAnswer } from "../../domain/order/answers/table.ts";
import type { OrderFacts } from "../../domain/order/facts.ts";
import { questionOf, questionParts } from "../../domain/order/question.ts";
import { ORDER_REASONS, type Reason, type ReasonCode } from "../../domain/order/reasons.ts";
import { checkTogether, rememberedChange } from "../../domain/order/together.ts";
import { destinations, foreignSales } from "../sales/forms.ts";
import { decimalText, freeText, idOf } from "../shapes.ts";
import type { ReviewReads, SimilarOrders, SimilarOrdersQuery } from "./review.ts";

const CODES = ORDER_REASONS.map(({ code }) => code);
const LONGEST = 255;

const recipient = z
  .strictObject({
    first_name: freeText(LONGEST).optional(),
    last_name: freeText(LONGEST).optional(),
    company: freeText(LONGEST).optional(),
    vat_number: freeText(LONGEST).optional(),
    id_type: freeText(2).optional(),
    country: freeText(2).optional(),
    address1: freeText(LONGEST).optional(),
    postcode: freeText(LONGEST).optional(),
    city: freeText(LONGEST).optional(),
  })
  .transform(
    (typed): EnteredRecipient =>
      present({
        firstName: typed.first_name,
        lastName: typed.last_name,
        company: typed.company,
        vatNumber: typed.vat_number,
        idType: typed.id_type,
        country: typed.country,
        address1: typed.address1,
        postcode: typed.postcode,
        city: typed.city,
      }),
  );

const treatment = z.union([
  z.strictObject({ as: z.enum(["payment", "discount", "ignore_non_taxable"]) }),
  z.strictObject({ as: z.literal("fee"), rate: decimalText }),
]);

const sales = z
  .strictObject({
    zero_rate_basis: z.enum(["E1", "E6", "N1", "S1"]).optional(),
    destinations: destinations.optional(),
    foreign_sales: foreignSales.optional(),
    voucher_kind: z.enum(["multi_purpose", "single_purpose"]).optional(),
    customer_credit: z.enum(["discount", "payment"]).optional(),
    article_4_2: z.enum(ARTICLE_4_2_OPERATIONS).optional(),
    under_authorisation: z.boolean().optional(),
    discounts_included: z.boolean().optional(),
  })
  .transform(
    (said): OwnSales =>
      present({
        zeroRateBasis: said.zero_rate_basis,
        destinations: said.destinations,
        foreignSales: said.foreign_sales,
        voucherKind: said.voucher_kind,
        customerCredit: said.customer_credit,
        article42: said.article_4_2,
        underAuthorisation: said.under_authorisation,
        discountsIncluded: said.discounts_included,
      }),
  );

const eventId = idOf(1000);
const share = z.strictObject({ rate: decimalText, gross: decimalText });
const reason = z.strictObject({
  code: z.enum(CODES as [ReasonCode, ...ReasonCode[]]),
  about: z.string().max(1000),
});

const SHAPES = [
  z.strictObject({ answer: z.literal("release"), about: z.string().max(1000).optional() }),
  z.strictObject({ answer: z.literal("approve") }),
  z.strictObject({ answer: z.literal("issue_cancellation") }),
  z.strictObject({ answer: z.literal("issue") }),
  z.strictObject({ answer: z.literal("assign_profile"), profile_id: idOf(64) }),
  z.strictObject({ answer: z.literal("declare_treatment"), code: text(LONGEST), treatment }),
  z.strictObject({ answer: z.literal("declare_sales"), sales }),
  z.strictObject({ answer: z.literal("enter_recipient"), recipient }),
  z.strictObject({ answer: z.literal("enter_country"), country: freeText(2) }),
  z.strictObject({ answer: z.literal("enter_tax_rate"), about: z.string().max(1000), rate: decimalText }),
  z.strictObject({ answer: z.literal("enter_exchange_rate"), rate: decimalText, date }),
  z.strictObject({ answer: z.literal("keep_oss_rate"), from: date }),
  z.strictObject({ answer: z.literal("rounding"), rate: decimalText }),
  z.strictObject({
    answer: z.literal("declare_discount"),
    name: text(1000),
    as: z.enum(["discount", "payment"]),
  }),
  z.strictObject({ answer: z.literal("mark_distinct"), event_id: eventId }),
  z.strictObject({ answer: z.literal("share_event"), event_id: eventId, shares: list(share, 20) }),
  z.strictObject({ answer: z.literal("confirm_annulment"), event_id: eventId }),
  z.strictObject({ answer: z.literal("ask_full_invoice"), recipient: recipient.optional() }),
  z.strictObject({
    answer: z.literal("dismiss"),
    why: text(500),
    which: list(reason, 100).optional(),
  }),
] as const;

type Typed = z.output<(typeof SHAPES)[number]>;

/** The owner's answer about an order. */
export const orderAnswer = z.union(SHAPES).transform(answerOf);

/** Translates wire names into the domain's names. */
function answerOf(typed: Typed): OrderAnswer {
  switch (typed.answer) {
    case "release":
      return { answer: typed.answer, ...present({ about: typed.about }) };
    case "assign_profile":
      return { answer: typed.answer, profileId: typed.profile_id };
    case "mark_distinct":
    case "confirm_annulment":
      return { answer: typed.answer, eventId: typed.event_id };
    case "share_event":
      return { answer: typed.answer, eventId: typed.event_id, shares: typed.shares };
    case "ask_full_invoice":
      return { answer: typed.answer, ...present({ recipient: typed.recipient }) };
    case "dismiss":
      return { answer: typed.answer, why: typed.why, ...present({ which: typed.which }) };
    default:
      return typed;
  }
}

/**
 * The sales declaration that the answers contain; undefined if they declare nothing about amounts or sales.
 */
export function declaredForAll(answers: readonly OrderAnswer[]): SalesChange | undefined {
  const treatments = answers.flatMap((answer) =>
    answer.answer === "declare_treatment" ? [[answer.code, answer.treatment] as const] : [],
  );
  const sales = answers.flatMap((answer) => (answer.answer === "declare_sales" ? [answer.sales] : []));
  const rates = answers.flatMap((answer) => (answer.answer === "rounding" ? [answer.rate] : []));
  if (treatments.length + sales.length + rates.length === 0) return undefined;
  return {
    ...Object.assign({}, ...sales.map(otherMembers)),
    ...destinationsIn(sales),
    ...Object.assign({}, ...rates.map((roundingRate) => ({ roundingRate }))),
    ...(treatments.length === 0 ? {} : { treatments: Object.fromEntries(treatments) }),
  };
}

/** The question of the order that the answer settles, if it becomes a setting; its one use is this order. */
export function answeredQuestion(
  answer: OrderAnswer,
  { reasons, facts }: { readonly reasons: readonly Reason[]; readonly facts: OrderFacts },
): AnsweredQuestion | undefined {
  const change = rememberedChange(answer);
  const asked = reasons.find((reason) => {
    const parts = questionParts(questionOf(reason, facts));
    return parts !== undefined && checkTogether(parts, answer).ok;
  });
  return change && asked && { question: questionOf(asked, facts), reason: asked, change, uses: 1 };
}

function otherMembers({ destinations: _, foreignSales: __, ...members }: OwnSales) {
  return members;
}

/** Merged by destination: an answer about one destination leaves the declarations of the others in place. */
function destinationsIn(sales: readonly OwnSales[]): Pick<SalesChange, "destinations"> {
  const destinations: Destinations = Object.assign({}, ...sales.map(answeredDestinations));
  return Object.keys(destinations).length === 0 ? {} : { destinations };
}

/** Counts the waiting orders with the same reason that this profile's declaration would decide. */
export async function countSimilar(
  accountId: string,
  query: SimilarOrdersQuery & { readonly profileId?: string },
  reads: ReviewReads,
): Promise<number> {
  const { waiting, profiles } = await reads.similar(accountId, query);
  const isTaken = ({ assignedProfileId, channel, storeId }: SimilarOrders) => {
    if (profiles.length === 0) return true;
    if (profiles.some(({ id }) => id === assignedProfileId)) return assignedProfileId === query.profileId;
    const found = matchProfile(
      {
        ...(channel === undefined ? {} : { sourceChannel: channel }),
        ...(storeId === undefined ? {} : { storeId }),
      },
      profiles,
    );
    return found.match === "one" && found.profile.id === query.profileId;
  };
  return waiting.filter(isTaken).reduce((orders, similar) => orders + similar.orders, 0);
}
