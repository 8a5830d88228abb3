/** The calls that make a sale: an invoice directly, or an order. */
import { type preparedInvoice, submissionOf } from "./callers.ts";
import type { OrderStep } from "./steps.ts";
import type { World } from "./world.ts";

/** A known external_id is never refused, and only the same body is its replay. */
export async function issue(world: World, invoice: ReturnType<typeof preparedInvoice>): Promise<void> {
  const { callers, shops } = world;
  const { direct } = shops;
  const key = callers.callerOf(direct);
  const { externalId } = invoice.request;
  const isKnown = callers.told.some(
    ({ about, outcome }) => about === `issue ${externalId}` && "invoice" in outcome,
  );
  const outcome = await callers.settle(direct, `issue ${externalId}`, () =>
    callers.to(direct).issueInvoice(key, invoice),
  );
  if (!outcome) return;
  if (isKnown && outcome.outcome === "refused")
    world.fail("answer", `${externalId} is known, and was refused`);
  if ("invoice" in outcome && outcome.invoice.document.fingerprint !== invoice.fingerprint) {
    world.fail("answer", `${externalId} was answered with the invoice of another body`);
  }
}

export function sendOrder({ callers, shops }: World, step: OrderStep): Promise<unknown> {
  const shop = shops[step.shop];
  const [caller, submission] = [callers.callerOf(shop), submissionOf(step)];
  return callers.settle(shop, `order ${step.id}`, () => callers.to(shop).submitOrder(caller, submission));
}
