/** What the page of a shop makes of what it is told, without a browser. */
import { describe, expect, test } from "vitest";
import { SHOP_FACTS } from "../../../src/domain/shop/mapped.ts";
import { STATUS_MEANINGS, STATUS_PRESETS } from "../../../src/domain/shop/presets.ts";
import {
  type AccessValues,
  bodyOf,
  missingIn,
  problemsIn,
  problemsOfTest,
  valuesOf,
} from "../../../src/web/pages/shop/access-values.ts";
import { sumsOf } from "../../../src/web/pages/shop/backfill-sums.ts";
import { credentialsOf, DIRECT_PLATFORMS, stepsOf } from "../../../src/web/pages/shop/platform.ts";
import { indented } from "../../../src/web/parts/indented.ts";
import { wordsOf } from "../../../src/web/words/areas.ts";

const say = (id: string, values?: object) => (values === undefined ? id : `${id} ${JSON.stringify(values)}`);

function filled(values: Partial<AccessValues>): AccessValues {
  return { ...valuesOf(null, "woocommerce"), ...values };
}

const WOO = { url: "tienda.example/", consumer_key: " ck_1 ", consumer_secret: "cs_1" };

describe("the access to a shop", () => {
  test("every platform asks for whole credentials, and says each that is missing at its field", () => {
    const asked = DIRECT_PLATFORMS.map(({ value }) =>
      Object.keys(missingIn(filled({ platform: value }), say)),
    );
    expect(asked).toEqual([
      ["url", "consumer_key", "consumer_secret"],
      ["url", "key"],
      ["url", "client_id", "secret"],
      ["url", "token"],
    ]);
    expect(missingIn(filled({ platform: "" }), say)).toEqual({ platform: "shop.platform.missing" });
    expect(missingIn(filled(WOO), say)).toEqual({});
  });

  test("a shop that sends its orders needs neither address nor keys, but for Shopify's secret", () => {
    const asked = DIRECT_PLATFORMS.map(({ value }) => credentialsOf(value, "post", "client"));
    expect(asked).toEqual([[], [], ["secret"], []]);
    expect(missingIn(filled({ way: "post" }), say)).toEqual({});
  });

  test("only the fields of the chosen platform are sent, without blanks, and https by itself", () => {
    const values = filled({ ...WOO, token: "left over", nif_key: " _nif ", credit_keys: "_saldo, ,_bono" });
    expect(bodyOf(values, "woocommerce", "v1")).toEqual({
      ...{ platform: "woocommerce", url: "https://tienda.example/", version: "v1" },
      credentials: { consumer_key: "ck_1", consumer_secret: "cs_1" },
      ...{ nif_key: "_nif", credit_keys: ["_saldo", "_bono"] },
    });
    expect(bodyOf(filled({ ...WOO, way: "post" }), "woocommerce", "v1")).toEqual({
      ...{ platform: "woocommerce", credentials: {}, version: "v1" },
    });
    const local = { ...WOO, url: "http://127.0.0.1:8790/woocommerce" };
    expect(bodyOf(filled(local), "woocommerce", "v1")).toMatchObject({ url: local.url });
  });

  test("a refusal of the API stands at its field, and one of all credentials at the first", () => {
    const refused = { credentials: "incomplete", url: "not allowed" };
    expect(problemsIn(refused, filled(WOO))).toEqual({
      ...{ consumer_key: "incomplete", url: "not allowed", "": "" },
    });
    expect(problemsIn({ "credentials.consumer_secret": "too long" }, filled(WOO))).toEqual({
      ...{ consumer_secret: "too long", "": "" },
    });
    const posting = filled({ ...WOO, way: "post" });
    expect(problemsIn({ credentials: "incomplete" }, posting)).toEqual({ "": "incomplete" });
    expect(problemsIn({ "": "no connection" }, filled(WOO))).toEqual({ "": "no connection" });
  });

  test("a test that fails is said at the field that is wrong", () => {
    const at = (test: Partial<Parameters<typeof problemsOfTest>[0]>) =>
      problemsOfTest({ result: "given", cause: null, lacking: [], ...test }, filled(WOO), say);
    expect(at({})).toEqual({});
    expect(at({ result: "refused" })).toEqual({ consumer_key: "shop.refused" });
    expect(at({ lacking: ["order_slip"] })).toEqual({ consumer_key: expect.stringContaining("order_slip") });
    expect(Object.keys(at({ result: "gone" }))).toEqual(["url"]);
    expect(at({ result: "failed", cause: "redirected" }).url).toContain("shop.failed.redirected");
    expect(at({ result: "failed", cause: "of a newer service" }).url).toContain("shop.failed.unexpected");
  });

  test("every platform has its clicks, for keys and for its own notices", () => {
    for (const { value: platform } of DIRECT_PLATFORMS) {
      for (const way of ["fetch", "post"] as const) {
        expect(stepsOf({ platform, way, app: "client" }, say).length).toBeGreaterThan(2);
      }
    }
    const [token] = stepsOf({ platform: "shopify", way: "fetch", app: "token" }, say);
    expect(token).toContain("shop.how.shopify_token.1");
  });
});

test.each(["es", "en"] as const)(
  "presets, meanings and facts of shops have words in %s",
  async (language) => {
    const words = await wordsOf(["shops"], language);
    const named = Object.entries(STATUS_PRESETS).flatMap(([platform, preset]) =>
      platform === "prestashop" ? [] : Object.keys(preset).map((status) => `shop.status.${status}`),
    );
    const meanings = STATUS_MEANINGS.map((meaning) => `shop.means.${meaning}`);
    const facts = SHOP_FACTS.map((fact) => `shop.fact.${fact}`);
    expect([...named, ...meanings, ...facts].filter((id) => !Object.hasOwn(words, id))).toEqual([]);
  },
);

test("amounts are summed exactly, each currency by itself", () => {
  const amounts = [
    ...[
      { currency: "EUR", total: "0.10" },
      { currency: "USD", total: "-5" },
    ],
    ...[
      { currency: "EUR", total: "0.20" },
      { currency: "EUR", total: "-12345678901234567.895" },
    ],
  ];
  expect(sumsOf(amounts)).toEqual([
    { currency: "EUR", total: "-12345678901234567.595" },
    { currency: "USD", total: "-5" },
  ]);
});

test("a document gets line breaks and keeps every digit, and text that is no JSON stays", () => {
  const text = '{"a":[1.10,{}],"b":"x{ \\", y}","c":12345678901234567890.10,"d":[]}';
  expect(indented(text)).toBe(
    '{\n  "a": [\n    1.10,\n    {}\n  ],\n  "b": "x{ \\", y}",\n  "c": 12345678901234567890.10,\n  "d": []\n}',
  );
  expect(indented(" no json ")).toBe(" no json ");
});
