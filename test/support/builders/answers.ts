/** Orders that an owner answers about, through the real decision. */
import type { CurrentOrder } from "../../../src/domain/order/answers/answer.ts";
import { type Answered, type OrderAnswer, withAnswer } from "../../../src/domain/order/answers/table.ts";
import type { OwnerAnswers } from "../../../src/domain/order/context.ts";
import { decideOrder } from "../../../src/domain/order/decide-order.ts";
import { newestFacts, type OrderFacts } from "../../../src/domain/order/facts.ts";
import { openGeneration } from "../../../src/domain/order/generation.ts";
import { refusalIn } from "../rules/readable.ts";
import { type Course, course, next, type Situation } from "./orders.ts";

/** An order somewhere in its life, and the settings of its decision. */
export interface Placed {
  readonly course: Course;
  readonly situation: Situation;
}

export function placed(facts: OrderFacts, situation: Situation = {}): Placed {
  return { course: course(facts, situation), situation };
}

/** The order again, changed or under other settings. */
export function later({ course: before, situation }: Placed, change: Partial<OrderFacts>, now?: Situation) {
  const under = { ...situation, ...now };
  return { course: next(before, change, under), situation: under };
}

/** The next payload, taken up as the ledger does. */
export function sends(place: Placed, change: Partial<OrderFacts>): Placed {
  const { facts, history, answers } = place.course.context;
  const { reissue } = answers;
  const soFar = {
    acted: history.acted,
    isInvoiced: history.invoice !== undefined,
    ...(reissue ? { generation: reissue.generation } : {}),
  };
  const received = { ...facts, asksFullInvoice: false, events: [], ...change };
  return later(place, newestFacts(facts, received, soFar).facts, { answers });
}

/** As the owner finds it: everything that was due is done. */
export function asItStands({ course: { context } }: Placed): CurrentOrder {
  const { state, reasons } = decideOrder(context);
  return { ...openGeneration(context), state, reasons };
}

/** The answer is taken and carried out; throws when it is refused. */
export function answering(place: Placed, answer: OrderAnswer): Placed & { readonly answered: Answered } {
  const result = withAnswer(answer, asItStands(place));
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.error)}`);
  const { answers } = result.value;
  return { ...later(place, {}, { answers }), answered: result.value };
}

/** `ok`, `repeat`, or the code of the refusal. */
export function verdict(place: Placed, answer: OrderAnswer): string {
  const result = withAnswer(answer, asItStands(place));
  if (!result.ok) return refusalIn(result).code;
  return result.value.isRepeat ? "repeat" : "ok";
}

export function answersIn({ course: { context } }: Placed): OwnerAnswers {
  return context.answers;
}
