export type Audit =
  | { readonly answered: false }
  | {
      readonly answered: true;
      readonly counts: Readonly<Record<string, number>>;
      readonly packages: readonly string[];
    };

export function readAudit(output: string): Audit;

/** `ask` runs `npm audit --json` with these arguments. */
export function auditPackages(ask?: (args: readonly string[]) => string | Promise<string>): Promise<{
  readonly lines: readonly string[];
  readonly fails: boolean;
}>;
