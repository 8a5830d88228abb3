import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { SetupError } from "./setup.mjs";

export interface ImportRatesOptions {
  /** Absolute. */
  readonly file: string;
  readonly target: { readonly stateDir: string } | { readonly wranglerFlags: readonly string[] };
}

const USAGE = "npm run import-rates -- --file PATH [--local STATE_DIR | --remote --env production]";

/** Without a target it is the state of `npm start`. */
export function readOptions(args: readonly string[], environment: NodeJS.ProcessEnv): ImportRatesOptions {
  const { file, local, remote, env } = parsed(args);
  if (file === undefined) throw new SetupError(`Say which file: ${USAGE}`);
  if (!remote && env !== undefined) throw new SetupError(`--env goes with --remote: ${USAGE}`);
  if (remote && local !== undefined) throw new SetupError(`Either --local or --remote: ${USAGE}`);
  const stateDir = resolve(local ?? (environment.STATE_DIR || ".local"));
  const flags = ["--remote", ...(env === undefined ? [] : ["--env", env])];
  return { file: resolve(file), target: remote ? { wranglerFlags: flags } : { stateDir } };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        file: { type: "string" },
        local: { type: "string" },
        remote: { type: "boolean" },
        env: { type: "string" },
      },
    }).values;
  } catch (error) {
    throw new SetupError(`${error instanceof Error ? error.message : "unreadable"} Usage: ${USAGE}`);
  }
}
