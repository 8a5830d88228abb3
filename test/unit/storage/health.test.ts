import { beforeEach, describe, expect, test } from "vitest";
import { type Health, keptReport } from "../../../src/db/ledgers.ts";
import { HEALTH_MS } from "../../../src/domain/limits.ts";
import { Signal } from "../../support/faults/signal.ts";

let clock = 0;
let measured = 0;
beforeEach(() => {
  clock = 50_000;
  measured = 0;
});

function report(healthy = true): Health {
  return { healthy, parts: [], schema: { oldest: "none", newest: "none" }, checkedAt: clock };
}

describe("a report of health", () => {
  test("is measured once in ten seconds, however often it is asked for", async () => {
    const health = keptReport(
      async () => {
        measured++;
        return report();
      },
      () => clock,
    );
    for (let asked = 0; asked < 1_000; asked++) await health();
    expect(measured).toBe(1);
    clock += HEALTH_MS - 1;
    expect((await health()).checkedAt).toBe(50_000);
    clock += 1;
    expect((await health()).checkedAt).toBe(clock);
    expect(measured).toBe(2);
  });

  test("is one for all who ask while it is being made", async () => {
    const done = new Signal();
    const health = keptReport(
      async () => {
        measured++;
        await done.wait();
        return report(false);
      },
      () => clock,
    );
    const asked = [health(), health(), health()];
    done.set();
    expect((await Promise.all(asked)).map(({ healthy }) => healthy)).toEqual([false, false, false]);
    expect(measured).toBe(1);
  });

  test("that could not be made is made again for the next who asks", async () => {
    const health = keptReport(
      async () => {
        measured++;
        if (measured === 1) throw new Error("D1");
        return report();
      },
      () => clock,
    );
    await expect(health()).rejects.toThrow("D1");
    expect((await health()).healthy).toBe(true);
  });
});
