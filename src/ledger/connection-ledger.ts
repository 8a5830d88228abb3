import { DurableObject } from "cloudflare:workers";
import type { CivilDate } from "../domain/shared/civil-date.ts";
import { invariant } from "../domain/shared/result.ts";
import type { Env } from "../env.ts";
import type { CompleteSetupRequest } from "../usecases/complete-setup.ts";
import type { CancelOutcome, IssueOutcome, ReadOutcome, Spent } from "../usecases/outcomes.ts";
import type { ShopOutcome, ShopReport } from "../usecases/record-shop.ts";
import { ledgerOn } from "../wiring.ts";
import type { Caller, CancellationRequest, ConnectionCalls, PreparedInvoice } from "./calls.ts";
import type { Ledger } from "./ledger.ts";
import type { CompleteSetupOutcome, VerbOutcome } from "./owner-verbs.ts";

/**
 * The object of one connection: a shell around its `Ledger`. Outcomes cross RPC as values, because errors
 * lose their fields there. Methods change by addition only: a deploy is two versions at once.
 */
export class ConnectionLedger extends DurableObject<Env> implements ConnectionCalls {
  #ledger: { readonly connectionId: string; readonly books: Ledger } | undefined;

  async issueInvoice(caller: Caller, invoice: PreparedInvoice): Promise<IssueOutcome & Spent> {
    return this.#open(caller.connectionId).issueInvoice(caller, invoice);
  }

  async cancelInvoice(caller: Caller, cancellation: CancellationRequest): Promise<CancelOutcome & Spent> {
    return this.#open(caller.connectionId).cancelInvoice(caller, cancellation);
  }

  async readInvoice(caller: Caller, externalId: string): Promise<ReadOutcome & Spent> {
    return this.#open(caller.connectionId).readInvoice(caller, externalId);
  }

  async reportShop(caller: Caller, report: ShopReport): Promise<ShopOutcome & Spent> {
    return this.#open(caller.connectionId).reportShop(caller, report);
  }

  /** Owner's verb: a second key beside the first, for a rotation with overlap. */
  async openKey(
    connectionId: string,
    key: { readonly id: string; readonly hash: string },
  ): Promise<VerbOutcome> {
    return this.#open(connectionId).owner.openKey(key);
  }

  /** Owner's verb: ends the overlap of a rotation. */
  async revokeKey(connectionId: string, hash: string): Promise<VerbOutcome> {
    return this.#open(connectionId).owner.revokeKey(hash);
  }

  async giveConsent(
    connectionId: string,
    consent: {
      readonly id: string;
      readonly grantedBy: string;
      readonly textVersion: string;
      readonly cutoffDate: CivilDate;
    },
  ): Promise<VerbOutcome> {
    return this.#open(connectionId).owner.giveConsent(consent);
  }

  /** Owner's verb: step 2 of the guided setup, or another choice of stores later. */
  async completeSetup(connectionId: string, request: CompleteSetupRequest): Promise<CompleteSetupOutcome> {
    return this.#open(connectionId).owner.completeSetup(request);
  }

  /** For /health: the object can be reached. It touches no storage. */
  async ping(): Promise<"pong"> {
    return "pong";
  }

  #open(connectionId: string): Ledger {
    if (!this.#ledger) this.#ledger = { connectionId, books: ledgerOn(this.env, connectionId) };
    invariant(
      this.#ledger.connectionId === connectionId,
      "an object serves the connection that it is named after",
    );
    return this.#ledger.books;
  }
}
