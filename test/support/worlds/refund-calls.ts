/** Refunds and other changes of a sale over the owner's API. */
import { expect } from "vitest";
import type { Browser } from "./console.ts";

let keys = 0;

/** The routes of one invoice, with the total of the preview confirmed. */
export function refunds(owner: Browser, accountId: string, invoice: string) {
  const base = `/api/accounts/${accountId}/invoices/${invoice}`;
  const preview = async (asked: object, who = owner) => {
    const { status, body } = await who.post(`${base}/rectifications/preview`, asked);
    expect(status).toBe(200);
    return body.data;
  };
  const send = (asked: object, who = owner) => who.post(`${base}/rectifications`, asked);
  return {
    preview,
    send,
    detail: async () => (await owner.get(base)).body.data,
    async act(asked: object) {
      keys += 1;
      const { total } = await preview(asked);
      const sent = {
        cause: "Llegó rota",
        ...asked,
        idempotency_key: `deed-refund-${keys}`,
        expects: { total },
      };
      const answer = await send(sent);
      return { ...answer, sent, total };
    },
  };
}
