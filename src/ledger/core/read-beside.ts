import type { Gate } from "../../db/ledger-state.ts";

/** The gate that is known is asked before anything is sent, and the one that came with the reading again. */
export async function readBeside<Reading extends { readonly gate: Gate }, Out>(
  known: Gate | undefined,
  refusedBy: (gate: Gate) => Out | undefined,
  read: () => Promise<Reading>,
  tell: (reading: Reading) => Out,
): Promise<Out> {
  const refusal = known && refusedBy(known);
  if (refusal) return refusal;
  const reading = await read();
  return refusedBy(reading.gate) ?? tell(reading);
}
