/** One running product for all files of the browser suite: to start it takes longer than their tests. */
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { type Demo, startLocalServer } from "./local-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Whose orders and invoices a file adds, it names after itself. */
    readonly demo: Demo;
    /** Where the product writes the mails that it would send. */
    readonly mailFile: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startLocalServer();
  project.provide("demo", server.demo);
  project.provide("mailFile", join(server.stateDir, "mails.txt"));
  return () => server.close();
}
