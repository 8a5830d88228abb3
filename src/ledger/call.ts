import type { Instruction } from "../usecases/instruction.ts";
import type { GateRefusal } from "../usecases/outcomes.ts";
import type { Gate } from "../usecases/ports.ts";

/** A call that waits for its turn: what it asks, and what the gate as it stands by then says to it. */
export interface Call {
  readonly instruction: Instruction;
  readonly refusedBy: (gate: Gate | undefined) => GateRefusal | undefined;
}
