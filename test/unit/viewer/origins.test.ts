/** Which pages may show invoices in a frame. */
import { describe, expect, test } from "vitest";
import { admitFrame, MOST_ORIGINS, registerOrigin } from "../../../src/domain/viewer/access.ts";
import { originOfStore, pageOrigin } from "../../../src/domain/viewer/origin.ts";
import { refusalIn } from "../../support/rules/readable.ts";

describe("an origin in its one spelling", () => {
  test.each([
    ["https://tienda.example", "https://tienda.example"],
    ["HTTPS://Tienda.EXAMPLE", "https://tienda.example"],
    ["https://tienda.example:443", "https://tienda.example"],
    ["https://tienda.example:8443", "https://tienda.example:8443"],
    ["https://ñandú.example", "https://xn--and-6ma2c.example"],
    ["https://XN--AND-6MA2C.example", "https://xn--and-6ma2c.example"],
    ["https://пример.рф", "https://xn--e1afmkfd.xn--p1ai"],
  ])("%s", (text, origin) => {
    expect(pageOrigin(text)).toBe(origin);
  });

  test.each([
    ...["", " ", "null", "*", "tienda.example", "//tienda.example", "https://", "https:tienda.example"],
    ...["http://tienda.example", "ftp://tienda.example", "javascript:alert(1)", "data:text/html,x"],
    ...["https://tienda.example/", "https://tienda.example/es", "https://tienda.example?x", "https://a.es#x"],
    ...["https://ana@tienda.example", "https://ana:x@tienda.example", "https://@tienda.example"],
    ...["https://*.example", "https://*", "https://tienda.*", "https://tienda.example:*"],
    ...["https://127.0.0.1", "https://0x7f.1", "https://2130706433", "https://[::1]", "https://１２７.0.0.1"],
    ...["https://localhost", "https://tienda.example.", "https://-a.example", "https://a..example"],
    ...["https://tienda.example:65536", "https://tienda.example:port", "https://tien%64a.example"],
    ...[" https://tienda.example", "https://tienda.example ", "https://tienda.\nexample", "https:\\\\a.es"],
    ...[
      "https://a.es;script-src",
      "https://a.es 'self'",
      "https://a.es,https://b.es",
      `https://${"a".repeat(300)}.es`,
    ],
  ])("none: %j", (text) => {
    expect(pageOrigin(text)).toBeUndefined();
  });
});

describe("the origin of a reported store", () => {
  test.each([
    ["https://tienda.example/es/?a=1", "https://tienda.example"],
    [" https://tienda.example:8443 ", "https://tienda.example:8443"],
    ["http://tienda.example", undefined],
    ["tienda.example", undefined],
    ["https://ana:x@tienda.example", undefined],
    ["https://192.0.2.1/", undefined],
    ["not a URL", undefined],
  ])("%j", (url, origin) => {
    expect(originOfStore(url)).toBe(origin);
  });
});

describe("a frame", () => {
  const pages = {
    registered: ["https://web.example"],
    storeUrls: ["https://tienda.example/es", "https://no.example", "https://si.example", "nowhere"],
    storeOrigins: [
      { origin: "https://no.example", isRefused: true },
      { origin: "https://web.example", isRefused: true },
    ],
  };
  const full = {
    ...pages,
    storeOrigins: Array.from({ length: 1_000 }, (_, n) => ({
      ...{ origin: n === 0 ? "https://si.example" : `https://s${n}.example`, isRefused: false },
    })),
  };
  const embed = (origin: string, known = pages) => admitFrame({ presentation: "embed", origin }, known).ok;

  test.each([
    ["a store's origin that its owner refused does not count", embed("https://no.example"), false],
    ["an origin that its owner registered again does", embed("https://web.example"), true],
    ["a store's origin that was never refused counts", embed("https://tienda.example"), true],
    ["of too many the last one does not", embed("https://tienda.example", full), false],
    ["of too many an earlier one does", embed("https://si.example", full), true],
  ])("%s", (_, isAllowed, expected) => {
    expect(isAllowed).toBe(expected);
  });

  test.each([
    ["a link needs no page", { presentation: "link" }, { presentation: "link" }],
    ["and none is asked of it", { presentation: "link", origin: "https://x.es" }, { presentation: "link" }],
    [
      "of a registered page",
      { presentation: "embed", origin: "https://WEB.example" },
      { presentation: "embed", origin: "https://web.example" },
    ],
    [
      "of a reported store",
      { presentation: "embed", origin: "https://tienda.example" },
      { presentation: "embed", origin: "https://tienda.example" },
    ],
  ] as const)("%s", (_, asked, framing) => {
    expect(admitFrame(asked, pages)).toEqual({ ok: true, value: framing });
  });

  test.each([
    ["no page", {}, "origin_required"],
    ["another page", { origin: "https://x.example" }, "origin_not_allowed"],
    ["another port", { origin: "https://web.example:8443" }, "origin_not_allowed"],
    ["a page under it", { origin: "https://sub.web.example" }, "origin_not_allowed"],
    ["nothing like a page", { origin: "*" }, "origin_not_allowed"],
  ])("refused: %s", (_, origin, code) => {
    const refusal = refusalIn(admitFrame({ presentation: "embed", ...origin }, pages));
    expect([refusal.code, refusal.path]).toEqual([code, "origin"]);
  });
});

describe("registering", () => {
  const many = Array.from({ length: MOST_ORIGINS }, (_, index) => `https://s${index}.example`);

  test("an invalid origin, and one too many", () => {
    expect(refusalIn(registerOrigin("https://web.example/x", [])).code).toBe("origin_invalid");
    expect(refusalIn(registerOrigin("https://web.example", many)).code).toBe("too_many_origins");
  });

  test("an existing one is not too many", () => {
    expect(registerOrigin("https://S0.example", many)).toEqual({ ok: true, value: "https://s0.example" });
  });
});
