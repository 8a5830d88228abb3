import { parseArgs } from "node:util";
import { type DatabaseTarget, TARGET_OPTIONS, targetOf } from "../database-target.ts";
import { SetupError } from "../setup.mjs";

const VERBS = ["freeze", "thaw", "export", "put-back", "new-installation"] as const;
export type RestoreVerb = (typeof VERBS)[number];

export type RestoreOptions =
  | { readonly help: true }
  | ({ readonly help: false; readonly target: DatabaseTarget; readonly ledger: string } & RestoreRequest);

/** Accounts of the ledger: the given ones, or all. */
export type Accounts = readonly string[] | "all";

type RestoreRequest =
  | { readonly verb: "freeze" | "thaw"; readonly accounts: Accounts }
  | { readonly verb: "export"; readonly accounts: Accounts; readonly since: number; readonly file: string }
  | { readonly verb: "put-back"; readonly file: string }
  | { readonly verb: "new-installation"; readonly connectionId: string; readonly reason: string };

const USAGE = "npm run restore -- VERB --ledger 000 [...] [--local STATE_DIR | --remote --env production]";

export const HELP = `${USAGE}

What an operator does around a restore of a ledger to an earlier moment. docs/runbooks/restore.md says when.

  freeze [--account ID ...]       from now on nothing is written for these accounts: calls are answered 503
  thaw [--account ID ...]         takes that back
  export --since TIME --to FILE [--account ID ...]
                                  writes what came after TIME into FILE, as SQL: rows that are newer, and
                                  what was erased since; the accounts have to be frozen
  put-back --from FILE            runs it on the restored ledger; the accounts have to be frozen again. It
                                  can be repeated
  new-installation --connection ID --reason TEXT
                                  for what cannot be put back: closes the chain of the connection and
                                  begins another, with series of its own

  --ledger NNN      three characters, as in LEDGER_000 and in every id
  --account ID      ac and 19 characters, as often as needed; without it all accounts of the ledger
  --since TIME      the moment of the restore or one before it, with zone: 2026-11-28T10:00:00Z
  --to FILE         must not exist yet; it will hold personal data
  --local DIR       the state of a local server that is stopped; by default STATE_DIR, or .local
  --remote          the databases of Cloudflare, through wrangler
  --env NAME        with --remote: the environment of wrangler.toml`;

const OPTIONS = {
  ledger: { type: "string" },
  account: { type: "string", multiple: true },
  since: { type: "string" },
  to: { type: "string" },
  from: { type: "string" },
  connection: { type: "string" },
  reason: { type: "string" },
  help: { type: "boolean" },
  ...TARGET_OPTIONS,
} as const;

export function readRestoreOptions(args: readonly string[], environment: NodeJS.ProcessEnv): RestoreOptions {
  const { values, positionals } = parsed(args);
  if (values.help) return { help: true };
  const [named = "", ...more] = positionals;
  const verb = VERBS.find((one) => one === named);
  if (!verb || more.length > 0) throw new SetupError(`Say one of ${VERBS.join(", ")}. ${USAGE}`);
  const ledger = values.ledger ?? "";
  if (!/^[0-9a-z]{3}$/.test(ledger)) throw new SetupError(`Say which ledger, as in --ledger 000. ${USAGE}`);
  const target = targetOf(values, environment, USAGE);
  return { help: false, target, ledger, ...requestOf(verb, values) };
}

function requestOf(verb: RestoreVerb, values: ReturnType<typeof parsed>["values"]): RestoreRequest {
  const accounts: Accounts = values.account ?? "all";
  switch (verb) {
    case "freeze":
    case "thaw":
      return { verb, accounts };
    case "export":
      return { verb, accounts, since: instantIn(values.since), file: given(values.to, "--to FILE") };
    case "put-back":
      return { verb, file: given(values.from, "--from FILE") };
    case "new-installation":
      return {
        verb,
        connectionId: given(values.connection, "--connection ID"),
        reason: given(values.reason, "--reason TEXT"),
      };
  }
}

function given(value: string | undefined, option: string): string {
  if (!value?.trim()) throw new SetupError(`${option} is missing. ${USAGE}`);
  return value.trim();
}

/** A time without a zone would mean another moment on another machine. */
function instantIn(text: string | undefined): number {
  const instant = Date.parse(text ?? "");
  if (Number.isNaN(instant) || !/T.*(Z|[+-]\d\d:\d\d)$/.test(text ?? "")) {
    throw new SetupError(`--since takes a moment with its zone, as 2026-11-28T10:00:00Z. ${USAGE}`);
  }
  return instant;
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new SetupError(`${error instanceof Error ? error.message : "unreadable"} Usage: ${USAGE}`);
  }
}
