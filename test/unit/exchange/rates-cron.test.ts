import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { RATES_CRON } from "../../../src/work/rates/update-rates.ts";
import { HOURLY_CRON } from "../../../src/work/retention/forget.ts";

test("wrangler.toml starts the sweep and the rates in both environments", () => {
  const lines = [...readFileSync("wrangler.toml", "utf8").matchAll(/^crons = (.*)$/gm)];
  const crons = ["* * * * *", RATES_CRON, HOURLY_CRON];
  expect(lines.map(([, list = ""]) => JSON.parse(list))).toEqual([crons, crons]);
});
