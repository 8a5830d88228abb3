/** Running products for the browser suite: one for each file that runs at the same time. */
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { consoleSite } from "../../../src/dev/console-site.ts";
import { freePorts } from "./free-ports.ts";
import { type Demo, type LocalServer, PORTS, startLocalServer } from "./local-server.ts";

export interface Product {
  /** A file names the orders and invoices that it adds after itself. */
  readonly demo: Demo;
  /** Where the product writes the mails that it would send. */
  readonly mailFile: string;
}

declare module "vitest" {
  interface ProvidedContext {
    readonly products: readonly Product[];
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const files = project.vitest.state.getPaths().filter((path) => path.includes("/test/browser/"));
  const count = Math.min(files.length, Number(project.config.maxWorkers));
  // The products would build the site at the same time.
  await consoleSite();
  const ports = await freePorts(PORTS * count);
  const starting = Array.from({ length: count }, (_, nth) =>
    startLocalServer(ports.slice(PORTS * nth, PORTS * (nth + 1))),
  );
  const servers = (await Promise.allSettled(starting)).flatMap((one) =>
    one.status === "fulfilled" ? [one.value] : [],
  );
  const close = () => closeAll(servers);
  if (servers.length < count) await close();
  await Promise.all(starting);
  project.provide(
    "products",
    servers.map(({ demo, stateDir }) => ({ demo, mailFile: join(stateDir, "mails.txt") })),
  );
  return close;
}

async function closeAll(servers: readonly LocalServer[]): Promise<void> {
  await Promise.all(servers.map((server) => server.close()));
}
