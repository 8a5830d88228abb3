import { beforeEach } from "vitest";
import { shiftClock } from "./clock.ts";
import { faults } from "./faults.ts";
import { freshDatabases } from "./fresh-databases.ts";
import { mendPool } from "./pool-mends.ts";

mendPool();
shiftClock();

// All files share one workerd; every test gets empty, migrated databases.
beforeEach(async () => {
  shiftClock();
  faults.reset();
  await freshDatabases();
});
