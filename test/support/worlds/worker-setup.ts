import { beforeEach } from "vitest";
import { faults } from "../faults/faults.ts";
import { freshDatabases } from "./fresh-databases.ts";
import { mendPool, shiftClock } from "./pool-mends.ts";

mendPool();
shiftClock();

// All files share one workerd; every test gets empty, migrated databases.
beforeEach(async () => {
  shiftClock();
  faults.beginTest();
  await freshDatabases();
});
