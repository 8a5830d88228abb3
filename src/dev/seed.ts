import type { Env } from "../env.ts";

/** The databases that the demo data is written to. */
export type SeedEnv = Pick<Env, "LEDGER_000" | "LEDGER_001" | "DIRECTORY">;

export interface SeedOptions {
  /** The Worker's secret: its first part signs the keys. */
  readonly apiKeySecrets: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

export interface SeededConnection {
  readonly id: string;
  readonly key: string;
}

/** Keys are shown once and stored only as hashes: the caller keeps what this returns. */
export interface SeededDemo {
  readonly connections: { readonly api: SeededConnection; readonly api_unconsented: SeededConnection };
}

/** Called once, on migrated and empty databases. */
export async function seedDemo(_env: SeedEnv, _options: SeedOptions): Promise<SeededDemo> {
  throw new Error("the demo data is not written yet");
}
