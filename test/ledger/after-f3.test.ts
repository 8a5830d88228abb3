/** After an F3, at the API and in the books, warm and cold (AEAT, FAQ for developers, 27). */
import { evictDurableObject } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { expectBooksConsistent, expectProven } from "../support/rules/consistency.ts";
import { type DirectAnswer, directCaller, sentLines } from "../support/worlds/http-calls.ts";
import { ledgerStub, openShop } from "../support/worlds/shop.ts";

const GROSS = { prices_include_tax: true };

describe.each(["warm", "cold"])("%s", (temperature) => {
  async function aCaller() {
    const shop = await openShop();
    const caller = directCaller(shop);
    const meanwhile = async () => {
      if (temperature === "cold") await evictDurableObject(ledgerStub(shop));
    };
    return { shop, caller, meanwhile };
  }

  test("a return is an R5 of the ticket and an F3 of that R5", async () => {
    const { shop, caller, meanwhile } = await aCaller();
    await caller.issue("t", "F2", "1x10@21", GROSS);
    const replaced = await caller.issue("f", "F3", "1x10@21", { ...GROSS, ...citing("t") });
    await meanwhile();
    const back = { ...GROSS, ...citing("t"), rectification_method: "difference" };
    const part = await caller.issue("r", "R5", "-1x3@21", back);
    await meanwhile();
    const taken = await caller.issue("g", "F3", "-1x3@21", { ...GROSS, ...citing("r") });
    expect([replaced, part, taken].map(({ totals }) => totals)).toEqual([
      "8.26 / 1.74 / 10",
      "-2.48 / -0.52 / -3",
      "-2.48 / -0.52 / -3",
    ]);
    await meanwhile();
    expect(await caller.issue("h", "F3", "-1x3@21", { ...GROSS, ...citing("r") })).toMatchObject({
      status: 422,
      code: "rectified_invoice_superseded",
    });
    expect(await caller.issue("x", "R5", "-1x7.01@21", back)).toMatchObject({
      code: "rectification_exceeds",
    });
    await meanwhile();
    expect(await caller.cancel("f")).toMatchObject({ status: 422, code: "cancellation_not_allowed" });
    expect(actingOn(await caller.read("t"))).toEqual(["F3 replacement", "R5 difference"]);
    expect(actingOn(await caller.read("r"))).toEqual(["F3 replacement"]);
    await expectBooksConsistent(shop.connectionId);
    await expectProven(shop.connectionId);
  });

  test("an F3 of the opposite undoes one, and the ticket is replaced again", async () => {
    const { shop, caller, meanwhile } = await aCaller();
    const ticket = await caller.issue("t", "F2", "1x10@21");
    await caller.issue("wrong", "F3", "1x10@21", citing("t"));
    await meanwhile();
    expect(await caller.issue("again", "F3", "1x10@21", citing("t"))).toMatchObject({
      code: "rectified_invoice_superseded",
    });
    const undone = await caller.issue("undo", "F3", "-1x10@21", citing("t"));
    expect([undone.status, undone.totals]).toEqual([201, "-10 / -2.1 / -12.1"]);
    await meanwhile();
    expect(actingOn(await caller.read("t"))).toEqual([]);
    expect(actingOn(await caller.read("wrong"))).toEqual(["F3 replacement"]);
    expect(await caller.cancel("wrong")).toMatchObject({ code: "cancellation_not_allowed" });
    expect(await caller.cancel("undo")).toMatchObject({ code: "cancellation_undoes" });
    await meanwhile();
    const right = await caller.issue("right", "F3", "1x10@21", citing("t"));
    expect([right.status, right.totals]).toEqual([201, "10 / 2.1 / 12.1"]);
    await meanwhile();
    const read = await caller.read("t");
    expect(actingOn(read)).toEqual(["F3 replacement"]);
    expect(read.data.totals).toEqual(ticket.data.totals);
    await expectBooksConsistent(shop.connectionId);
    await expectProven(shop.connectionId);
  });

  test("of an R5 with an undone F3 another F3 is issued", async () => {
    const { shop, caller, meanwhile } = await aCaller();
    await caller.issue("t", "F2", "1x10@21");
    await caller.issue("f", "F3", "1x10@21", citing("t"));
    await caller.issue("r", "R5", "-1x4@21", { ...citing("t"), rectification_method: "difference" });
    await caller.issue("g", "F3", "-1x4@21", citing("r"));
    await meanwhile();
    expect(await caller.issue("u", "F3", "1x4@21", citing("r"))).toMatchObject({ status: 201 });
    await meanwhile();
    expect(await caller.issue("g2", "F3", "-1x4@21", citing("r"))).toMatchObject({ status: 201 });
    await meanwhile();
    expect(await caller.issue("v", "F3", "-1x10@21", citing("t"))).toMatchObject({
      code: "rectification_incomplete",
    });
    expect(await caller.issue("v", "F3", "-1x6@21", citing("t", "r"))).toMatchObject({ status: 201 });
    await meanwhile();
    expect(await caller.issue("w", "F3", "1x6@21", citing("t", "r"))).toMatchObject({ status: 201 });
    await expectBooksConsistent(shop.connectionId);
  });
});

test("three tickets, one of them at the wrong rate", async () => {
  const caller = directCaller(await openShop());
  for (const [id, base] of [
    ["a", "1000"],
    ["b", "2000"],
    ["c", "2400"],
  ]) {
    const attested = {
      simplified_attestation: ATTESTATION,
      lines: sentLines(`1x${base}@21`, { line_id: "l1" }),
    };
    expect((await caller.issue(id ?? "", "F2", `1x${base}@21`, attested)).status).toBe(201);
  }
  const answers = [
    await caller.issue("f", "F3", "1x5400@21", citing("a", "b", "c")),
    await caller.issue("r", "R5", "-1x1000@21 1x1000@10", {
      ...citing("a"),
      rectification_method: "difference",
    }),
    await caller.issue("g", "F3", "-1x1000@21 1x1000@10", citing("r")),
  ];
  expect(answers.map(({ totals }) => totals)).toEqual([
    "5400 / 1134 / 6534",
    "0 / -110 / -110",
    "0 / -110 / -110",
  ]);
});

const ATTESTATION = {
  legal_basis: "article_4_2",
  buyer_role: "consumer",
  operation: "retail_sale",
  line_ids: ["l1"],
};

function citing(...externalIds: readonly string[]) {
  return { rectifies: externalIds.map((id) => ({ external_id: id })) };
}

function actingOn({ data }: DirectAnswer): string[] {
  const acting = data.rectified_by as readonly { readonly invoice_type: string; readonly kind: string }[];
  return acting.map(({ invoice_type: type, kind }) => `${type} ${kind}`);
}
