/** `npm run migrate`: every database of the configuration, in order, stopping at the first failure. */

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { unstable_readConfig } from "wrangler";
import { root, toolEnvironment } from "./setup.mjs";

const passed = process.argv.slice(2);
const environment = passed.includes("--env") ? passed[passed.indexOf("--env") + 1] : undefined;
const config = join(root, "wrangler.toml");
const wrangler = join(root, "node_modules/wrangler/bin/wrangler.js");

const { d1_databases } = unstable_readConfig({
  config,
  ...(environment === undefined ? {} : { env: environment }),
});
for (const { binding } of d1_databases) {
  console.log(`Migrating ${binding} ...`);
  const args = [wrangler, "d1", "migrations", "apply", binding, "--config", config, ...passed];
  const run = spawnSync(process.execPath, args, {
    cwd: root,
    env: toolEnvironment(process.execPath),
    stdio: "inherit",
  });
  if (run.status !== 0) {
    console.error(
      `${binding} was not migrated; the databases after it were not touched. Run it again when mended.`,
    );
    process.exit(1);
  }
}
