/** `npm run company`: the operator's decisions about the owner of a NIF. */
import { randomBytes } from "node:crypto";
import { doForCompany, HELP, readCompanyOptions } from "./company-changes.ts";
import { onDirectory } from "./open-databases.ts";
import { SetupError } from "./setup.mjs";

try {
  const options = readCompanyOptions(process.argv.slice(2), process.env);
  if (options.help) {
    console.log(HELP);
  } else {
    const { done, output } = await onDirectory(options.target, (directory) =>
      doForCompany(options, { directory, now: Date.now, random: (sizeBytes) => randomBytes(sizeBytes) }),
    );
    console.log(output);
    process.exitCode = done ? 0 : 1;
  }
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
