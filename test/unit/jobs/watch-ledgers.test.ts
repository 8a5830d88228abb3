/** The operator is alerted about a ledger that fills up, once an hour, long before it is full. */
import { expect, test } from "vitest";
import { watchLedgers } from "../../../src/work/sweep.ts";

const sized = (ledger: string, bytes: number) => ({ ledger, sizeBytes: async () => bytes });
const unread = {
  ledger: "001",
  sizeBytes: async () => {
    throw new Error("D1 is away");
  },
};

test("from 80 % of 10 GB on it is reported, and an unreadable one hides no other", async () => {
  const told: object[] = [];
  await watchLedgers({
    ledgers: [sized("000", 7_999_999_999), unread, sized("002", 8_000_000_000)],
    log: (line) => told.push(line),
    faultOf: (error) => ({ cause: error instanceof Error ? error.message : "unknown" }),
  });
  expect(told).toEqual([
    { level: "alarm", alarm: "job_failed", job: "watch_ledgers", ledger: "001", cause: "D1 is away" },
    { level: "alarm", alarm: "ledger_filling", ledger: "002", bytes: 8_000_000_000 },
  ]);
});
