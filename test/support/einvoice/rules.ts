import { existsSync } from "node:fs";
import { resolve } from "node:path";

const REPOSITORY = resolve(import.meta.dirname, "../../..");
const folder = resolve(REPOSITORY, process.env.EINVOICE_RULES || "../shared/einvoice");

/** Where schemas, rules and examples of electronic invoices are; undefined on a machine without them. */
export const rulesFolder: string | undefined = existsSync(`${folder}/validate.mjs`) ? folder : undefined;
