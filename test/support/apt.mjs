/** Installs a Debian package where that needs no question: as root, on Debian. Runs on Node 20. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** False if it cannot be installed; the reason is printed. */
export function aptInstall(name) {
  if (!existsSync("/etc/debian_version") || process.getuid?.() !== 0) return false;
  console.log(`Installing ${name} (apt-get) ...`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const args of [["update"], ["install", "-y", name]]) {
    const run = spawnSync("apt-get", ["-qq", ...args], { env, encoding: "utf8" });
    if (run.status !== 0) {
      console.error(`apt-get ${args.join(" ")} failed: ${run.stderr ?? run.error?.message}`);
      return false;
    }
  }
  return true;
}
