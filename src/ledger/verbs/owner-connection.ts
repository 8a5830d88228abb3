import { type OwnerDecision, type OwnerScope, UNCHANGED, write } from "./owner-decision.ts";

/** What its owner calls it: series, keys and whatever was issued do not depend on it. */
export function renameConnection(name: string, { reading }: OwnerScope): OwnerDecision {
  const { connectionName: before } = reading;
  if (name === before) return UNCHANGED;
  return write({ deed: "rename_connection", name }, { name, name_before: before });
}
