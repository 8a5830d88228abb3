import { type Context, Hono } from "hono";
import { assertNever } from "../../domain/shared/result.ts";
import type { ConsoleEnv } from "../deps.ts";
import { question } from "../gates.ts";
import { act } from "../owner-verb.ts";
import { refuse, refuseByRule, refuseUnavailable } from "../refuse.ts";
import { body } from "../valid.ts";
import { answeredOrder, toldOutcome } from "./answer-outcome.ts";
import { declaredForAll } from "./declare-for-all.ts";
import { answersBody, manyBody, previewBody } from "./orders-shapes.ts";
import { shownPreview } from "./shown-preview.ts";

/** What an owner says of one order. */
export const answerRoutes = new Hono<ConsoleEnv>()
  .post("/order/preview", question, body(previewBody), async (c) => {
    const { owner, connection, requestId, language } = c.var;
    const { order_id: idExternal, answers } = c.req.valid("json");
    const outcome = await owner.previewOrder(connection.id, { idExternal, answers, requestId });
    switch (outcome.outcome) {
      case "previewed":
        return c.json({ success: true as const, data: shownPreview(outcome.preview, language) });
      case "refused":
        return refuseByRule(c, outcome.refusal);
      case "unauthorized":
      case "rate_limited":
        return refuseUnavailable(c, { cause: outcome.outcome });
      case "unavailable":
      case "failed":
        return refuseUnavailable(c, outcome);
      default:
        return assertNever(outcome);
    }
  })
  .post("/order/answers", body(answersBody), async (c) => {
    const { owner, connection, requestId, user } = c.var;
    const { order_id: idExternal, answers, for_all: forAll } = c.req.valid("json");
    const asking = { userId: user.id, idExternal, requestId };
    // What is declared for all comes last: it has the others decided, and this order is to be done by then.
    const outcome =
      answers.length === 0
        ? await owner.decideAgain(connection.id, asking)
        : await owner.answerTogether(connection.id, { ...asking, answers });
    const order = answeredOrder(c, outcome);
    const change = forAll
      ? declaredForAll(forAll.answers.flatMap((index) => answers[index] ?? []))
      : undefined;
    if (!forAll || !change) return c.json({ success: true as const, data: order });
    const { profile_id: profileId } = forAll;
    await act(c, { verb: "declare_sales", change, ...(profileId === undefined ? {} : { profileId }) });
    return c.json({ success: true as const, data: order });
  });

/** One answer to many orders, of one connection or several: each is told what became of it. */
export const manyAnswersRoutes = new Hono<ConsoleEnv>().post("/review/answers", body(manyBody), async (c) => {
  const { deps, requestId, user, language } = c.var;
  const { orders, answer } = c.req.valid("json");
  await refuseStrangers(c, [...new Set(orders.map(({ connection }) => connection))]);
  const outcomes = await Promise.all(
    orders.map(async ({ connection, order_id: idExternal }) => {
      const answering = { userId: user.id, idExternal, answer, requestId };
      const outcome = await deps.owner(connection).answerOrder(connection, answering);
      return { connectionId: connection, orderId: idExternal, ...toldOutcome(outcome, language) };
    }),
  );
  return c.json({ success: true as const, data: { outcomes } });
});

/** A connection that is not the account's is, for its owner, one that does not exist. */
async function refuseStrangers(c: Context<ConsoleEnv>, connections: readonly string[]): Promise<void> {
  const { account, reads } = c.var;
  const known = await Promise.all(
    connections.map((id) => reads.accounts.readConnection(account.accountId, id)),
  );
  if (known.some((connection) => connection === undefined)) return refuse(c, "not_found");
}
