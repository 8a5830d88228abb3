import { describe, expect, test } from "vitest";
import { readDelivered, withStored } from "../../../src/domain/shop/documents.ts";
import { documentIn, entriesIn, refundsIn } from "../../../src/domain/shop/envelopes.ts";
import { SHOP_PLATFORMS } from "../../../src/domain/shop/presets.ts";
import { readXml } from "../../../src/domain/shop/prestashop/xml.ts";

const NAMES = ["order_slips", "order_slip"];
const [A, B] = [
  { id: 1, amount: "2" },
  { id: 2, amount: "3" },
];

describe("lists in their envelopes", () => {
  test.each<[string, unknown, readonly unknown[]]>([
    ["a list", [A, B], [A, B]],
    ["one", A, [A]],
    ["a named list", { order_slips: [A, B] }, [A, B]],
    ["the name of an entry", { order_slip: [A, B] }, [A, B]],
    ["two envelopes", { order_slips: { order_slip: [A, B] } }, [A, B]],
    ["two envelopes around one", { order_slips: { order_slip: A } }, [A]],
    ["each in an envelope", [{ order_slip: A }, { order_slip: B }], [A, B]],
    ["numbered members", { "0": A, "7": B }, [A, B]],
    ["one without an id", { amount: "2" }, [{ amount: "2" }]],
    ["an empty list", { order_slips: [] }, []],
    ["an empty element", { order_slips: "" }, []],
    ["null in an envelope", { order_slips: null }, []],
    ["an empty object", {}, []],
    ["nothing", undefined, []],
    ["a text", "<html>", []],
  ])("%s", (_, document, expected) => {
    expect(entriesIn(document, NAMES).map(({ value }) => value)).toEqual(expected);
  });

  test("envelopes without end have no entries, and do not overflow", () => {
    let deep: unknown = A;
    for (let depth = 0; depth < 20_000; depth += 1) deep = { order_slip: [deep] };
    expect(entriesIn(deep, NAMES)).toHaveLength(1);
    expect(
      documentIn({ order: { order: { id: 4 } } }, "order")
        .at("id")
        .id(),
    ).toBe("4");
  });

  test.each([
    ["woocommerce", { refunds: [{ id: 1 }, { id: 1, amount: "2" }] }],
    ["shopify", { refunds: [{ id: "gid://shopify/Refund/1" }, { id: 1 }] }],
    ["prestashop", { order_slips: { order_slip: { id: "1" } }, order_slip: [{ id: 1 }] }],
    ["magento", { creditmemos: { items: [{ entity_id: 1, items: [{ sku: "a" }] }], total_count: 1 } }],
  ] as const)("%s: a refund in two forms is one", (platform, documents) => {
    expect(refundsIn(platform, documents)).toHaveLength(1);
  });
});

describe("stored and delivered documents", () => {
  const stored = (documents: object) => JSON.stringify(documents);

  test("refunds of both count, in whatever envelope they come", () => {
    const merged = withStored(
      "prestashop",
      { order_slips: { order_slip: B } },
      stored({ order: { id: 5 }, order_slips: { order_slips: [A] } }),
    );
    expect(refundsIn("prestashop", merged).map((slip) => slip.at("id").id())).toEqual(["1", "2"]);
    const memo = { entity_id: 9, order_id: 5 };
    const memos = withStored("magento", { creditmemos: { items: [memo] } }, stored({ creditmemos: memo }));
    expect(refundsIn("magento", memos)).toHaveLength(1);
  });

  test.each([
    ["prestashop", { order_slips: { id: 70, id_order: 5 } }],
    ["prestashop", { order_slip: { order_slip: { id: 70, id_order: 5 } } }],
    ["prestashop", { order: { order: { id: 5 } } }],
    ["magento", { creditmemos: { entity_id: 70, order_id: 5 } }],
    ["magento", { creditmemos: { items: [{ entity_id: 70, order_id: 5 }] } }],
  ] as const)("%s: a module's documents name their order in %j", (platform, documents) => {
    const bytes = new TextEncoder().encode(JSON.stringify({ documents }));
    expect(readDelivered(platform, "order", bytes)?.orderId).toBe("5");
  });
});

describe("XML", () => {
  test("texts, CDATA, entities, repeated elements, prefixes and attributes", () => {
    const text = `<?xml version="1.0" encoding="UTF-8"?>
      <!-- of the webservice --><prestashop xmlns:xlink="http://www.w3.org/1999/xlink"><order>
      <id xlink:href='a>b'><![CDATA[5]]></id><note>a &amp; b &#233;&#x20AC;</note><empty/>
      <rows nodeType="row"><row><id>1</id></row><row><id>2</id></row></rows></order></prestashop>`;
    expect(readXml(text.trim())).toEqual({
      order: { id: "5", note: "a & b é€", empty: "", rows: { row: [{ id: "1" }, { id: "2" }] } },
    });
  });

  test.each([
    ["not closed", "<a><b></a>"],
    ["cut off", "<a><b>1</b>"],
    ["two roots", "<a/><b/>"],
    ["text beside the root", "<a/>b"],
    ["a document type", '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'],
    ["an unknown entity", "<a>&x;</a>"],
    ["a bare ampersand", "<a>1 & 2</a>"],
    ["no character", "<a>&#xD800;</a>"],
    ["an attribute without quotes", "<a b=1/>"],
    ["a page", "<html><br></html>"],
    ["nothing", ""],
    ["deep elements", "<a>".repeat(20_000)],
  ])("%s is no document", (_, text) => {
    expect(readXml(text)).toBeUndefined();
  });

  test("names of a prototype are members as others", () => {
    expect(Object.keys(readXml("<a><__proto__>1</__proto__><constructor>2</constructor></a>") ?? {})).toEqual(
      ["__proto__", "constructor"],
    );
  });

  test("documents under the root, a ping, and what is neither", () => {
    const read = (text: string) => readDelivered("prestashop", "order", new TextEncoder().encode(text));
    expect(read("<prestashop><order><id>5</id></order></prestashop>")).toEqual({
      nativeId: "5",
      orderId: "5",
      documents: { order: { id: "5" } },
    });
    const slips = "<order_slips><order_slip><id>7</id><id_order>5</id_order></order_slip></order_slips>";
    expect(read(`<prestashop>${slips}</prestashop>`)?.orderId).toBe("5");
    expect(read("<ping><resource>order</resource><id>5</id></ping>")).toEqual({
      nativeId: "5",
      orderId: "5",
    });
    expect(read("<html><body>Error</body></html>")).toBeUndefined();
  });

  test("only PrestaShop sends it", () => {
    const bytes = new TextEncoder().encode("<prestashop><order><id>5</id></order></prestashop>");
    const others = SHOP_PLATFORMS.filter((platform) => platform !== "prestashop");
    expect(others.map((platform) => readDelivered(platform, "order", bytes))).toEqual(
      others.map(() => undefined),
    );
  });
});
