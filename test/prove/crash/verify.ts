/** The product's own verification of the books, as its operators run it. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "../../../src/ops/setup.mjs";
import { type Problem, problem } from "../../support/rules/book-rules.ts";

/** No other process may have the databases open at the same time. */
export function verifyProblems(stateDir: string, connectionIds: readonly string[]): Problem[] {
  return connectionIds.flatMap((id) => {
    const args = [join(root, "src/ops/verify.ts"), "--connection", id, "--local", stateDir];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
    return status === 0 ? [] : [problem("chain", `npm run verify of ${id}: ${stdout}${stderr}`)];
  });
}
