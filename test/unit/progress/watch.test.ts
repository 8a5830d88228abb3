import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { REPOSITORY } from "../../support/rules/sources.ts";

const WATCH = join(REPOSITORY, "test/support/progress/watch.ts");
const PROGRESS = join(REPOSITORY, "test/support/progress/progress.ts");
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

interface Watched {
  readonly watcher: ChildProcess;
  /** The ids of its processes and the folder that it has named, once it stands there. */
  readonly named: Promise<{ readonly pids: readonly number[]; readonly folder: string }>;
  readonly ended: Promise<number | null>;
}

/** A command with a process of a group of its own, as a bench has. */
function watched(after: string, isStubborn = false): Watched {
  const folder = mkdtempSync(join(tmpdir(), "cuadre-watched-"));
  const script = join(folder, "command.ts");
  const stay = `${isStubborn ? 'process.on("SIGTERM", () => {});' : ""} setInterval(() => {}, 1_000);`;
  const own = join(folder, "own");
  folders.push(folder);
  writeFileSync(
    script,
    `import { spawn } from "node:child_process";
    import { mkdirSync } from "node:fs";
    import { begin, ownFolder, ownGroup } from ${JSON.stringify(PROGRESS)};
    const child = spawn(process.execPath, ["-e", ${JSON.stringify(`${stay} console.log("up")`)}], {
      detached: true, stdio: ["ignore", "pipe", "ignore"],
    });
    ownGroup(child.pid);
    mkdirSync(ownFolder(${JSON.stringify(own)}));
    begin("stand there");
    child.stdout.once("data", () => {
      console.log(JSON.stringify([process.pid, child.pid]));
      ${after}
    });
    ${stay}`,
  );
  const watcher = spawn(process.execPath, [WATCH, script], { stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(watcher, "close").then(([code]) => code as number | null);
  const named = new Promise<{ readonly pids: readonly number[]; readonly folder: string }>(
    (resolve, reject) => {
      let output = "";
      watcher.stdout?.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        if (output.includes("\n")) resolve({ pids: JSON.parse(output.split("\n")[0] ?? ""), folder: own });
      });
      watcher.once("close", () => reject(new Error(`the command named nothing: ${output}`)));
    },
  );
  return { watcher, named, ended };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test.each([
  ["SIGINT", 130, false],
  ["SIGTERM", 143, true],
] as const)(
  "%s ends a command with all of its processes and folders: %i, stubborn: %s",
  async (signal, code, isStubborn) => {
    const { watcher, named, ended } = watched("", isStubborn);
    const { pids, folder } = await named;
    expect(pids.filter(isAlive)).toHaveLength(2);
    watcher.kill(signal);
    expect(await ended).toBe(code);
    expect(pids.filter(isAlive)).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  },
);

test("a command that ends by itself has its own code, and leaves nothing behind", async () => {
  const { named, ended } = watched("process.exit(7);");
  const { pids, folder } = await named;
  expect(await ended).toBe(7);
  expect(pids.filter(isAlive)).toEqual([]);
  expect(existsSync(folder)).toBe(false);
});
