import { and, eq, isNull } from "drizzle-orm";
import { apiKey } from "../../db/schema/ledger.ts";
import { MOST_KEYS_ALIVE } from "../../domain/connection/api-key.ts";
import { BY_HAND } from "../../domain/connection/kind.ts";
import { refuse } from "../../domain/invoice/refusal.ts";
import { nothing, refused, UNCHANGED, type VerbScope, verbReading, write } from "./verb.ts";

interface OpenKey {
  readonly id: string;
  readonly hash: string;
  /** The last characters of the key, by which people recognise it. */
  readonly tail?: string;
}

export const open_key = verbReading<OpenKey, OpenKey, VerbScope>(nothing, {
  area: "keys",
  wakesObject: false,
  onceBy: ({ id }) => id,
  decide({ id, hash, tail }, { keyHashes: alive, settings }) {
    if (settings.connectionKind === BY_HAND) return refused(refuse("keys_not_by_hand").error);
    // The fence proves that no key was opened since these were read.
    if (alive.length >= MOST_KEYS_ALIVE && !alive.includes(hash)) {
      return refused(refuse("two_keys_alive").error);
    }
    const shown = tail === undefined ? {} : { tail };
    return write({ id, hash, ...shown }, { key: id, ...shown });
  },
  write: (db, { connectionId }, { id, hash, tail = null }, { at }) => [
    db.insert(apiKey).values({ id, connectionId, hash, createdAt: at, tail }),
  ],
});

interface RevokeKey {
  readonly hash: string;
  readonly tail?: string;
}

export const revoke_key = verbReading<RevokeKey, { readonly hash: string }, VerbScope>(nothing, {
  area: "keys",
  wakesObject: false,
  onceBy: ({ hash }) => hash,
  revokes:
    ({ hash }) =>
    (facts) => ({ ...facts, keyHashes: facts.keyHashes.filter((known) => known !== hash) }),
  decide({ hash, tail }, { keyHashes: alive }) {
    // A line for a key that is not there would make its later revocation a repeat.
    if (!alive.includes(hash)) return UNCHANGED;
    return write({ hash }, { key_sha256: hash, ...(tail === undefined ? {} : { tail }) });
  },
  write(db, { connectionId }, { hash }, { at }) {
    const alive = and(eq(apiKey.connectionId, connectionId), eq(apiKey.hash, hash), isNull(apiKey.revokedAt));
    return [db.update(apiKey).set({ revokedAt: at }).where(alive)];
  },
});
