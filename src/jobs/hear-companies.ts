import { CRON } from "../domain/limits.ts";
import { type HearDeps, hearCompany } from "../usecases/console/hear-company.ts";

/** Companies whose ledgers have not heard of their last change, such as that of an operator. */
export async function hearCompanies(deps: HearDeps): Promise<void> {
  for (const accountId of await deps.register.unheard(CRON.items)) await hearCompany(accountId, deps);
}
