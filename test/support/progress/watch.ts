/**
 * `node watch.ts SCRIPT ...`: runs a bench or a proof as a process group of its own. It prints how far the
 * command is, ends it with an error when nothing moves, and ends all of its groups with it: when it is done,
 * broken, given up, or stopped by a signal.
 */
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { basename, dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Told } from "./progress.ts";
import { Standstill } from "./standstill.ts";

const LOOK_MS = 1_000;
/** The groups have so long to end in order. */
const GRACE_MS = 5_000;
const POLL_MS = 50;
const STOPPED: Readonly<Record<string, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

const [script = "", ...given] = process.argv.slice(2);
const groups = new Set<number>();
const folders = new Set<string>();
const child = spawn(process.execPath, [script, ...given], {
  detached: true,
  stdio: ["ignore", "pipe", "pipe", "ipc"],
});
if (child.pid !== undefined) groups.add(child.pid);

let isEnding = false;
const name = [
  basename(script, ".ts") === "run" ? basename(dirname(script)) : basename(script, ".ts"),
  ...given,
];
const standstill = new Standstill(name.join(" "), {
  now: () => performance.now(),
  print: (line) => console.error(line),
  giveUp(why) {
    console.error(why);
    void end(1);
  },
});
for (const [output, out] of [
  [child.stdout, process.stdout],
  [child.stderr, process.stderr],
] as const) {
  output?.on("data", (chunk: Uint8Array) => {
    out.write(chunk);
    standstill.hear({ goesOn: true });
  });
}
child.on("message", (message) => {
  const told = message as Told;
  if ("group" in told) groups.add(told.group);
  else if ("folder" in told) folders.add(told.folder);
  else standstill.hear(told);
});
const looking = setInterval(() => {
  // A number that was a group's may be another's later.
  for (const group of groups) if (!signalGroup(group, 0)) groups.delete(group);
  standstill.look();
}, LOOK_MS);
child.once("close", (code) => void end(code ?? 1));
for (const [signal, code] of Object.entries(STOPPED)) process.on(signal, () => void end(code));

async function end(code: number): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  clearInterval(looking);
  await endGroups("SIGTERM");
  await endGroups("SIGKILL");
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.exit(code);
}

async function endGroups(signal: NodeJS.Signals): Promise<void> {
  const deadline = performance.now() + GRACE_MS;
  let left = [...groups].filter((group) => signalGroup(group, signal));
  while (left.length > 0 && performance.now() < deadline) {
    await delay(POLL_MS);
    left = left.filter((group) => signalGroup(group, 0));
  }
}

/** False once no process of the group is left. */
function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch {
    return false;
  }
}
