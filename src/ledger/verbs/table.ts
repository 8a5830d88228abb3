import * as access from "./access.ts";
import * as authorisations from "./authorisations.ts";
import * as backfill from "./backfill.ts";
import * as callback from "./callback.ts";
import * as consent from "./consent.ts";
import * as duplicates from "./duplicates.ts";
import * as erasure from "./erasure.ts";
import * as keys from "./keys.ts";
import * as mailing from "./mailing.ts";
import * as questions from "./questions.ts";
import * as representation from "./representation.ts";
import * as sales from "./sales.ts";
import * as setup from "./setup.ts";
import * as shops from "./shops.ts";
import type { Verb } from "./verb.ts";
import * as webhooks from "./webhooks.ts";

/** Every verb by its name: each file of a subject exports its verbs and nothing else. */
export const VERBS = {
  ...keys,
  ...consent,
  ...setup,
  ...sales,
  ...authorisations,
  ...callback,
  ...webhooks,
  ...access,
  ...representation,
  ...duplicates,
  ...erasure,
  ...shops,
  ...backfill,
  ...mailing,
  ...questions,
};

export type OwnerVerb = keyof typeof VERBS;

type ValuesOf<Row> = Row extends Verb<infer Request> ? Request : never;

/** The request of one verb. Plain values, as RPC carries them. */
export type RequestOf<Name extends OwnerVerb> = { readonly verb: Name } & ValuesOf<(typeof VERBS)[Name]>;

/** Every change that an owner makes to a connection, except to orders. */
export type OwnerRequest = { readonly [Name in OwnerVerb]: RequestOf<Name> }[OwnerVerb];

/** The row of the request's verb. */
export function verbOf({ verb }: OwnerRequest): Verb<OwnerRequest> {
  // The types of the rows differ; a row takes the requests of its own verb, and the request names it.
  return VERBS[verb] as Verb<never> as Verb<OwnerRequest>;
}
