import { beforeEach } from "vitest";
import { faults } from "../faults/faults.ts";
import { freshWorld, serve } from "./node-runtime.ts";
import { shiftClock } from "./pool-mends.ts";
import * as worker from "./test-worker.ts";

serve(worker as never);
shiftClock();

// Every test gets empty, migrated databases, and objects that remember nothing.
beforeEach(() => {
  shiftClock();
  faults.reset();
  freshWorld();
});
