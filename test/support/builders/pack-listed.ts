/**
 * Packs the refused passwords and words into a filter of bits, as JSON, which every bundler and runtime
 * reads alike: `node test/support/builders/pack-listed.ts`. A test compares the two.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { dictionary as common } from "@zxcvbn-ts/language-common";
import { dictionary as spanish } from "@zxcvbn-ts/language-es-es";
import { listedForms } from "../../../src/domain/identity/password.ts";
import { addText, emptyFilter } from "../../../src/domain/shared/bloom.ts";
import { REPOSITORY } from "../rules/sources.ts";

export const PACKED_LIST = "src/console/sign-in/listed.json";

/** Texts that are not listed. */
const ONE_FALSE_HIT_IN = 1_000;

export const LISTED: readonly string[] = [...common["passwords-common"], ...spanish["commonWords-es-es"]];

export function packedList(): { readonly hashes: number; readonly base64: string } {
  const forms = new Set(LISTED.flatMap(listedForms));
  const filter = emptyFilter(forms.size, ONE_FALSE_HIT_IN);
  for (const form of forms) addText(filter, form);
  return { hashes: filter.hashes, base64: Buffer.from(filter.bits).toString("base64") };
}

if (import.meta.main) {
  writeFileSync(join(REPOSITORY, PACKED_LIST), `${JSON.stringify(packedList(), null, 2)}\n`);
}
