import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { type DatabaseTarget, TARGET_OPTIONS, targetOf } from "./database-target.ts";
import { SetupError } from "./setup.mjs";

export interface ImportRatesOptions {
  /** Absolute. */
  readonly file: string;
  readonly target: DatabaseTarget;
}

const USAGE = "npm run import-rates -- --file PATH [--local STATE_DIR | --remote --env production]";

/** Without a target it is the state of `npm start`. */
export function readOptions(args: readonly string[], environment: NodeJS.ProcessEnv): ImportRatesOptions {
  const { file, ...where } = parsed(args);
  if (file === undefined) throw new SetupError(`Say which file: ${USAGE}`);
  return { file: resolve(file), target: targetOf(where, environment, USAGE) };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: { file: { type: "string" }, ...TARGET_OPTIONS } }).values;
  } catch (error) {
    throw new SetupError(`${error instanceof Error ? error.message : "unreadable"} Usage: ${USAGE}`);
  }
}
