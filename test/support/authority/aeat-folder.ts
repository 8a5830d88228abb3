import { existsSync } from "node:fs";
import { resolve } from "node:path";

const REPOSITORY = resolve(import.meta.dirname, "../../..");
const folder = resolve(REPOSITORY, process.env.AEAT_SCHEMAS ?? "../shared/aeat");

/** Where the AEAT's schemas and their samples are; undefined on a machine without them. */
export const aeatFolder: string | undefined = existsSync(`${folder}/SuministroLR.xsd`) ? folder : undefined;
