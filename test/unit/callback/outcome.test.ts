import { describe, expect, test } from "vitest";
import { resultOfAnswer } from "../../../src/domain/callback/delivery.ts";
import { HOUR, MINUTE, NOON } from "../../support/builders/callbacks.ts";

describe("the meaning of a response", () => {
  test.each([
    [200, { outcome: "delivered", status: 200 }],
    [201, { outcome: "delivered", status: 201 }],
    [204, { outcome: "delivered", status: 204 }],
    [299, { outcome: "delivered", status: 299 }],
    [301, { outcome: "failed", cause: "redirect", status: 301 }],
    [302, { outcome: "failed", cause: "redirect", status: 302 }],
    [304, { outcome: "failed", cause: "redirect", status: 304 }],
    [308, { outcome: "failed", cause: "redirect", status: 308 }],
    [400, { outcome: "failed", cause: "client_error", status: 400 }],
    [401, { outcome: "failed", cause: "client_error", status: 401 }],
    [404, { outcome: "failed", cause: "client_error", status: 404 }],
    [409, { outcome: "failed", cause: "client_error", status: 409 }],
    [410, { outcome: "stopped", cause: "gone", status: 410 }],
    [422, { outcome: "failed", cause: "client_error", status: 422 }],
    [429, { outcome: "failed", cause: "client_error", status: 429 }],
    [500, { outcome: "failed", cause: "server_error", status: 500 }],
    [503, { outcome: "failed", cause: "server_error", status: 503 }],
    [530, { outcome: "failed", cause: "server_error", status: 530 }],
  ])("%i", (status, outcome) => {
    expect(resultOfAnswer(status, null, NOON)).toEqual({ outcome });
  });
});

describe("Retry-After", () => {
  const httpDate = (at: number) => new Date(at).toUTCString();
  test.each<[string, string, number | undefined]>([
    ["seconds", "120", 120],
    ["none", "0", 0],
    ["more than is kept to", "999999999", 999_999_999],
    ["a date", httpDate(NOON + 5 * MINUTE), 300],
    ["a date that is past", httpDate(NOON - HOUR), undefined],
    ["a number beyond all bounds", "9".repeat(30), undefined],
    ["a negative number", "-5", undefined],
    ["half a second", "1.5", undefined],
    ["words", "soon", undefined],
    ["nothing", "", undefined],
    ["another date", "2026-11-28T13:00:00Z", undefined],
    ["a day that is none", "Sat, 99 Foo 2026 12:00:00 GMT", undefined],
  ])("%s", (_, header, retryAfterSeconds) => {
    expect(resultOfAnswer(503, header, NOON).retryAfterSeconds).toBe(retryAfterSeconds);
  });

  test("an answer that is final says nothing of a next time", () => {
    expect(resultOfAnswer(200, "120", NOON)).not.toHaveProperty("retryAfterSeconds");
    expect(resultOfAnswer(410, "120", NOON)).not.toHaveProperty("retryAfterSeconds");
  });
});
