import { parseArgs } from "node:util";
import { ledgerOf } from "../domain/connection/ids.ts";
import { type DatabaseTarget, TARGET_OPTIONS, targetOf } from "./database-target.ts";
import { SetupError } from "./setup.mjs";

export type RetentionOptions =
  | { readonly help: true }
  | {
      readonly help: false;
      readonly accountId: string;
      readonly year: number;
      readonly target: DatabaseTarget;
      /** Without it nothing is written. */
      readonly order?: RetentionOrder;
    };

export interface RetentionOrder {
  /** `NIF-YEAR`, so that neither account nor year is a slip of the hand. */
  readonly confirmed: string;
  readonly operator: string;
  readonly reason: string;
}

const USAGE =
  "npm run retention -- --account ID --year YYYY [--local STATE_DIR | --remote --env production] " +
  "[--confirm NIF-YYYY --operator NAME --reason TEXT]";

export const HELP = `${USAGE}

Has a year leave the books of an account: its invoices with documents, records, lists and words, the orders
that they were issued for, the messages to the AEAT with their bytes in R2, and the lines of the audit log. It
prints what would leave and what stands against it, and writes nothing. docs/runbooks/retention.md says when,
and who has to agree.

  --account ID      the account, ac and 19 characters
  --year YYYY       the year: over, and six years ago at least (ten with sales of the one-stop shop)
  --local DIR       the state of a local server; by default STATE_DIR, or .local
  --remote          the databases of Cloudflare, through wrangler
  --env NAME        with --remote: the environment of wrangler.toml
  --confirm TEXT    begins: the NIF of the account, a hyphen and the year
  --operator NAME   with --confirm: who begins it
  --reason TEXT     with --confirm: who asked for it, as a reference; it stands in the account's activity

What was begun the service works off by itself, some of it every minute; the same command without --confirm
shows how far it has come. Ends with 0 when nothing stands against it, 1 otherwise.`;

export function readRetentionOptions(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): RetentionOptions {
  const { account, year, confirm, operator, reason, help, ...where } = parsed(args);
  if (help) return { help };
  if (account === undefined) throw new SetupError(`Say which account: ${USAGE}`);
  if (ledgerOf(account, "ac") === undefined) {
    throw new SetupError(`${JSON.stringify(account)} is not the id of an account: ac and 19 characters.`);
  }
  if (year === undefined || !/^20\d\d$/.test(year)) throw new SetupError(`Say which year, as 2019: ${USAGE}`);
  const asked = { accountId: account, year: Number(year), target: targetOf(where, environment, USAGE) };
  if (confirm === undefined) return { help: false, ...asked };
  if (!operator?.trim() || !reason?.trim()) {
    throw new SetupError(`Who begins it, and why: --operator and --reason go with --confirm. ${USAGE}`);
  }
  const order = { confirmed: confirm.trim(), operator: operator.trim(), reason: reason.trim() };
  return { help: false, ...asked, order };
}

function parsed(args: readonly string[]) {
  const text = { type: "string" } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        ...{ account: text, year: text, confirm: text, operator: text, reason: text },
        help: { type: "boolean" },
        ...TARGET_OPTIONS,
      },
    }).values;
  } catch (error) {
    throw new SetupError(`${error instanceof Error ? error.message : "unreadable"} Usage: ${USAGE}`);
  }
}
