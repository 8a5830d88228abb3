import { type Context, Hono } from "hono";
import * as z from "zod";
import { isoInstant } from "../../domain/shared/instant.ts";
import { assertNever } from "../../domain/shared/result.ts";
import type { ConsoleEnv } from "../deps.ts";
import { freshlySignedIn } from "../gates.ts";
import { refuse } from "../refuse.ts";
import { body } from "../shapes.ts";
import { beginSetUp, type CodeRefusal, confirmSetUp, endSecondStep } from "./second-factor.ts";
import { type Concerned, recordSecurity, refuseAndRecord } from "./security.ts";

/** Of the second step: six digits or a recovery code, with spaces as it may be typed. */
export const typedCodeText = z.string().min(1).max(64);
export const codeBody = z.strictObject({ code: typedCodeText });

/** The person's own two-step verification, below `/api/me/second-factor`. */
export const secondFactorRoutes = new Hono<ConsoleEnv>()
  .get("/", async (c) => {
    const { deps, user } = c.var;
    const shown = await deps.login.factors.shownOf(user.id);
    const data = shown
      ? { isOn: true, since: isoInstant(shown.confirmedAt), codesLeft: shown.codesLeft }
      : { isOn: false, since: null, codesLeft: 0 };
    return c.json({ success: true as const, data });
  })
  .post("/set-up", freshlySignedIn, async (c) => {
    const { deps, user, session } = c.var;
    const begun = await beginSetUp({ person: user, session }, deps.login);
    if (!begun) return refuse(c, "second_factor_on");
    return c.json({ success: true as const, data: begun });
  })
  .post("/confirm", freshlySignedIn, body(codeBody), async (c) => {
    const { deps, user, session } = c.var;
    const { code } = c.req.valid("json");
    const { id: userId, email } = user;
    const confirmed = await confirmSetUp({ person: user, session, code }, deps.login);
    if (confirmed.outcome === "set_up_ended") return refuse(c, "set_up_ended");
    if (confirmed.outcome !== "done") return refuseCode(c, confirmed, { userId, email });
    await recordSecurity(c, "second_factor_on", { userId, email });
    return c.json({ success: true as const, data: { recoveryCodes: confirmed.codes } });
  })
  .delete("/", freshlySignedIn, body(codeBody), async (c) => {
    const { deps, user, session } = c.var;
    const { code } = c.req.valid("json");
    const { id: userId, email } = user;
    const ended = await endSecondStep({ person: user, session, code }, deps.login);
    if (ended.outcome === "is_off") return refuse(c, "second_factor_off");
    if (ended.outcome !== "done") return refuseCode(c, ended, { userId, email });
    await recordSecurity(c, "second_factor_off", { userId, email });
    return c.json({ success: true as const, data: {} });
  });

/** Refuses a missing, wrong or delayed code; the person gets a notice of the last wrong one. */
export async function refuseCode(
  c: Context<ConsoleEnv>,
  refusal: CodeRefusal,
  { userId, email }: Required<Pick<Concerned, "userId" | "email">>,
): Promise<never> {
  switch (refusal.outcome) {
    case "code_required":
      return refuseAndRecord(c, "second_factor_required", { event: "code_asked", of: { email } });
    case "code_delayed": {
      const delay = { event: "sign_in_delayed", of: { email } } as const;
      return refuseAndRecord(c, "too_many_attempts", {
        ...delay,
        retryAfterSeconds: refusal.waitMs / 1_000,
      });
    }
    case "code_wrong":
      if (refusal.isLast) await recordSecurity(c, "many_wrong_codes", { userId, email });
      return refuseAndRecord(c, "code_wrong", { event: "code_refused", of: { email } });
    default:
      return assertNever(refusal);
  }
}
