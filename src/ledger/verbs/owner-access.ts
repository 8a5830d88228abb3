import { registerOrigin } from "../../domain/viewer/access.ts";
import { pageOrigin } from "../../domain/viewer/origin.ts";
import { type OwnerDecision, type OwnerScope, refused, UNCHANGED, write } from "./owner-decision.ts";

/** Off ends every viewer URL there is; on again revives none of them. */
export function switchCustomerAccess(enabled: boolean, { reading }: OwnerScope): OwnerDecision {
  if (reading.access.isOn === enabled) return UNCHANGED;
  return write({ deed: "switch_access", isOn: enabled }, { enabled: String(enabled) });
}

export function addOrigin(text: string, { reading }: OwnerScope): OwnerDecision {
  const registered = registerOrigin(text, reading.origins);
  if (!registered.ok) return refused(registered.error);
  const origin = registered.value;
  if (reading.origins.includes(origin)) return UNCHANGED;
  return write({ deed: "add_origin", origin }, { origin });
}

/** That of a reported store stays allowed all the same. */
export function removeOrigin(text: string, { reading }: OwnerScope): OwnerDecision {
  const origin = pageOrigin(text);
  if (origin === undefined || !reading.origins.includes(origin)) return UNCHANGED;
  return write({ deed: "remove_origin", origin }, { origin });
}

/** For good, whoever reports it: only the owner registers it again. Registered it goes, too. */
export function refuseOrigin(text: string, { reading }: OwnerScope): OwnerDecision {
  const origin = pageOrigin(text);
  const reported = reading.storeOrigins.find((one) => one.origin === origin);
  if (!reported) return UNCHANGED;
  if (reported.refusedAt !== undefined && !reading.origins.includes(reported.origin)) return UNCHANGED;
  const { origin: refused, storeId, seenAt } = reported;
  return write({ deed: "refuse_origin", origin: refused, storeId, seenAt }, { origin: refused });
}
