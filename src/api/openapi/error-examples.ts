import { API_ERRORS, errorSentence } from "../../words/errors.ts";
import type { ErrorBody } from "../json-response.ts";
import { exampleFacts } from "./example-facts.ts";

export interface ErrorExample {
  readonly summary: string;
  readonly value: ErrorBody;
}

/** Keys of an object of ours: `Object.keys` forgets that it knows them. */
function codesOf(errors: typeof API_ERRORS): readonly (keyof typeof API_ERRORS)[] {
  return Object.keys(errors) as (keyof typeof API_ERRORS)[];
}

export const ERROR_CODES = codesOf(API_ERRORS);

/** One example for every code of the table, with facts that such an error could have. */
export function errorExamples(): Readonly<Record<string, ErrorExample>> {
  return Object.fromEntries(ERROR_CODES.map((code) => [code, exampleOf(code)]));
}

function exampleOf(code: keyof typeof API_ERRORS): ErrorExample {
  const { status, retryable } = API_ERRORS[code];
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
