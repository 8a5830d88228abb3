/** Numbers that a request cites as issued elsewhere are looked up in the books of the whole account. */
import { evictDurableObject } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { aSentLine, aSentOrder } from "../support/builders/sent-bodies.ts";
import { expectBooksConsistent } from "../support/rules/consistency.ts";
import { type Body, type DirectAnswer, directCaller, postOrder } from "../support/worlds/http-calls.ts";
import { ledgerStub, openShop } from "../support/worlds/shop.ts";

const INVALID = { status: 422, code: "rectified_reference_invalid", path: "rectifies.0" };
const BY_DIFFERENCE = { rectification_method: "difference" };

describe.each(["warm", "cold"])("%s", (temperature) => {
  async function anAccount() {
    const shop = await openShop();
    const sister = await openShop({ accountId: shop.accountId, connection: { name: "Otra tienda" } });
    const meanwhile = async () => {
      if (temperature === "cold") await evictDurableObject(ledgerStub(shop));
    };
    return { shop, sister, caller: directCaller(shop), meanwhile };
  }

  test("a direct invoice of the connection is the one with the number", async () => {
    const { shop, caller, meanwhile } = await anAccount();
    const issued = await caller.issue("e1", "F1", "1x100@21");
    await meanwhile();
    const rectifies = [stating(issued, "F1")];
    const part = await caller.issue("r1", "R1", "-1x40@21", { ...BY_DIFFERENCE, rectifies });
    expect([part.status, part.totals]).toEqual([201, "-40 / -8.4 / -48.4"]);
    expect(part.data.rectifies).toMatchObject([{ external_id: "e1", number: issued.number }]);
    await meanwhile();
    const beyond = await caller.issue("r2", "R1", "-1x60.01@21", { ...BY_DIFFERENCE, rectifies });
    expect(beyond).toMatchObject({ status: 422, code: "rectification_exceeds" });
    await meanwhile();
    const replayed = await caller.issue("r1", "R1", "-1x40@21", { ...BY_DIFFERENCE, rectifies });
    expect([replayed.status, replayed.number]).toEqual([200, part.number]);
    const wrong = [{ ...stating(issued, "F1"), issue_date: "2025-01-01", base: 1000 }];
    await meanwhile();
    const refused = await caller.issue("r2", "R1", "-1x1@21", { ...BY_DIFFERENCE, rectifies: wrong });
    expect(refused).toMatchObject(INVALID);
    expect(refused.error).toContain("its base is 100.00");
    await expectBooksConsistent(shop.connectionId);
  });

  test("an F3 that went wrong is undone by the tickets' numbers", async () => {
    const { shop, caller, meanwhile } = await anAccount();
    const ticket = await caller.issue("t", "F2", "1x10@21");
    const rectifies = [stating(ticket, "F2")];
    await meanwhile();
    const issue = (id: string, lines: string) => caller.issue(id, "F3", lines, { rectifies });
    expect((await issue("wrong", "1x10@21")).status).toBe(201);
    await meanwhile();
    expect(await issue("again", "1x10@21")).toMatchObject({ code: "rectified_invoice_superseded" });
    expect((await issue("undo", "-1x10@21")).status).toBe(201);
    await meanwhile();
    expect((await issue("right", "1x10@21")).status).toBe(201);
    await expectBooksConsistent(shop.connectionId);
  });

  test("one of an order, or of another connection, is corrected there", async () => {
    const { shop, sister, caller, meanwhile } = await anAccount();
    const line = aSentLine(100, 21, 21);
    const order = await postOrder(shop, aSentOrder("1001", { breakdown: [line] }));
    const ofOrder = order.body.data?.invoices[0]?.full_number ?? "none";
    const ofSister = await directCaller(sister).issue("t1", "F2", "1x100@21");
    const amounts = { issue_date: "2025-01-01", invoice_type: "F2", base: 100, tax: 21 };
    for (const [number, place] of [
      [ofOrder, "“1001”"],
      [ofSister.number, "“Otra tienda”"],
    ]) {
      const rectifies = [{ number, ...amounts }];
      await meanwhile();
      const part = await caller.issue("r1", "R5", "-1000x1@21", { ...BY_DIFFERENCE, rectifies });
      expect(part).toMatchObject(INVALID);
      expect(part.error).toContain(place);
      const whole = { rectification_method: "substitution", rectifies };
      expect(await caller.issue("r1", "R5", "1x50@21", whole)).toMatchObject(INVALID);
      await meanwhile();
      expect(await caller.issue("f1", "F3", "1x100@21", { rectifies })).toMatchObject(INVALID);
    }
    expect(await caller.read("r1")).toMatchObject({ status: 404 });
  });

  test("that of another account is issued elsewhere", async () => {
    const { caller, meanwhile } = await anAccount();
    const stranger = await openShop();
    const second = await openShop({ accountId: stranger.accountId });
    const foreign = await directCaller(second).issue("t1", "F2", "1x100@21");
    const third = { ...stating(foreign, "F2"), number: foreign.number?.replace("-2S-", "-3S-") };
    await meanwhile();
    const rectifies = [third];
    expect((await caller.issue("r1", "R5", "-1x1@21", { ...BY_DIFFERENCE, rectifies })).status).toBe(201);
  });
});

/** As a caller states an invoice that another system issued. */
function stating({ number, data }: DirectAnswer, invoiceType: string): Body {
  const totals = data.totals as { readonly base: number; readonly tax: number };
  const { base, tax } = totals;
  return { number, issue_date: data.issue_date, invoice_type: invoiceType, base, tax };
}
