/** The variables of a deployment: their valid values, and that a wrong one is named without its value. */
import { describe, expect, test } from "vitest";
import { apiConfigFrom, ownerConfigFrom } from "../../../src/platform/config.ts";
import { variablesOf } from "../../support/rules/sources.ts";

const LOCAL = variablesOf("local");
const SECRETS = {
  ...{ API_KEY_SECRETS: "new, old", VIEWER_TOKEN_SECRETS: "viewer", SESSION_SECRET: "session" },
  SHOP_SECRETS: "shop",
};

function apiConfig(change: Readonly<Record<string, unknown>> = {}) {
  return apiConfigFrom({ ...LOCAL, ...SECRETS, ...change });
}

function ownerConfig(change: Readonly<Record<string, unknown>> = {}) {
  return ownerConfigFrom({ ...LOCAL, ...SECRETS, ...change });
}

test.each(["local", "production"] as const)("wrangler.toml configures both Workers: %s", (environment) => {
  const variables = { ...variablesOf(environment), ...SECRETS };
  expect(Object.keys(variables).length).toBeGreaterThan(15);
  expect([apiConfigFrom(variables).ok, ownerConfigFrom(variables).ok]).toEqual([true, true]);
});

test("texts become values", () => {
  const change = {
    DEFAULT_RATE_LIMIT: "0",
    OWN_HOSTS: "Api.example, www.example,",
    CALLBACKS_TO_LOOPBACK: "1",
  };
  expect(apiConfig(change)).toMatchObject({
    ok: true,
    value: {
      DEFAULT_RATE_LIMIT: 0,
      OWN_HOSTS: ["api.example", "www.example"],
      CALLBACKS_TO_LOOPBACK: true,
      SOFTWARE: { code: "CU" },
      API_KEY_SECRETS: ["new", "old"],
    },
  });
  expect(ownerConfig({ CERTIFICATE_PROOFS: "on" })).toMatchObject({
    ok: true,
    value: { CERTIFICATE_PROOFS: true, AEAT_ENVIRONMENT: "test", SESSION_SECRET: ["session"] },
  });
});

describe("a wrong value is refused by its variable's name alone", () => {
  test.each([
    ["DEFAULT_RATE_LIMIT", ["", "-1", "6.5", " 600", "many", "1e3", undefined]],
    ["CALLBACKS_TO_LOOPBACK", ["", "yes", undefined]],
    ["VIEWER_TOKEN_SECRETS", [7]],
  ])("%s, of the API", (variable, values) => {
    for (const value of values) {
      expect(apiConfig({ [variable]: value })).toEqual({ ok: false, error: { variable } });
    }
    expect(ownerConfig({ [variable]: values[0] }).ok).toBe(true);
  });

  test.each([
    ["API_URL", ["", "127.0.0.1:8787", undefined]],
    ["CERTIFICATE_PROOFS", ["", "true", undefined]],
    ["SUPPORT_EMAIL", ["nobody", "a@b"]],
    ["SESSION_SECRET", [7]],
  ])("%s, of the owner's API", (variable, values) => {
    for (const value of values) {
      expect(ownerConfig({ [variable]: value })).toEqual({ ok: false, error: { variable } });
    }
    expect(apiConfig({ [variable]: values[0] }).ok).toBe(true);
  });

  test.each([
    ["AEAT_ENVIRONMENT", ["", "prod", undefined]],
    ["SOFTWARE", ["", "{", '{"name":"Cuadre"}', undefined]],
    ["CONSOLE_URL", ["", "console.example", undefined]],
    ["JURISDICTION", ["EU", "us", undefined]],
    ["MAIL_TRANSPORT", ["", "smtp", undefined]],
  ])("%s, of both", (variable, values) => {
    for (const value of values) {
      const refused = { ok: false, error: { variable } };
      expect([apiConfig({ [variable]: value }), ownerConfig({ [variable]: value })]).toEqual([
        refused,
        refused,
      ]);
    }
  });
});

test.each([
  ["AEAT_TRANSPORT", "on"],
  ["AEAT_BASE_URL", "no address"],
  ["AEAT_CERTIFICATE_KIND", "sello"],
  ["SUBMISSION_PACE", "{"],
  ["AEAT_TRANSPORT", undefined],
])("a mistake of submission is left to submission: %s=%s", (variable, value) => {
  expect(apiConfig({ [variable]: value }).ok).toBe(true);
});

test.each([
  ["ECB_BASE_URL", ["", "www.ecb.europa.eu", "ftp://ecb.example", undefined]],
  ["OWN_HOSTS", ["https://api.example", "api.example:8787", undefined]],
  ["MAIL_FROM", ["", undefined]],
])("a mistake in %s disables only its own use, which then has no value", (variable, values) => {
  for (const value of values) {
    const { ok, value: config = undefined } = { ...apiConfig({ [variable]: value }) } as Parsed;
    expect([ok, config && Reflect.get(config, variable)]).toEqual([true, undefined]);
  }
  expect(ownerConfig({ MAIL_FROM: "" })).toMatchObject({ ok: true, value: { MAIL_FROM: undefined } });
});

interface Parsed {
  readonly ok: boolean;
  readonly value?: object;
}

test.each(["", undefined])("without SUPPORT_EMAIL (%j) the help names no address", (SUPPORT_EMAIL) => {
  expect(ownerConfig({ SUPPORT_EMAIL })).toMatchObject({ ok: true, value: { SUPPORT_EMAIL: "" } });
});

test("an empty or missing secret is none", () => {
  const none = { API_KEY_SECRETS: "", VIEWER_TOKEN_SECRETS: undefined };
  expect(apiConfig(none)).toMatchObject({
    ok: true,
    value: { API_KEY_SECRETS: [], VIEWER_TOKEN_SECRETS: [] },
  });
});
