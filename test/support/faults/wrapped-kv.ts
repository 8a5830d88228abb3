/** A KV binding that counts its calls and misbehaves on request. */
import { Signal } from "./signal.ts";

export interface KvCall {
  readonly verb: "get" | "put";
  readonly name: string;
  readonly value?: Uint8Array;
  readonly ttlSeconds?: number;
}

type Trouble = "down" | "misses" | "hangs";

let calls: KvCall[] = [];
let trouble: Trouble | undefined;
let hung = new Signal();

export const kvCalls = {
  /** All since the last time, and counts anew. */
  take(): readonly KvCall[] {
    const taken = calls;
    calls = [];
    return taken;
  },
  reset(): void {
    calls = [];
    trouble = undefined;
    hung = new Signal();
  },
  /** From here on, until the next `reset()`. */
  suffer(what: Trouble): void {
    trouble = what;
  },
  /** A call that will never be answered is under way. */
  hung: () => hung.wait(),
};

/** Only the members that the product uses; anything else is the real binding. */
export function wrapKv(real: KVNamespace): KVNamespace {
  return new Proxy(real, {
    get(target, member) {
      if (member === "get") return (name: string, type: "arrayBuffer") => get(target, name, type);
      if (member === "put") {
        return (name: string, value: Uint8Array, options?: KVNamespacePutOptions) =>
          put(target, { name, value, options });
      }
      return Reflect.get(target, member);
    },
  });
}

async function get(real: KVNamespace, name: string, type: "arrayBuffer"): Promise<ArrayBuffer | null> {
  calls.push({ verb: "get", name });
  if (trouble === "down") throw new Error("KV GET failed: 503 Service Unavailable");
  if (trouble === "hangs") return hang();
  return trouble === "misses" ? null : real.get(name, type);
}

interface Put {
  readonly name: string;
  readonly value: Uint8Array;
  readonly options?: KVNamespacePutOptions | undefined;
}

async function put(real: KVNamespace, { name, value, options = {} }: Put): Promise<void> {
  const { expirationTtl } = options;
  calls.push({ verb: "put", name, value, ...(expirationTtl ? { ttlSeconds: expirationTtl } : {}) });
  if (trouble === "down") throw new Error("KV PUT failed: 503 Service Unavailable");
  if (trouble === "hangs") return hang();
  await real.put(name, value, options);
}

function hang(): Promise<never> {
  hung.set();
  return new Promise(() => {});
}
