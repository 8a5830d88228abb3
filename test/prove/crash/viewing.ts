/** The expected content of a customer's URL, by the documentation. */
import { type Problem, unless } from "../../support/rules/book-rules.ts";
import { DONE, memberOf, type Told } from "./call.ts";

/** Around the end of its half hour either answer is right. */
const MARGIN_MS = 60_000;

/** The allowed answers at that URL now. */
export function pageAnswers(access: Told, told: readonly Told[], now: number): readonly string[] {
  const endsAt = Date.parse(String(memberOf(access.data, "expires_at")));
  if (now > endsAt + MARGIN_MS) return ["gone"];
  const { off, on } = switchesOf(access, told);
  const wasBefore = off !== undefined && access.ended < off.began;
  const isAfter = off === undefined || (on !== undefined && access.began > on.ended);
  if (wasBefore) return ["gone"];
  return isAfter && now < endsAt - MARGIN_MS ? [DONE] : [DONE, "gone"];
}

/** While access was off no customer got a URL; while it was on every customer did. */
export function accessProblems(told: readonly Told[]): Problem[] {
  return told
    .filter(({ call }) => call.kind === "access")
    .flatMap((access) => {
      const { off, on } = switchesOf(access, told);
      const isWhileOff = off && access.began > off.ended && (!on || access.ended < on.began);
      const isWhileOn = !off || access.ended < off.began || (on && access.began > on.ended);
      const isDisabled = access.code === "customer_access_disabled";
      const { id } = access.call;
      return [
        ...unless(!isWhileOff || isDisabled, "answer", `${id} was answered while access was off`),
        ...unless(!isWhileOn || !isDisabled, "answer", `${id} was refused while access was on`),
      ];
    });
}

function switchesOf({ call: { connection } }: Told, told: readonly Told[]) {
  const [off, on] = told.filter(
    ({ call }) => call.kind === "switch_access" && call.connection === connection,
  );
  return { off, on };
}
