import type { TransportOutcome } from "../domain/verifactu/submission/transport.ts";

/** The way to the tax authority: a certificate's binding, the sandbox, or a relay outside. */
export interface Transport {
  /** Never throws, and has an end within the time limit. */
  submit(bytes: Uint8Array, endpoint: string): Promise<TransportOutcome>;
}
