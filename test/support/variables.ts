/** The variables of both Workers as their configurations write them; a test compares those that both have. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "./sources.ts";

const VARIABLE = /^([A-Z_]+) = (?:"([^"]*)"|'''([\s\S]*?)''')$/gm;

const CONFIGURATIONS = ["wrangler.toml", "src/console/wrangler.toml"];

export function variablesOf(environment: "local" | "production"): Readonly<Record<string, string>> {
  return Object.assign({}, ...CONFIGURATIONS.map((file) => variablesIn(file, environment)));
}

function variablesIn(file: string, environment: "local" | "production"): Readonly<Record<string, string>> {
  const section = environment === "local" ? "[vars]" : "[env.production.vars]";
  const [, begun = ""] = readFileSync(join(REPOSITORY, file), "utf8").split(`\n${section}\n`);
  const [own = ""] = begun.split("\n[");
  const read = [...own.matchAll(VARIABLE)].map(([, name = "", short, long]) => [name, short ?? long ?? ""]);
  return Object.fromEntries(read);
}
