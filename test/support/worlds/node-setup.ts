import { beforeEach } from "vitest";
import { faults } from "../faults/faults.ts";
import { freshWorld, serve } from "./node-runtime.ts";
import { dropDeadlines, shiftClock } from "./pool-mends.ts";
import * as worker from "./test-worker.ts";

serve(worker as never);
dropDeadlines();
shiftClock();

// Every test gets empty, migrated databases, and objects that remember nothing.
beforeEach(() => {
  shiftClock();
  faults.beginTest();
  freshWorld();
});
