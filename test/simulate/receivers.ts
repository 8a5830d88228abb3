/** Customers' servers: they take messages, refuse them, are silent, and remember what came. */
import type { CallResult } from "../../src/domain/callback/delivery.ts";
import type { SendMessage } from "../../src/work/callback/deliver-callback.ts";
import type { Chance } from "./chance.ts";
import type { Life } from "./object.ts";
import type { Scheduler } from "./scheduler.ts";

export interface Receivers {
  readonly weather: { faults: number };
  /** Bodies by the id of their message, which every attempt repeats. */
  readonly received: ReadonlyMap<string, { readonly url: string; readonly body: string }>;
  /** A message that came again with another body. */
  readonly faults: readonly string[];
  sendOf(life: Life): SendMessage;
}

interface ReceiverDeps {
  readonly scheduler: Scheduler;
  readonly chance: Chance;
  readonly count: (what: string) => void;
}

const DELIVERED: CallResult = { outcome: { outcome: "delivered", status: 200 } };
const FAILED: readonly [CallResult, ...CallResult[]] = [
  { outcome: { outcome: "failed", cause: "server_error", status: 503 } },
  { outcome: { outcome: "failed", cause: "timeout" } },
  { outcome: { outcome: "failed", cause: "redirect", status: 302 } },
];

export function receiversOf({ scheduler, chance, count }: ReceiverDeps): Receivers {
  const weather = { faults: 0 };
  const received = new Map<string, { readonly url: string; readonly body: string }>();
  const faults: string[] = [];
  return {
    ...{ weather, received, faults },
    sendOf:
      (life) =>
      ({ id, url, body }) => {
        const { promise, resolve } = Promise.withResolvers<CallResult>();
        const isRefused = chance.is(weather.faults);
        scheduler.after(chance.between(2, 100), "at the receiver", () => {
          const known = received.get(id);
          if (known && (known.body !== body || known.url !== url))
            faults.push(`${id} came with another body`);
          received.set(id, { url, body });
          count(isRefused ? "message refused" : "message taken");
          const result = isRefused ? chance.pick(FAILED) : DELIVERED;
          scheduler.after(chance.between(2, isRefused ? 10_000 : 300), "receiver answers", () => {
            if (!life.isOver) resolve(result);
          });
        });
        return promise;
      },
  };
}
