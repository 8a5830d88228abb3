/** One row of the tables of the owner's API. */
import type { z } from "zod";
import type { ConsoleIds } from "./tenant.ts";

type Sample = (ids: ConsoleIds) => object;

export interface ConsoleRoute {
  /** What its address names, where not the first of its kind. */
  readonly named?: (ids: ConsoleIds) => Partial<ConsoleIds>;
  readonly body?: readonly [contract: z.ZodType, sample: Sample, ...others: Sample[]];
  readonly query?: readonly [
    contract: z.ZodType,
    sample: (ids: ConsoleIds) => Readonly<Record<string, string>>,
  ];
  /** What is answered to who names what is not theirs, the same as for what nobody has. */
  readonly foreign?: string;
}

/** Of requests that name nothing. */
export const NOTHING: ConsoleRoute = {};
export const GONE = { foreign: "404 not_found" } as const;
export const EMPTY = { foreign: "200" } as const;

export const DAY = "2026-11-01";
export const COMPANY = {
  legal_name: "Comercial del Sur SL",
  address1: "Calle Mayor 2",
  postcode: "28013",
  city: "Madrid",
};
/** Of a text to sign that nobody asked for. */
export const NONCE = "z".repeat(32);
export const RELEASE = { answer: "release" };

/** What a form was filled from; nothing has this one. */
const NO_VERSION = "0";

/** With the version that the ids bring along, if they do. */
export function versioned(form: object) {
  return ({ version = NO_VERSION }: ConsoleIds) => ({ ...form, version });
}

export const ofConnection = ({ connection }: ConsoleIds) => ({ connection });
