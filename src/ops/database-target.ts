/** Options of operators' commands. Nothing of wrangler comes along: tests in workerd read this file. */
import { resolve } from "node:path";
import { SetupError } from "./setup.mjs";

/** The state of a local server, or wrangler's flags for remote databases. */
export type DatabaseTarget = { readonly stateDir: string } | { readonly wranglerFlags: readonly string[] };

interface TargetOptions {
  readonly local?: string | undefined;
  readonly remote?: boolean | undefined;
  readonly env?: string | undefined;
}

export const TARGET_OPTIONS = {
  local: { type: "string" },
  remote: { type: "boolean" },
  env: { type: "string" },
} as const;

/** Without options it is the state of `npm start`. */
export function targetOf(
  { local, remote, env }: TargetOptions,
  environment: NodeJS.ProcessEnv,
  usage: string,
): DatabaseTarget {
  if (!remote && env !== undefined) throw new SetupError(`--env goes with --remote: ${usage}`);
  if (remote && local !== undefined) throw new SetupError(`Either --local or --remote: ${usage}`);
  if (remote) return { wranglerFlags: ["--remote", ...(env === undefined ? [] : ["--env", env])] };
  return { stateDir: resolve(local ?? (environment.STATE_DIR || ".local")) };
}
