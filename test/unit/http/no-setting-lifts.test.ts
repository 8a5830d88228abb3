/** `DEFAULT_RATE_LIMIT` is about good calls alone: the brakes for bad ones work at any value. */
import { describe, expect, test } from "vitest";
import { createApp } from "../../../src/api/app.ts";
import type { ApiEnv } from "../../../src/env.ts";
import { appDeps } from "../../../src/wiring.ts";
import { variablesOf } from "../../support/rules/sources.ts";
import { apiOver } from "../../support/worlds/deployment.ts";
import { FORGED_KEY } from "../../support/worlds/http-edge.ts";

const VALUES = ["0", "600"];

/** As many as wrangler.toml says, of one minute. */
function binding(most: number) {
  let count = 0;
  return {
    async limit() {
      count += 1;
      return { success: count <= most };
    },
  };
}

function deps(DEFAULT_RATE_LIMIT: string) {
  const env = {
    ...variablesOf("local"),
    ...{ DEFAULT_RATE_LIMIT, API_KEY_SECRETS: "secret", VIEWER_TOKEN_SECRETS: "secret", SHOP_SECRETS: "" },
    FAILED_AUTHENTICATION_LIMIT: binding(60),
    LOOKS_BY_LINK_LIMIT: binding(120),
    LOOKS_BY_NETWORK_LIMIT: binding(600),
  };
  return appDeps(apiOver(env as unknown as ApiEnv), () => {});
}

describe.each(VALUES)("with DEFAULT_RATE_LIMIT=%s", (value) => {
  const quiet = () => ({ ...deps(value), log: () => {} });

  test("the sixty-first refused key of a network is braked", async () => {
    const app = createApp(quiet());
    const answers = [];
    for (let calls = 0; calls < 61; calls++) {
      answers.push((await app.request("/api/v1/invoice/x", { headers: { "X-API-KEY": FORGED_KEY } })).status);
    }
    expect([answers.slice(0, 60), answers.at(-1)]).toEqual([Array(60).fill(401), 429]);
  });

  test("the view after six hundred of a network is refused", async () => {
    const app = createApp(quiet());
    const answers = [];
    for (let looks = 0; looks < 601; looks++) answers.push((await app.request("/v/forged")).status);
    expect([new Set(answers.slice(0, 600)), answers.at(-1)]).toEqual([new Set([404]), 429]);
  });

  test("twenty million bytes without shape brake a key", () => {
    const { shapeless } = quiet();
    for (let bodies = 0; bodies < 20; bodies++) {
      expect(shapeless.waitOf("key", 0)).toBeUndefined();
      shapeless.count("key", 1_000_000, 0);
    }
    expect(shapeless.waitOf("key", 0)).toBe(60);
  });

  test("sign-in is braked by the binding itself", () => {
    expect(Object.keys(deps(value).failedAuthentication)).toEqual(["limit"]);
  });
});
