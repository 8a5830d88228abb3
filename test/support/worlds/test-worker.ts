/** Entry of the workers suite: the product, its object with calls that are counted and bindings that misbehave. */
import { ConnectionLedger as Product } from "../../../src/ledger/core/connection-ledger.ts";
import { withAuthority } from "../authority/line.ts";
import { ownTest } from "../faults/faults.ts";
import { wrapEnv } from "../faults/wrapped-d1.ts";
import { countCalls, withFarAlarms } from "./watched-objects.ts";

/** The calls that wait in the queue; reads do not. */
const QUEUED = [
  ...(["issueInvoice", "previewInvoice", "cancelInvoice", "reportShop", "submitOrder"] as const),
  ...(["act", "answerOrder", "answerTogether", "previewOrder", "decideAgain"] as const),
  ...(["correctRecord", "alarm"] as const),
];

export class ConnectionLedger extends Product {
  readonly #within: <T>(call: Promise<T>) => Promise<T>;

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, withAuthority(wrapEnv(env, ownTest()), ctx.id.name ?? ""));
    this.ctx = withFarAlarms(this.ctx);
    this.#within = countCalls(ctx.id.toString());
  }

  // RPC finds the members of the prototype only.
  static {
    for (const name of QUEUED) {
      const method: (...given: never[]) => Promise<unknown> = Reflect.get(Product.prototype, name);
      Object.defineProperty(ConnectionLedger.prototype, name, {
        value(this: ConnectionLedger, ...given: never[]) {
          return this.#within(Reflect.apply(method, this, given));
        },
      });
    }
  }
}

/** The owner Worker, here a second entrypoint of the API Worker. */
export { default as OwnerApi } from "../../../src/console/worker.ts";
export { SandboxAuthority } from "../../../src/sandbox/worker.ts";
export { default } from "../../../src/worker.ts";
