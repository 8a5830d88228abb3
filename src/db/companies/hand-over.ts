/** Secrets that former owners may have copied; they must end. */
export interface Secrets {
  readonly connectionId: string;
  /** Hashes of the keys alive. */
  readonly keys: readonly string[];
  readonly webhooks: readonly string[];
  readonly hasCallback: boolean;
}

export interface HandedOver {
  readonly connections: readonly Secrets[];
  /** True if a former owner's signed representation is in force. */
  readonly hasRepresentation: boolean;
}

type EndingRequest =
  | { readonly verb: "withdraw_representation" | "remove_callback" }
  | { readonly verb: "revoke_key"; readonly hash: string }
  | { readonly verb: "remove_webhook"; readonly id: string };

export interface HandOverDeps {
  readonly secretsOf: (ledger: string, accountId: string) => Promise<HandedOver>;
  /** Owner's verbs at the connection's object, so that they count at once; false when one failed. */
  readonly act: (connectionId: string, request: EndingRequest) => Promise<boolean>;
}

/**
 * Ends all keys, callbacks and webhooks of a company, and its representation. The signer no longer decides,
 * so records wait for the new owner's. Numbers, chains and duties remain.
 */
export async function handOver(accountId: string, ledger: string, deps: HandOverDeps): Promise<void> {
  const { connections, hasRepresentation } = await deps.secretsOf(ledger, accountId);
  for (const [nth, { connectionId, keys, webhooks, hasCallback }] of connections.entries()) {
    const requests: EndingRequest[] = [
      // It is the company's: any of its connections withdraws it.
      ...(hasRepresentation && nth === 0 ? [{ verb: "withdraw_representation" } as const] : []),
      ...keys.map((hash) => ({ verb: "revoke_key", hash }) as const),
      ...webhooks.map((id) => ({ verb: "remove_webhook", id }) as const),
      ...(hasCallback ? [{ verb: "remove_callback" } as const] : []),
    ];
    for (const request of requests) {
      if (!(await deps.act(connectionId, request))) throw new Error(`${request.verb} could not be done`);
    }
  }
}
