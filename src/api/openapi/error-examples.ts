import { civilDate } from "../../domain/shared/civil-date.ts";
import { decimal } from "../../domain/shared/decimal.ts";
import { type Facts, money } from "../../domain/shared/fact.ts";
import { API_ERRORS, type ApiErrorCode, type ErrorCode, errorRow, errorSentence } from "../../words/words.ts";
import type { ErrorBody } from "../wire/json.ts";

export interface ErrorExample {
  readonly summary: string;
  readonly value: ErrorBody;
}

/** `Object.keys` forgets the type of the keys. */
function codesOf(errors: typeof API_ERRORS): readonly ApiErrorCode[] {
  return Object.keys(errors) as ApiErrorCode[];
}

export const ERROR_CODES = codesOf(API_ERRORS);

/** One example for every code of the table, with realistic facts. */
export function errorExamples(): Readonly<Record<string, ErrorExample>> {
  return Object.fromEntries(ERROR_CODES.map((code) => [code, exampleOf(code)]));
}

function exampleOf(code: ApiErrorCode): ErrorExample {
  const { status, retryable } = errorRow(code);
  const value: ErrorBody = {
    success: false,
    error: errorSentence(code, exampleFacts(code), "en"),
    error_code: code,
    retryable,
    request_id: "example-1",
    ...(code === "validation_failed" ? { details: EXAMPLE_DETAILS } : {}),
  };
  return { summary: `${status} ${code}`, value };
}

const EXAMPLE_DETAILS = [
  {
    path: "lines.0.taxrate",
    code: "unknown_field",
    message: "The field “lines.0.taxrate” does not exist; remove it or correct its name.",
  },
  { path: "lines.0.tax_rate", code: "required", message: "“lines.0.tax_rate” is missing; add it." },
];

/** Facts that the sentence of a code may name, so that the published examples look real. */
export function exampleFacts(code: ErrorCode): Facts {
  return { ...COMMON, ...errorRow(code).example };
}

const COMMON: Facts = {
  allow: "GET, HEAD, OPTIONS",
  amount: money(decimal("-12.10"), "EUR"),
  console_url: "https://console.example",
  count: "14",
  country: "US",
  currency: "USD",
  date: { date: civilDate("2026-11-27") },
  encoding: "gzip",
  external_id: "order-1001",
  identifier: "B12345678",
  invoice_type: "F1",
  kind: "accounting",
  line_id: "l1",
  method: "PUT",
  missing: { all: ["vat_number", "country"] },
  number: "API-1-2026-000042",
  order_id: "5001",
  origin: "https://tienda.example",
  problems: "2 values are not valid",
  rate: { percent: decimal("21") },
  reference: "order-1000",
  seconds: "5",
  state: { phrase: "substituted" },
  successor: "API-1R-2026-000003",
  total: money(decimal("450"), "EUR"),
};
