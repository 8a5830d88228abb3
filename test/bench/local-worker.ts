/** Workers beside the product, which it is measured against. */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { root, toolEnvironment } from "../../src/dev/setup.mjs";

export interface RunningWorker {
  readonly url: string;
  stop(): Promise<void>;
}

export async function startWorker(
  args: readonly string[],
  port: number,
  state: string,
): Promise<RunningWorker> {
  const local = ["--ip", "127.0.0.1", "--port", String(port), "--inspector-port", "0", "--persist-to", state];
  const script = join(root, "node_modules/wrangler/bin/wrangler.js");
  const child = spawn(process.execPath, [script, "dev", ...args, ...local, "--log-level", "error"], {
    cwd: root,
    env: toolEnvironment(process.execPath),
    stdio: ["ignore", "ignore", "inherit"],
    detached: true,
  });
  const ended = new Promise((done) => child.once("exit", done));
  const url = `http://127.0.0.1:${port}`;
  await answers(url);
  return {
    url,
    stop: async () => {
      endGroup(child);
      await ended;
    },
  };
}

function endGroup(child: ChildProcess): void {
  if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
}

async function answers(url: string): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    try {
      if ((await fetch(url, { redirect: "manual" })).status < 500) return;
    } catch {
      // Nobody listens yet.
    }
    await delay(200);
  }
  throw new Error("the Worker did not start");
}
