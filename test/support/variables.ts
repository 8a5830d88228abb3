/** The variables of wrangler.toml as they are written there. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "./sources.ts";

const VARIABLE = /^([A-Z_]+) = (?:"([^"]*)"|'''([\s\S]*?)''')$/gm;

export function variablesOf(environment: "local" | "production"): Readonly<Record<string, string>> {
  const section = environment === "local" ? "[vars]" : "[env.production.vars]";
  const [, begun = ""] = readFileSync(join(REPOSITORY, "wrangler.toml"), "utf8").split(`\n${section}\n`);
  const [own = ""] = begun.split("\n[");
  const read = [...own.matchAll(VARIABLE)].map(([, name = "", short, long]) => [name, short ?? long ?? ""]);
  return Object.fromEntries(read);
}
