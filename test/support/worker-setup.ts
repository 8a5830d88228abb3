import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach } from "vitest";
import { faults } from "./faults.ts";

// All files share one workerd; every test gets empty, migrated databases.
beforeEach(async () => {
  faults.reset();
  await reset();
  const { ledger, directory } = env.TEST_MIGRATIONS;
  await applyD1Migrations(env.LEDGER_000, ledger);
  await applyD1Migrations(env.LEDGER_001, ledger);
  await applyD1Migrations(env.DIRECTORY, directory);
});
