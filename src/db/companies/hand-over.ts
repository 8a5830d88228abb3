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
  /** All but those that these owners alone have made. */
  readonly secretsOf: (ledger: string, accountId: string, owners: readonly string[]) => Promise<HandedOver>;
  /** Owner's verbs at the connection's object, so that they count at once; false when one failed. */
  readonly act: (connectionId: string, request: EndingRequest) => Promise<boolean>;
}

/** A company that became another's. */
export interface HandOver {
  readonly accountId: string;
  readonly ledger: string;
  /** Those who own it now and did not before. */
  readonly owners: readonly string[];
}

/**
 * Ends all keys, callbacks, webhooks and the representation of a company that its new owners did not make:
 * the signer no longer decides, so records wait for the new owner's. A connection that fails stops no other.
 */
export async function handOver({ accountId, ledger, owners }: HandOver, deps: HandOverDeps): Promise<void> {
  const { connections, hasRepresentation } = await deps.secretsOf(ledger, accountId, owners);
  const left: string[] = [];
  for (const [nth, { connectionId, keys, webhooks, hasCallback }] of connections.entries()) {
    const requests: EndingRequest[] = [
      // It is the company's: any of its connections withdraws it.
      ...(hasRepresentation && nth === 0 ? [{ verb: "withdraw_representation" } as const] : []),
      ...keys.map((hash) => ({ verb: "revoke_key", hash }) as const),
      ...webhooks.map((id) => ({ verb: "remove_webhook", id }) as const),
      ...(hasCallback ? [{ verb: "remove_callback" } as const] : []),
    ];
    for (const request of requests) {
      const isDone = await deps.act(connectionId, request).catch(() => false);
      if (!isDone) left.push(request.verb);
    }
  }
  if (left.length > 0) throw new Error(`${[...new Set(left)].join(", ")} could not be done`);
}
