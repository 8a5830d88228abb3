import { createServer } from "node:net";
import { expect, test } from "vitest";
import { freePorts } from "../../support/browser/free-ports.ts";

test("free ports differ, take no port of outgoing connections, and can be listened on", async () => {
  const ports = await freePorts(8);
  expect(new Set(ports).size).toBe(8);
  for (const port of ports) {
    expect(Number(port)).toBeLessThan(32_768);
    const server = createServer();
    await new Promise<void>((listening, failed) => {
      server.once("error", failed);
      server.listen(Number(port), "127.0.0.1", listening);
    });
    await new Promise((closed) => server.close(closed));
  }
});
