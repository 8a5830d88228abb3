import { createServer } from "node:net";
import { resolve } from "node:path";
import { SetupError } from "../ops/setup.mjs";

export interface StartSettings {
  readonly port: number;
  readonly consolePort: number;
  readonly authorityPort: number;
  /** Absolute; everything that `npm start` writes lies in it. */
  readonly stateDir: string;
}

export function readSettings(environment: NodeJS.ProcessEnv): StartSettings {
  return {
    port: readPort(environment, "PORT", 8787),
    consolePort: readPort(environment, "CONSOLE_PORT", 8788),
    authorityPort: readPort(environment, "AUTHORITY_PORT", 8789),
    stateDir: resolve(environment.STATE_DIR || ".local"),
  };
}

function readPort(environment: NodeJS.ProcessEnv, name: string, byDefault: number): number {
  const text = environment[name] || String(byDefault);
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new SetupError(`${name}=${text} is not a port number.`);
  }
  return port;
}

/** A busy port is told before anything else is done. */
export async function demandFreePort(name: string, port: number): Promise<void> {
  const probe = createServer();
  const problem = await new Promise<NodeJS.ErrnoException | undefined>((answer) => {
    probe.once("error", answer);
    probe.listen(port, "127.0.0.1", () => answer(undefined));
  });
  await new Promise<void>((closed) => (problem ? closed() : probe.close(() => closed())));
  if (problem === undefined) return;
  const reason = problem.code === "EADDRINUSE" ? "is in use" : `cannot be used (${problem.message})`;
  throw new SetupError(`Port ${port} ${reason}. Choose another: ${name}=${port + 100} npm start`);
}
