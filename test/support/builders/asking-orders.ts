/** Orders that ask about the treatment of an amount, the question that they share, and an answer to it. */
import { aSentLine } from "./sent-bodies.ts";

/** Asks about the fee alone. */
export const ASKS_ABOUT_FEE = {
  total: 124.63,
  unmapped_totals: [{ code: "cod_fee", title: "Recargo", value: 3.63 }],
};

/** Asks about the fee too, and then for a recipient: above the limit of a simplified invoice. */
export const ASKS_ABOUT_FEE_AND_RECIPIENT = {
  total: 415.11,
  breakdown: [aSentLine(340.07, 71.41, 21)],
  unmapped_totals: [{ code: "COD_FEE", title: "Recargo", value: 3.63 }],
};

export const FEE_AS_CHARGE = {
  answer: "declare_treatment",
  code: "cod_fee",
  treatment: { as: "fee", rate: "21" },
};

/** The question as the console names it. */
export const ABOUT_FEE = '["untreated_total","cod_fee"]';
