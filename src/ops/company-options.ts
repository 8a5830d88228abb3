import { parseArgs } from "node:util";
import { ledgerOf } from "../domain/connection/ids.ts";
import { type DatabaseTarget, TARGET_OPTIONS, targetOf } from "./database-target.ts";
import { SetupError } from "./setup.mjs";

/** The operator's actions about the owner of a NIF. */
export const COMPANY_VERBS = ["list", "verify", "refuse", "contest", "grant", "reject"] as const;
export type CompanyVerb = (typeof COMPANY_VERBS)[number];

export type CompanyOptions =
  | { readonly help: true }
  | {
      readonly help: false;
      readonly verb: "list";
      readonly target: DatabaseTarget;
    }
  | {
      readonly help: false;
      readonly verb: Exclude<CompanyVerb, "list">;
      /** The id of an account or a claim. */
      readonly id: string;
      readonly operator: string;
      readonly reason: string;
      /** The document that was read; of an account that has one waiting. */
      readonly proofId?: string;
      readonly target: DatabaseTarget;
    };

const USAGE =
  "npm run company -- list | verify ACCOUNT [--proof ID] | refuse ACCOUNT --proof ID | contest CLAIM | " +
  "grant CLAIM | reject CLAIM [--operator NAME --reason TEXT] " +
  "[--local STATE_DIR | --remote --env production]";

export const HELP = `${USAGE}

Says whose a NIF is. docs/runbooks/companies.md says what to look at before.

  list              documents and claims that wait, with the file in R2 to read
  verify ACCOUNT    its NIF is proven: from now on it issues invoices
  refuse ACCOUNT    the document that was read proves nothing; another may be shown
  contest CLAIM     the document of the claim was read: the company is contested
  grant CLAIM       the company is the claimant's; former owners lose access, keys and secrets
  reject CLAIM      the company stays whose it is
  --proof ID        the document that was read, as list names it; needed where one waits
  --operator NAME   who has looked
  --reason TEXT     at what, as a reference; it stands in the company's activity
  --local DIR       the state of a local server; by default STATE_DIR, or .local
  --remote          the databases of Cloudflare, through wrangler
  --env NAME        with --remote: the environment of wrangler.toml

The directory says so at once; the service brings it to the ledger within a minute. Ends with 0 when it was
done, 1 otherwise.`;

export function readCompanyOptions(args: readonly string[], environment: NodeJS.ProcessEnv): CompanyOptions {
  const { values, positionals } = parsed(args);
  const { help, operator, reason, proof: proofId, ...where } = values;
  if (help) return { help };
  const [asked, id, ...more] = positionals;
  const verb = COMPANY_VERBS.find((one) => one === asked);
  if (verb === undefined || more.length > 0) throw new SetupError(`Say what to do: ${USAGE}`);
  const target = targetOf(where, environment, USAGE);
  if (verb === "list") return { help: false, verb, target };
  const isOfAccount = verb === "verify" || verb === "refuse";
  const prefix = isOfAccount ? "ac" : "cl";
  if (id === undefined || ledgerOf(id, prefix) === undefined) {
    throw new SetupError(`${JSON.stringify(id ?? "")} is no id of the kind ${prefix}. ${USAGE}`);
  }
  if (!operator?.trim() || !reason?.trim()) {
    throw new SetupError(`Who has looked, and at what: --operator and --reason. ${USAGE}`);
  }
  if (proofId !== undefined && (!isOfAccount || ledgerOf(proofId, "pr") === undefined)) {
    throw new SetupError(`${JSON.stringify(proofId)} is no document of an account. ${USAGE}`);
  }
  const word = { operator: operator.trim(), reason: reason.trim() };
  return { help: false, verb, id, ...word, ...(proofId === undefined ? {} : { proofId }), target };
}

function parsed(args: readonly string[]) {
  const text = { type: "string" } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { operator: text, reason: text, proof: text, help: { type: "boolean" }, ...TARGET_OPTIONS },
    });
  } catch (error) {
    throw new SetupError(`${error instanceof Error ? error.message : "unreadable"} Usage: ${USAGE}`);
  }
}
