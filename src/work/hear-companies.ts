import { type HearDeps, hearCompany } from "../db/companies/hear-company.ts";
import { CRON } from "../domain/limits.ts";
import type { Budget } from "./budget.ts";
import { guarded, type JobLog } from "./guarded.ts";

export interface HearCompaniesDeps extends HearDeps, JobLog {
  readonly budget: Budget;
}

/** Of one company, however many are its owner's: what is handed over is asked of the objects. */
export const QUERIES_OF_ONE = 25;

/**
 * Companies whose ledgers have not heard of their last change, such as that of an operator. Answers how many
 * it knows to be left.
 */
export async function hearCompanies(deps: HearCompaniesDeps): Promise<number> {
  const { register, budget, now } = deps;
  const found = await register.unheard(CRON.items + 1);
  let left = found.length;
  for (const accountId of found) {
    if (!budget.take(QUERIES_OF_ONE)) return left;
    await guarded({ job: "hear_companies", database: "directory" }, deps, async () => {
      await register.toldNow(accountId, now());
      await hearCompany(accountId, deps);
      left -= 1;
    });
  }
  return left;
}
