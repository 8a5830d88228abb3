import type {
  EmailStore,
  EventStore,
  LinkStore,
  LoginStore,
  PasskeyStore,
  SecondFactorStore,
  TryStore,
} from "../../db/login/login-stores.ts";
import type { RandomBytes } from "../../domain/connection/ids.ts";
import type { KnownOf, PasswordRefusal } from "../../domain/identity/password.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { FactorSeal } from "../../platform/factor-seal.ts";

export interface Passwords {
  refusalOf(password: string, known: KnownOf): Promise<PasswordRefusal | undefined>;
  hash(password: string): Promise<string>;
  /** Takes the same time if there is no hash. */
  matches(hash: string | undefined, password: string): Promise<boolean>;
}

export interface LoginDeps {
  readonly links: LinkStore;
  readonly logins: LoginStore;
  readonly emails: EmailStore;
  readonly passkeys: PasskeyStore;
  readonly tries: TryStore;
  readonly events: EventStore;
  readonly factors: SecondFactorStore;
  readonly factorSeal: FactorSeal;
  readonly passwords: Passwords;
  /** Replaces addresses and networks in tables and log lines. */
  readonly keyedHash: (kind: string, text: string) => string;
  /** The same under each secret that is being replaced. */
  readonly olderHashes: (kind: string, text: string) => readonly string[];
  readonly product: string;
  readonly random: RandomBytes;
  readonly now: () => Instant;
}
