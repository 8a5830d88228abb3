import { z } from "zod";
import type { ReportedModule } from "../../domain/order/normalize-upserts.ts";
import { freeText, whenSent } from "./order-values.ts";
import { present } from "./present.ts";

export const LONGEST_MODULE_TEXT = 64;

/** Given twice, the first one counts; other parameters are nobody's business. */
const reported = z.preprocess(
  (sent) => (Array.isArray(sent) ? sent[0] : sent),
  whenSent(freeText(LONGEST_MODULE_TEXT)),
);

/** Query of `GET /api/v1/module-version`: what is recorded of the module that asks. */
export const moduleVersionQuery = z.object({
  platform: reported,
  module_version: reported,
  contract_version: reported,
});

export type ModuleVersionQuery = z.output<typeof moduleVersionQuery>;

export function toReportedModule(query: ModuleVersionQuery): ReportedModule {
  return present({
    platform: query.platform,
    moduleVersion: query.module_version,
    contractVersion: query.contract_version,
  });
}
