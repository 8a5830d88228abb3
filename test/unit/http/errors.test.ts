import { describe, expect, test } from "vitest";
import { ERROR_CODES, exampleFacts } from "../../../src/api/openapi/error-examples.ts";
import { errorAnswer } from "../../../src/api/wire/answers.ts";
import { errorResponse } from "../../../src/api/wire/json.ts";
import { SETUP_REFUSALS, SHOP_REFUSALS } from "../../../src/domain/connection/setup.ts";
import { CANCELLATION_REFUSALS, ISSUE_REFUSALS } from "../../../src/domain/invoice/refusal.ts";
import { OWNER_ERRORS } from "../../../src/words/errors/owner-errors.ts";
import { ERRORS, type ErrorCode, PROBLEMS } from "../../../src/words/words.ts";

const PLACES = /\{(\w+)\}/g;

/** Keys of an object of ours: `Object.keys` forgets that it knows them. */
const CODES = Object.keys(ERRORS) as readonly ErrorCode[];

function isPublished(code: ErrorCode): boolean {
  return ERROR_CODES.some((published) => published === code);
}

function placesOf(text: string): string[] {
  return [...text.matchAll(PLACES)].map((match) => match[1] ?? "").sort();
}

test("refusals for owners only are not published", () => {
  const owners = Object.keys(OWNER_ERRORS);
  expect(CODES).toEqual(expect.arrayContaining(owners));
  expect(ERROR_CODES.filter((code) => owners.includes(code))).toEqual([]);
});

test("every refusal has its row", () => {
  const refusals = [...ISSUE_REFUSALS, ...CANCELLATION_REFUSALS, ...SHOP_REFUSALS, ...SETUP_REFUSALS];
  expect(CODES).toEqual(expect.arrayContaining(refusals));
});

describe.each(CODES)("%s", (code) => {
  test("both languages use the same facts, and the examples know them", () => {
    expect(placesOf(ERRORS[code].sentence.es)).toEqual(placesOf(ERRORS[code].sentence.en));
    if (!isPublished(code)) return;
    for (const place of placesOf(ERRORS[code].sentence.en)) expect(exampleFacts(code)).toHaveProperty(place);
  });

  test("is a sentence in both languages", () => {
    expect(ERRORS[code].sentence.en).toMatch(/^[“{A-Z].*\.$/);
    expect(ERRORS[code].sentence.es).toMatch(/^[«{A-Z].*\.$/);
  });

  test.each(["en", "es"] as const)("has the one shape, also without its facts (%s)", async (language) => {
    const response = errorResponse({ language, requestId: "r" }, code);
    const body = JSON.parse(await response.text());
    expect(errorAnswer.parse(body)).toEqual(body);
    expect(body.error).not.toMatch(/[{}]|undefined/);
    expect(response.status).toBe(ERRORS[code].status);
    const waits = response.status === 429 || response.status === 503;
    expect(response.headers.has("Retry-After")).toBe(waits);
    expect(body.retryable).toBe(waits || [423, 500].includes(response.status));
  });
});

test("problems use the same facts in both languages", () => {
  for (const { sentence } of Object.values(PROBLEMS)) {
    expect(placesOf(sentence.es)).toEqual(placesOf(sentence.en));
  }
});

test("facts are texts: a placeholder in one is not filled, a long one is cut", async () => {
  const facts = { external_id: `{number}$&${"x".repeat(500)}`, number: "N-1" };
  const response = errorResponse({ language: "en", requestId: "r" }, "idempotency_conflict", { facts });
  const { error } = JSON.parse(await response.text());
  expect(error).toContain("“{number}$&xxx");
  expect(error.length).toBeLessThan(400);
});
