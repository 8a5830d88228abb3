import { hashOfKey, newApiKey } from "../../domain/connection/api-key.ts";
import { type LedgerNumber, newId, type RandomBytes } from "../../domain/connection/ids.ts";

/** A key as it is made: the whole of it is shown once, the rest is stored. */
export interface IssuedKey {
  readonly id: string;
  readonly key: string;
  readonly hash: string;
  /** The last characters: enough to recognise the key, too few to guess it. */
  readonly tail: string;
}

export interface KeyDeps {
  readonly ledger: LedgerNumber;
  readonly apiKeySecret: string;
  readonly random: RandomBytes;
}

const TAIL_LENGTH = 4;

export function issueKey(connectionId: string, { ledger, apiKeySecret, random }: KeyDeps): IssuedKey {
  const key = newApiKey(connectionId, apiKeySecret, random);
  return { id: newId("ky", ledger, random), key, hash: hashOfKey(key), tail: key.slice(-TAIL_LENGTH) };
}
