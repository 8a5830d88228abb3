/** What the published schemas say of a value, and what they cannot say. */
import { type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";
import type { Components, JsonSchema } from "./json-schema.ts";

/** Tells what is wrong with a value by a schema; references lead to these components. */
export function validatorBy(schemas: Components) {
  const validators = new Map<JsonSchema, Validator>();
  const validatorOf = (schema: JsonSchema) => {
    // References lead from the top, where the document's components are.
    const whole: Schema = JSON.parse(JSON.stringify({ ...schema, components: { schemas } }));
    return new Validator(whole, "2020-12");
  };
  return (schema: JsonSchema, value: unknown): string[] => {
    const validator = validators.get(schema) ?? validatorOf(schema);
    validators.set(schema, validator);
    const { valid, errors } = validator.validate(value);
    return valid ? [] : [errors.map(faultText).join("; ") || "no reason"];
  };
}

function faultText({ instanceLocation, error }: OutputUnit): string {
  return `${instanceLocation}: ${error}`;
}

/** The document says that texts are trimmed and brought to NFC before they are looked at. */
export function asRead(sent: unknown): unknown {
  if (typeof sent === "string") return sent.trim().normalize("NFC");
  if (Array.isArray(sent)) return sent.map(asRead);
  if (typeof sent !== "object" || sent === null) return sent;
  return Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, asRead(value)]));
}

/** What the product refuses for its shape, and no schema says: by the code of the problem, of which members. */
const BEYOND_SCHEMA: Readonly<Record<string, RegExp>> = {
  // Of every text.
  control_character: /./,
  not_trimmed: /./,
  // Blanks alone; and what another member asks for.
  too_short: /./,
  required: /^(order_date|rectifies|rectification_method)$/,
  not_allowed:
    /^(rectifies|rectification_method|rectified_period|simplified_attestation\.authorisation|include|preview)$/,
  duplicate_line_id: /./,
  duplicate_reference: /./,
  // Digits are counted as they are written.
  number_out_of_range: /./,
  // Lists that others keep, days that the calendar has not, and a version that is written as a number.
  invalid_value: /(currency|country|date|_at|contract_version)$/,
  invalid_date: /./,
  // Of the query; and of an id that is written as a number.
  too_long: /^(platform|module_version|contract_version|status|include(\.\d+)?)$|id(_\w+)?$|^order_ids/,
};

/** Whether a problem of that code at that place is one that the document cannot say. */
export function isBeyondSchema(path: string, code: string): boolean {
  return BEYOND_SCHEMA[code]?.test(path) ?? false;
}
