/** Steps of people in the console: acts by lines, one answer to equal questions, invoices by hand. */
import type { SaleChange } from "../../src/domain/invoice/rectified-lines.ts";
import { aSentOrder, type SentBody } from "../support/builders/sent-bodies.ts";
import type { Chance } from "./chance.ts";

/**
 * The same request twice at once, two people who saw the same, one who acts long after the preview, or after
 * another has changed what it showed.
 */
export const MANNERS = ["once", "twice at once", "two people", "late", "overtaken"] as const;
export type Manner = (typeof MANNERS)[number];

/** What goes back of a line. */
export const PORTIONS = ["pieces", "ten", "thirds", "rest"] as const;
export type Portion = (typeof PORTIONS)[number];

export interface ByLines {
  readonly what: SaleChange;
  readonly portion: Portion;
  readonly everyLine: boolean;
  readonly manner: Manner;
}

export type ConsoleStep =
  | ({ readonly do: "rectify direct" | "rectify order" } & ByLines)
  | { readonly do: "order that asks"; readonly id: AskingId; readonly changed: number }
  | {
      readonly do: "answer question";
      readonly fee: Fee;
      readonly answer: "fee" | "dismiss";
      readonly leavesOut: boolean;
      readonly remember: boolean;
      readonly manner: Manner;
    }
  | { readonly do: "write draft"; readonly pieces: number }
  | { readonly do: "save draft"; readonly nth: number; readonly pieces: number; readonly isOld: boolean }
  | { readonly do: "issue draft"; readonly nth: number; readonly manner: Manner }
  | { readonly do: "discard draft"; readonly nth: number };

export const CONSOLE_STEPS = [
  ...["rectify direct", "rectify order", "order that asks", "answer question"],
  ...["write draft", "save draft", "issue draft", "discard draft"],
] as const;

const NAMES: ReadonlySet<string> = new Set(CONSOLE_STEPS);

export function isOfConsole<Other extends { readonly do: string }>(
  step: Other | ConsoleStep,
): step is ConsoleStep {
  return NAMES.has(step.do);
}

const FEES = ["fee_a", "fee_b"] as const;
type Fee = (typeof FEES)[number];

/** Each asks about an amount whose treatment is not known; the first three about the same one. */
const ASKING = ["q1", "q2", "q3", "q4", "q5"] as const;
export type AskingId = (typeof ASKING)[number];

export function isAsking(id: string): boolean {
  return ASKING.some((each) => each === id);
}

export const ASKING_TOTAL = "124.63";

/** The order of that id at the nth change of its customer's name. */
export function askingBody(id: AskingId, changed: number): SentBody {
  const code = feeOf(id);
  return aSentOrder(id, {
    ...{ total: Number(ASKING_TOTAL), order_date: "2026-10-12 12:00:00" },
    updated_at: `2026-10-20T11:0${changed}:00Z`,
    client: { first_name: "Ana", last_name: `Pérez ${changed}`, country: "ES" },
    unmapped_totals: [{ code, title: "Recargo", value: 3.63 }],
  });
}

/** The orders that ask about this amount. */
export function askingAbout(fee: Fee): readonly AskingId[] {
  return ASKING.filter((id) => feeOf(id) === fee);
}

function feeOf(id: AskingId): Fee {
  return ASKING.indexOf(id) < 3 ? FEES[0] : FEES[1];
}

export function questionAbout(fee: Fee): string {
  return JSON.stringify(["untreated_total", fee]);
}

export function drawConsoleStep(chance: Chance): ConsoleStep {
  const manner = chance.weighted<Manner>([
    [3, "once"],
    [2, "twice at once"],
    [3, "two people"],
    [2, "late"],
    [3, "overtaken"],
  ]);
  const nth = chance.below(3);
  const pieces = chance.between(1, 4);
  const isOften = chance.is(0.5);
  const what = chance.weighted<SaleChange>([
    [6, "refund"],
    [3, "price_reduction"],
    [1, "substitution"],
    [1, "void"],
  ]);
  const byLines = { what, portion: chance.pick(PORTIONS), everyLine: isOften, manner };
  return chance.weighted<() => ConsoleStep>([
    [5, () => ({ do: "rectify direct", ...byLines })],
    [6, () => ({ do: "rectify order", ...byLines })],
    [6, () => ({ do: "order that asks", id: chance.pick(ASKING), changed: chance.below(3) })],
    [
      4,
      () => ({
        ...{ do: "answer question", fee: chance.pick(FEES), leavesOut: isOften, manner },
        answer: chance.is(0.8) ? "fee" : "dismiss",
        remember: chance.is(0.3),
      }),
    ],
    [3, () => ({ do: "write draft", pieces })],
    [2, () => ({ do: "save draft", nth, pieces, isOld: chance.is(0.3) })],
    [5, () => ({ do: "issue draft", nth, manner })],
    [1, () => ({ do: "discard draft", nth })],
  ])();
}
