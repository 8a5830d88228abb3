import type { OwnerRequest } from "../owner-request.ts";

/** What former owners may have copied: whoever has it could go on. */
export interface Secrets {
  readonly connectionId: string;
  /** Hashes of the keys alive. */
  readonly keys: readonly string[];
  readonly webhooks: readonly string[];
  readonly hasCallback: boolean;
}

export interface HandOverDeps {
  readonly secretsOf: (ledger: string, accountId: string) => Promise<readonly Secrets[]>;
  /** At the connection's object, so that it counts at once; false when it could not be done now. */
  readonly act: (connectionId: string, request: OwnerRequest) => Promise<boolean>;
}

/** Ends every key, callback and webhook of a company; numbers, chains and duties stay with it. */
export async function handOver(accountId: string, ledger: string, deps: HandOverDeps): Promise<void> {
  for (const { connectionId, keys, webhooks, hasCallback } of await deps.secretsOf(ledger, accountId)) {
    const requests: OwnerRequest[] = [
      ...keys.map((hash) => ({ verb: "revoke_key", hash }) as const),
      ...webhooks.map((id) => ({ verb: "remove_webhook", id }) as const),
      ...(hasCallback ? [{ verb: "remove_callback" } as const] : []),
    ];
    for (const request of requests) {
      if (!(await deps.act(connectionId, request))) throw new Error(`${request.verb} could not be done`);
    }
  }
}
