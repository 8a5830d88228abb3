import { describe, expect, test } from "vitest";
import {
  CALLBACK_URL_REFUSALS,
  checkCallbackUrl,
  LONGEST_CALLBACK_URL,
  withStoreIds,
} from "../../../src/domain/callback/url.ts";
import { judged, PUBLIC_POLICY, REFUSED, TAKEN } from "../../support/builders/callbacks.ts";

test.each(TAKEN)("%s is taken", (text, spelling) => {
  expect(judged(text)).toBe(spelling);
});

test("an accepted address is accepted again unchanged", () => {
  for (const [, spelling] of TAKEN) expect(judged(spelling)).toBe(spelling);
});

describe.each(REFUSED)("%s", (code, texts) => {
  test.each(texts.map((text) => [text]))("%j", (text) => {
    expect(judged(text)).toBe(code);
  });
});

test("every refusal has its rows, in the order of the list", () => {
  expect(REFUSED.map(([code]) => code)).toEqual(CALLBACK_URL_REFUSALS);
});

test("the first failed check is the one reported", () => {
  const long = "x".repeat(LONGEST_CALLBACK_URL);
  expect(
    [
      `http://a@localhost:1/?store_ids=1#${long}`,
      "http://a@localhost:1/?store_ids=1#x ",
      "http://a@localhost:1/?store_ids=1#x",
      "https://a@127.0.0.1:1/?store_ids=1#x",
      "https://127.0.0.1:1/?store_ids=1#x",
      "https://127.0.0.1:1/?store_ids=1",
      "https://127.0.0.1/?store_ids=1",
      "https://api.cuadre.local/?store_ids=1",
      "https://api.cuadre.example/?store_ids=1",
      "https://tienda.es/?store_ids=1",
    ].map((text) => judged(text)),
  ).toEqual(CALLBACK_URL_REFUSALS);
});

test("the longest address", () => {
  const text = `https://tienda.es/${"x".repeat(LONGEST_CALLBACK_URL - 18)}`;
  expect(text).toHaveLength(LONGEST_CALLBACK_URL);
  expect(judged(text)).toBe(text);
});

test.each([
  ["x".repeat(2_001), { limit: "2000" }],
  ["ftp://tienda.es/", { scheme: "ftp" }],
  ["https://tienda.es:8443/", { port: "8443" }],
  ["https://0x7f.1/", { host: "127.0.0.1" }],
  ["https://caja.local/", { host: "caja.local" }],
  ["https://v2.api.cuadre.example/", { host: "v2.api.cuadre.example" }],
  ["https://tienda.es/?store_ids=1", { parameter: "store_ids" }],
])("a refusal names the problem: %.40s", (text, facts) => {
  expect(checkCallbackUrl(text, PUBLIC_POLICY)).toMatchObject({ ok: false, error: { facts } });
});

describe("on a developer's machine", () => {
  const policy = { ownHosts: [], allowLoopback: true };
  test.each([
    ["http://127.0.0.1:8080/x?y=z", "http://127.0.0.1:8080/x?y=z"],
    ["http://127.0.0.1:9", "http://127.0.0.1:9/"],
    ["https://tienda.es/", "https://tienda.es/"],
    ["http://127.0.0.1/", "callback_url_not_https"],
    ["http://127.0.0.1:0/", "callback_url_not_https"],
    ["http://localhost:8080/", "callback_url_not_https"],
    ["http://127.1:8080/", "callback_url_not_https"],
    ["http://127.0.0.2:8080/", "callback_url_not_https"],
    ["http://127.0.0.1:8080@tienda.es/", "callback_url_not_https"],
    ["http://127.0.0.1:8080.tienda.es/", "callback_url_invalid"],
    ["http://127.0.0.1:99999/", "callback_url_invalid"],
    ["https://127.0.0.1:8080/", "callback_url_port_not_allowed"],
    ["https://127.0.0.1/", "callback_url_ip_address"],
    ["http://127.0.0.1:8080/#x", "callback_url_with_fragment"],
    ["http://127.0.0.1:8080/?store_ids=1", "callback_url_with_store_ids"],
  ])("%s", (text, expected) => {
    expect(judged(text, policy)).toBe(expected);
  });
});

describe("the selection in the address", () => {
  test.each([
    ["https://tienda.es/", "1,2", "https://tienda.es/?store_ids=1%2C2"],
    ["https://tienda.es/x", "", "https://tienda.es/x?store_ids="],
    ["https://tienda.es/?", "1", "https://tienda.es/?store_ids=1"],
    ["https://tienda.es/?token=a%20b&c", "1", "https://tienda.es/?token=a%20b&c&store_ids=1"],
    ["https://tienda.es/?x=%3F?", "1", "https://tienda.es/?x=%3F?&store_ids=1"],
    ["https://tienda.es/", "a&b=c#d,ñ é", "https://tienda.es/?store_ids=a%26b%3Dc%23d%2C%C3%B1+%C3%A9"],
    ["https://tienda.es/", "\ud800", "https://tienda.es/?store_ids=%EF%BF%BD"],
  ])("%s with %j", (url, storeIds, expected) => {
    expect(withStoreIds(url, storeIds)).toBe(expected);
  });

  test("is read back as it was", () => {
    const url = new URL(withStoreIds("https://tienda.es/?token=a%20b", "norte 1,ñ&x"));
    expect(url.searchParams.get("store_ids")).toBe("norte 1,ñ&x");
    expect(url.searchParams.get("token")).toBe("a b");
  });
});
