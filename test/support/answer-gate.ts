import { abortAfter } from "./fault-kinds.ts";
import type { Fault } from "./faults.ts";
import { Signal } from "./signal.ts";

export interface AnswerGate extends Fault {
  /** Resolves when D1 has done what was asked; its answer is still on the way. */
  answered(): Promise<void>;
  open(): void;
}

/** The call reaches D1 at once; its answer, which tells how things stood then, waits for the test. */
export function answerGate(): AnswerGate {
  const answered = new Signal();
  const opened = new Signal();
  const fault = abortAfter(async () => {
    answered.set();
    await opened.wait();
  });
  return {
    ...fault,
    name: "answerGate",
    answered: () => answered.wait(),
    open: () => opened.set(),
    cancel: () => opened.set(new Error("faults.reset() ended a trip held by an answer gate")),
  };
}
