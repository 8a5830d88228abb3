/** The headers that Pages adds to every file of the console. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const [, everywhere = ""] =
  /^\/\*\n((?: {2}.*\n)+)/m.exec(readFileSync("src/web/public/_headers", "utf8")) ?? [];
const headers = new Map(
  everywhere
    .trim()
    .split("\n")
    .map((line) => [line.slice(0, line.indexOf(":")).trim(), line.slice(line.indexOf(":") + 1).trim()]),
);
const policy = new Map(
  (headers.get("Content-Security-Policy") ?? "").split(";").map((part) => {
    const [name = "", ...sources] = part.trim().split(" ");
    return [name, sources];
  }),
);

test("scripts come from here only, and no page has one inside", () => {
  expect(policy.get("default-src")).toEqual(["'none'"]);
  expect(policy.get("script-src")).toEqual(["'self'"]);
  expect(policy.get("connect-src")).toEqual(["'self'"]);
  expect(policy.get("base-uri")).toEqual(["'none'"]);
  expect(policy.get("form-action")).toEqual(["'self'"]);
  // Styles that the parts write into the page; the library needs them.
  for (const [name, sources] of policy) {
    if (name !== "style-src") expect(sources).not.toContain("'unsafe-inline'");
    expect(sources).not.toContain("*");
    expect(sources.filter((source) => /^https?:/.test(source))).toEqual([]);
  }
});

test("no page is framed, sniffed, or named as a referrer", () => {
  expect(policy.get("frame-ancestors")).toEqual(["'none'"]);
  expect(headers.get("X-Frame-Options")).toBe("DENY");
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(headers.get("Referrer-Policy")).toBe("same-origin");
  expect(headers.get("Strict-Transport-Security")).toBe("max-age=31536000; includeSubDomains");
  expect(headers.get("Cross-Origin-Opener-Policy")).toBe("same-origin");
  expect(headers.get("Cross-Origin-Resource-Policy")).toBe("same-origin");
  expect(headers.get("Permissions-Policy")).toContain("camera=()");
});

test("no page of the console brings a script of its own", () => {
  const page = readFileSync("src/web/index.html", "utf8");
  const scripts = [...page.matchAll(/<script([^>]*)>([^<]*)<\/script>/g)];
  expect(scripts.length).toBeGreaterThan(0);
  for (const [, attributes = "", content = ""] of scripts) {
    expect(attributes).toContain("src=");
    expect(content.trim()).toBe("");
  }
  expect(page).not.toMatch(/\son\w+=/);
});
