/** How large a body may be: every path says its own bound, before anything is computed from the body. */
import { describe, expect, test } from "vitest";
import { ENDPOINTS } from "../../../src/api/endpoints.ts";
import { shopAddress } from "../../../src/domain/connection/shop-address.ts";
import { aConsole } from "../../support/worlds/console-edge.ts";
import { AUTHORISED, anEdge, CONNECTION_ID, SERVER_SECRET } from "../../support/worlds/http-edge.ts";

interface Told {
  readonly bytes: number;
  readonly en: string;
  readonly es: string;
}

const SIGN_IN: Told = { bytes: 4_096, en: "4,096 bytes", es: "4.096 bytes" };
const NEW_PASSKEY: Told = { bytes: 16_384, en: "16,384 bytes", es: "16.384 bytes" };
const CONSOLE: Told = { bytes: 65_536, en: "65,536 bytes", es: "65.536 bytes" };
const DOCUMENT: Told = { bytes: 2_097_152, en: "2,097,152 bytes", es: "2.097.152 bytes" };
const API: Told = { bytes: 1_048_576, en: "1,048,576 bytes", es: "1.048.576 bytes" };
const LOGO = API;

type Route = readonly [method: string, path: string, bound: Told];

function boundOf(path: string): Told {
  if (path === "/api/auth/passkey/verify-registration") return NEW_PASSKEY;
  if (path.endsWith("/proofs/document") || path === "/api/claims/document") return DOCUMENT;
  if (path.endsWith("/company/look/logo")) return LOGO;
  return path.startsWith("/api/auth/") ? SIGN_IN : CONSOLE;
}

const SHOP_PATH = "{platform}/{address}";
const PLACE = { connectionId: CONNECTION_ID, nonce: "0".repeat(20) };
const SHOP = `woocommerce/${shopAddress("woocommerce", PLACE, SERVER_SECRET)}`;

const cabin = aConsole();
const CONSOLE_ROUTES = cabin.routes
  .filter(({ method }) => method !== "GET")
  .map(({ method, path }): Route => [method, path.replace(/:\w+/g, "x"), boundOf(path)]);

const api = anEdge();
const API_ROUTES = ENDPOINTS.filter(({ method }) => method !== "GET").map(
  // The body of a shop is read once its address is genuine.
  ({ method, path }): Route => [method, path.replace(SHOP_PATH, SHOP).replace(/\{\w+\}/g, "x"), API],
);

const EDGES: readonly (readonly [string, readonly Route[], typeof cabin.send])[] = [
  ["the console", CONSOLE_ROUTES, cabin.send],
  [
    ...(["the API", API_ROUTES] as const),
    async (method, path, init = {}) =>
      api.app.request(path, { ...init, method, headers: { ...AUTHORISED, ...init.headers } }),
  ],
];

/** A body of that length, declared or not. */
function sending(size: number, language: string, isTold: boolean): RequestInit {
  const headers = { "Accept-Language": language, ...(isTold ? { "Content-Length": String(size) } : {}) };
  return { body: " ".repeat(size), headers };
}

describe.each(EDGES)("at %s", (_, routes, send) => {
  test("routes that take a body are looked at", () => {
    expect(routes.length).toBeGreaterThanOrEqual(8);
  });

  test.each(routes)(
    "%s %s refuses one byte more than its limit, and states it",
    async (method, path, bound) => {
      for (const isTold of [true, false]) {
        for (const language of ["en", "es"] as const) {
          const answer = await send(method, path, sending(bound.bytes + 1, language, isTold));
          const sentence = {
            en: `The body is larger than this path takes (${bound.en} at most); send less at a time.`,
            es: `El cuerpo es mayor de lo que admite esta dirección (como máximo ${bound.es}); envía menos datos cada vez.`,
          }[language];
          expect([answer.status, await answer.json()]).toMatchObject([
            413,
            {
              error: sentence,
              error_code: "payload_too_large",
              retryable: false,
              details: [{ path: "", code: "payload_too_large", message: sentence }],
            },
          ]);
        }
      }
    },
  );

  test.each(routes)("%s %s reads a body of its bound", async (method, path, bound) => {
    const answer = await send(method, path, sending(bound.bytes, "en", true));
    await answer.text();
    expect(answer.status).not.toBe(413);
  });
});

test("sign-in, a new passkey, a logo, a signed document and the console have bounds of their own", () => {
  const bounds = new Set(CONSOLE_ROUTES.map(([, , { bytes }]) => bytes));
  expect(bounds).toEqual(new Set([4_096, 16_384, 65_536, 1_048_576, 2_097_152]));
});

describe("a body of the console that is no valid JSON is refused in words", () => {
  const SIGN_IN_PATH = "/api/auth/sign-in/email";
  test.each([
    ["no JSON", "{", "error de sintaxis en la posición 1"],
    ["nothing but spaces", "  ", "está vacío"],
    ["a member twice", '{"email":"a","email":"b"}', "«email» está dos veces"],
    ["33 levels", `${"[".repeat(33)}${"]".repeat(33)}`, "más de 32 niveles"],
    [
      "a thousand levels inside a member",
      `{"response":${"[".repeat(1_000)}${"]".repeat(1_000)}}`,
      "más de 32 niveles",
    ],
    ["bytes that are no UTF-8", Uint8Array.of(0x22, 0xff, 0x22), "no es UTF-8"],
  ])("%s", async (_, body, detail) => {
    const answer = await cabin.send("POST", SIGN_IN_PATH, { body });
    const { error, error_code: code } = Object(await answer.json());
    expect([answer.status, code]).toEqual([400, "malformed_json"]);
    expect(error).toContain(`(${detail})`);
  });

  test("none at all", async () => {
    const answer = await cabin.send("POST", SIGN_IN_PATH);
    expect([answer.status, Object(await answer.json()).error]).toMatchObject([
      400,
      "El cuerpo no es un JSON válido o repite un campo (está vacío); corrígelo y envíalo otra vez.",
    ]);
  });
});
