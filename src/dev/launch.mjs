/** `npm start`: installs what is missing, then runs `start.ts` in this process group under a newer Node. */
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { join } from "node:path";
import {
  installPackages,
  root,
  SetupError,
  toolEnvironment,
  toolNode,
  whenParentIsGone,
} from "../ops/setup.mjs";

try {
  installPackages();
  launch(toolNode());
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

function launch(node) {
  const env = toolEnvironment(node);
  const child = spawn(node, [join(root, "src/dev/start.ts")], { cwd: root, env, stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  if (process.env.npm_lifecycle_event) whenParentIsGone(() => child.kill("SIGTERM"));
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal];
  });
}
