/** What no migration may do to the tables whose rows are for ever. A rebuild loses their triggers. */

const APPEND_ONLY = "(?:invoice|invoice_document|invoice_link|record|series|ledger_head)";

const FORBIDDEN: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`\\bDROP TABLE (?:IF EXISTS )?${APPEND_ONLY}\\b`, "i"), "drops a table"],
  [new RegExp(`\\bALTER TABLE ${APPEND_ONLY} RENAME\\b`, "i"), "renames a table or a column"],
  [new RegExp(`\\bALTER TABLE ${APPEND_ONLY} DROP\\b`, "i"), "drops a column"],
  [new RegExp(`\\bRENAME TO ${APPEND_ONLY}\\b`, "i"), "puts another table in the place"],
  [new RegExp(`\\bCREATE TABLE (?:IF NOT EXISTS )?__new_${APPEND_ONLY}\\b`, "i"), "rebuilds a table"],
  [
    new RegExp(
      `\\bINSERT (?:OR \\w+ )?INTO \\w+ ?(?:\\([^)]*\\) ?)?SELECT\\b.*?\\bFROM ${APPEND_ONLY}\\b`,
      "i",
    ),
    "copies rows",
  ],
  [new RegExp(`\\bINSERT (?:OR \\w+ )?INTO ${APPEND_ONLY}\\b`, "i"), "writes rows"],
  [new RegExp(`\\bUPDATE (?:OR \\w+ )?${APPEND_ONLY}\\b`, "i"), "changes rows"],
  [new RegExp(`\\bDELETE FROM ${APPEND_ONLY}\\b`, "i"), "deletes rows"],
  [/\bPRAGMA writable_schema\b/i, "writes the schema by hand"],
];

/** REPLACE erases a row and fires no DELETE trigger. Prose may say "or replaces". */
export const REPLACES = /\b(?:INSERT|UPDATE)\s+OR\s+REPLACE\b|\bREPLACE\s+INTO\b/i;

/** Every rule that the migration breaks. */
export function migrationProblems(sql: string): string[] {
  const text = sql
    .replace(/--[^\n]*/g, " ")
    .replace(/[`"[\]]/g, "")
    .replace(/\s+/g, " ");
  const statements = FORBIDDEN.filter(([pattern]) => pattern.test(text)).map(([, problem]) => problem);
  const replaces = REPLACES.test(text) ? ["uses REPLACE"] : [];
  return [...statements, ...lostTriggers(text), ...replaces];
}

/** A trigger is replaced by dropping it and creating it again behind that, in the same file. */
function lostTriggers(text: string): string[] {
  return [...text.matchAll(/\bDROP TRIGGER (?:IF EXISTS )?(\w+)/gi)].flatMap((drop) => {
    const behind = text.slice(drop.index);
    const again = new RegExp(`\\bCREATE TRIGGER (?:IF NOT EXISTS )?${drop[1]}\\b`, "i");
    return again.test(behind) ? [] : [`loses the trigger ${drop[1]}`];
  });
}
