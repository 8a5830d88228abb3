import { randomInt } from "node:crypto";
import { createServer, type Server } from "node:net";

/**
 * Linux takes the port of an outgoing connection from 32768 on. A port from there that is free now may be taken
 * before its server starts, so these are lower.
 */
const [LOWEST, AFTER_HIGHEST] = [10_000, 30_000];
const TRIES = 100;

/** Different ports on which nobody listens. */
export async function freePorts(count: number): Promise<string[]> {
  const held = await Promise.all(Array.from({ length: count }, holdPort));
  await Promise.all(held.map(({ server }) => new Promise((closed) => server.close(closed))));
  return held.map(({ port }) => String(port));
}

interface Held {
  readonly port: number;
  readonly server: Server;
}

/** Throws when all tries met a port in use. */
async function holdPort(): Promise<Held> {
  for (let tries = 0; tries < TRIES; tries++) {
    const port = randomInt(LOWEST, AFTER_HIGHEST);
    const server = createServer();
    const isHeld = await new Promise<boolean>((ready) => {
      server.once("error", () => ready(false));
      server.listen(port, "127.0.0.1", () => ready(true));
    });
    if (isHeld) return { port, server };
  }
  throw new Error(`no free port between ${LOWEST} and ${AFTER_HIGHEST} in ${TRIES} tries`);
}
