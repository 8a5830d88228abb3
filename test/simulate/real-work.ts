/** Work of the machine itself that a history waits for: WebCrypto runs in threads of Node. */

/** Kept, because a simulated run has no other timer. */
const { setImmediate: nextTurn } = globalThis;

const COUNTED = [
  ...(["digest", "encrypt", "decrypt", "importKey", "deriveKey", "deriveBits", "sign", "verify"] as const),
] as const;

let pending = 0;
let isCounting = false;

/** Once for the process: each call counts until it has ended. */
export function countRealWork(): void {
  if (isCounting) return;
  isCounting = true;
  const { subtle } = crypto;
  for (const name of COUNTED) {
    const real = subtle[name] as (...given: unknown[]) => Promise<unknown>;
    const counted = async (...given: unknown[]) => {
      pending += 1;
      try {
        return await Reflect.apply(real, subtle, given);
      } finally {
        pending -= 1;
      }
    };
    Object.defineProperty(subtle, name, { value: counted, configurable: true });
  }
}

/** Nothing goes on any longer by itself: every microtask has run, and no thread works. */
export async function settled(): Promise<void> {
  do await new Promise((resume) => nextTurn(resume));
  while (pending > 0);
}
