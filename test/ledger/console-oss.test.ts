/** Sales through the one-stop shop and full invoices without recipient, as the console tells of them. */
import { beforeEach, describe, expect, test } from "vitest";
import { type ShopConsole, shopConsole } from "../support/worlds/console.ts";
import { aSentLine, aSentOrder } from "../support/worlds/order-calls.ts";
import { act } from "../support/worlds/shop.ts";

const BUYER = { first_name: "Luc", last_name: "Martin", country: "FR" };
const AT_10 = { total: 110, client: BUYER, breakdown: [aSentLine(100, 10, 10)] };
const AT_20 = { total: 120, client: BUYER, breakdown: [aSentLine(100, 20, 20)] };
const DOUBT = { country: "FR", rate: "10", standard: "20" };

let shop: ShopConsole;
const preview = async (id: string, answers: readonly object[] = []) =>
  (await shop.owner.post(shop.of("/order/preview"), { order_id: id, answers })).body.data;
const order = async (id: string) => (await shop.owner.get(shop.of("/order", { order_id: id }))).body.data;
const invoiceOf = async (id: string) => {
  const [document] = (await order(id)).documents;
  return (await shop.owner.get(shop.at(`/invoices/${document.id}`))).body.data;
};

beforeEach(async () => {
  shop = await shopConsole();
});

describe("an order to France at 10 %", () => {
  test("is asked about, and with the answer its tax is that of France, with a warning", async () => {
    await shop.connector.send(aSentOrder("a", AT_10));
    const answer = { answer: "declare_sales", sales: { destinations: { eu_consumer: "oss" } } };
    const [draft] = (await preview("a", [answer])).drafts;
    expect(draft).toMatchObject({
      groups: [{ regime: "17", country: "FR", rate: "10" }],
      ossDoubts: [DOUBT],
      documentaryRegime: "art6_full",
    });
    // The warning blocks nothing.
    const answered = await shop.owner.post(shop.of("/order/answers"), { order_id: "a", answers: [answer] });
    expect(answered.body.data.state).toBe("invoiced");
  });

  test("says so on its invoice and its order, and names the invoice by article 6.1.d", async () => {
    await act(shop.shop, { verb: "declare_sales", change: { destinations: { euConsumer: "oss" } } });
    await shop.connector.send(aSentOrder("a", AT_10));
    expect(await order("a")).toMatchObject({
      ossDoubts: [DOUBT],
      documents: [{ invoiceType: "F2", unnamed: true }],
    });
    const invoice = await invoiceOf("a");
    expect(invoice).toMatchObject({
      ...{ invoiceType: "F2", unnamed: true },
      amounts: { groups: [{ regime: "17", country: "FR", rate: "10" }], ossDoubts: [DOUBT] },
    });
    expect(invoice.sheet.html.replaceAll("\u00a0", " ")).toContain("IVA de Francia 10 %");
    const { items } = (await shop.owner.get(shop.at("/invoices"))).body.data;
    expect(items).toMatchObject([{ invoiceType: "F2", unnamed: true }]);
  });

  test("its lines that go back name the tax too", async () => {
    await act(shop.shop, { verb: "declare_sales", change: { destinations: { euConsumer: "oss" } } });
    await shop.connector.send(aSentOrder("a", AT_10));
    const { id } = await invoiceOf("a");
    const lines = await shop.owner.post(shop.at(`/invoices/${id}/rectifications/preview`), {
      ...{ what: "refund", lines: [], cause: "" },
    });
    expect(lines.body.data.lines).toMatchObject([{ regime: "17", country: "FR", rate: "10" }]);
  });
});

test("the standard rate of the country, and a ticket of Spain, need no warning", async () => {
  await act(shop.shop, { verb: "declare_sales", change: { destinations: { euConsumer: "oss" } } });
  await shop.connector.send(aSentOrder("a", AT_20));
  await shop.connector.send(aSentOrder("b"));
  expect((await order("a")).ossDoubts).toEqual([]);
  const ticket = await invoiceOf("b");
  expect(ticket.amounts).toMatchObject({ groups: [{ rate: "21" }] });
  // An invoice without doubts has no list of them.
  expect(ticket.amounts).not.toHaveProperty("ossDoubts");
  expect(ticket.amounts.groups[0].country).toBeUndefined();
  expect(ticket.unnamed).toBeUndefined();
});
