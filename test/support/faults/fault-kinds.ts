import { type Fault, faults, type SqlPredicate } from "./faults.ts";
import { Signal } from "./signal.ts";

/** The ways in which a D1 round trip goes wrong; `faults.next(...)` puts one in the way of the next trip. */

function connectionLost(): Error {
  return new Error("D1_ERROR: Network connection lost.");
}

/** D1 is down: nothing is sent. */
export function failBefore(error: () => Error = connectionLost): Fault {
  return fault("failBefore", async () => {
    throw error();
  });
}

/** The call commits, and its answer is lost. */
export function loseAnswer(): Fault {
  return fault("loseAnswer", async (call) => {
    await call();
    throw connectionLost();
  });
}

/** The call commits, the hook runs (an abort of the object, say), and then the answer arrives. */
export function abortAfter(hook: () => void | Promise<void>): Fault {
  return fault("abortAfter", async (call) => {
    const answer = await call();
    await hook();
    return answer;
  });
}

/** No answer ever, and nothing is sent. */
export function hang(): Fault {
  const ended = new Signal();
  return fault(
    "hang",
    async () => {
      await ended.wait();
      throw connectionLost();
    },
    (error) => ended.set(error),
  );
}

export interface Gate extends Fault {
  /** Lets the trip go; `open(error)` makes it fail unsent instead. */
  open(error?: Error): void;
}

/** The trip waits here, unsent, until the test opens the gate. */
export function gate(): Gate {
  const opened = new Signal();
  const held = fault(
    "gate",
    async (call) => {
      await opened.wait();
      return call();
    },
    (error) => opened.set(error),
  );
  return { ...held, open: (error) => opened.set(error) };
}

interface Late extends Fault {
  /** Ends the wait of the caller, for `late({ givenUp: "on demand" })`. */
  giveUp(): void;
  /** The abandoned call now arrives at D1. Returns D1's answer, or throws its error. */
  release(): Promise<unknown>;
}

/** The caller gets a lost connection (at once, or at `giveUp()`); the real call is kept, unsent. */
export function late(options: { givenUp: "at once" | "on demand" } = { givenUp: "at once" }): Late {
  const givenUp = new Signal();
  let kept: (() => Promise<unknown>) | undefined;
  const held = fault(
    "late",
    async (call) => {
      kept = call;
      if (options.givenUp === "on demand") await givenUp.wait();
      throw connectionLost();
    },
    (error) => givenUp.set(error),
  );
  return {
    ...held,
    giveUp: () => givenUp.set(),
    async release() {
      if (kept === undefined) throw new Error("no trip has met this fault yet");
      return kept();
    },
  };
}

function fault(name: string, around: Fault["around"], end: (error: Error) => void = () => {}): Fault {
  const met = new Signal();
  return {
    name,
    reached: () => met.wait(),
    around(call) {
      met.set();
      return around(call);
    },
    cancel: () => end(new Error(`faults.reset() ended a trip held by "${name}"`)),
  };
}

interface AnswerGate extends Fault {
  /** Resolves when D1 has executed the call; its answer is still on the way. */
  answered(): Promise<void>;
  open(): void;
}

/** The call reaches D1 at once; its answer, with the state of that time, waits for the test. */
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

/** Faults that a course of chance can have in its way. */

export const FAULT_STEPS = ["loseAnswer", "failBefore", "failTwice", "poison"] as const;
export type FaultStep = (typeof FAULT_STEPS)[number];

/** `poison`: a batch of that kind that fails as often as it is sent before it is sent alone. */
export function strike(step: FaultStep, poisoned: SqlPredicate) {
  switch (step) {
    case "loseAnswer":
      return faults.next(loseAnswer());
    case "failBefore":
      return faults.next(failBefore());
    case "failTwice":
      return faults.next(failBefore(), { times: 2 });
    case "poison":
      return faults.when(poisoned, failBefore(), { times: 2 });
  }
}
