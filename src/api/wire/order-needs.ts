import * as z from "zod";
import { ZERO } from "../../domain/shared/decimal.ts";
import type { Problem } from "../../words/words.ts";

/**
 * What is required only together. It runs beside the members' own checks, so that one answer names every
 * problem; hence it can take nothing for granted about what it reads.
 */
export const whatAnOrderNeeds = z.check((payload) => {
  const report = (member: string, problem: Problem) =>
    payload.issues.push({ code: "custom", input: payload.value, path: [member], params: { problem } });
  const isFaulty = (member: string) => payload.issues.some(({ path }) => path?.[0] === member);
  const sentOf = (member: string) => memberOf(payload.value, member);
  const isUndated = sentOf("order_date") === undefined && sentOf("paid_at") === undefined;
  if (isUndated && !isFaulty("order_date") && !isFaulty("paid_at"))
    report("order_date", { kind: "required" });
  const lines = sentOf("breakdown");
  const isEmpty = Array.isArray(lines) && lines.length === 0;
  if (isEmpty && sentOf("total") !== ZERO && !isFaulty("total")) report("breakdown", { kind: "empty" });
});
whatAnOrderNeeds._zod.def.when = ({ value }) =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}
