import { describe, expect, test } from "vitest";
import type { Told } from "../../support/progress/progress.ts";
import { Standstill } from "../../support/progress/standstill.ts";

/** Looks once a second of a given clock, as the watcher does. */
function watched() {
  let now = 0;
  const lines: string[] = [];
  const standstill = new Standstill("bench peers", {
    now: () => now,
    print: (line) => lines.push(line),
    giveUp: (why) => lines.push(`GIVEN UP ${why}`),
  });
  return {
    lines,
    hear: (told: Told) => standstill.hear(told),
    wait(seconds: number) {
      for (let second = 0; second < seconds; second++) {
        now += 1_000;
        standstill.look();
      }
    },
    sleep(seconds: number) {
      now += seconds * 1_000;
      standstill.look();
    },
    isGivenUp: () => lines.some((line) => line.startsWith("GIVEN UP")),
  };
}

describe("a watched command", () => {
  test("prints each step, and how far it is every ten seconds", () => {
    const { lines, hear, wait } = watched();
    hear({ begins: "alone", total: 300 });
    wait(5);
    hear({ done: 50 });
    wait(5);
    hear({ done: 100 });
    wait(10);
    expect(lines).toEqual(["alone: 0 of 300", "alone: 50 of 300, 50 s left", "alone: 100 of 300, 40 s left"]);
  });

  test("prints minutes from two on, and the time since the beginning where no total is known", () => {
    const { lines, hear, wait } = watched();
    hear({ begins: "callers", total: 1_000 });
    wait(9);
    hear({ done: 10 });
    wait(1);
    hear({ begins: "release" });
    hear({ done: 7 });
    wait(10);
    expect(lines).toEqual([
      "callers: 0 of 1000",
      "callers: 10 of 1000, 17 min left",
      "release",
      "release: 7, since 10 s",
    ]);
  });

  test("is given up once nothing has moved for a minute, and its last line says since when", () => {
    const { lines, hear, wait, isGivenUp } = watched();
    hear({ begins: "alone", total: 300 });
    hear({ done: 12 });
    wait(59);
    expect(isGivenUp()).toBe(false);
    expect(lines.at(-1)).toBe("alone: 12 of 300, 20 min left, nothing has moved for 50 s");
    wait(1);
    expect(lines.at(-1)).toBe("GIVEN UP alone: 12 of 300: nothing has moved for 60 s, so alone is given up");
  });

  test("is not given up while it advances, or while anything goes on", () => {
    const { hear, wait, isGivenUp } = watched();
    hear({ begins: "alone", total: 300 });
    for (let done = 1; done < 10; done++) {
      wait(30);
      hear(done % 2 === 0 ? { goesOn: true } : { done });
    }
    expect(isGivenUp()).toBe(false);
  });

  test("stands still although it repeats the same count, or names groups and folders", () => {
    const { hear, wait, isGivenUp } = watched();
    hear({ begins: "alone", total: 300 });
    hear({ done: 12 });
    for (let told = 0; told < 6; told++) {
      wait(10);
      hear({ done: 12 });
      hear({ group: 4_000 });
      hear({ folder: "/tmp/bench" });
    }
    expect(isGivenUp()).toBe(true);
  });

  test("waits longer for a step that says so, and for no other", () => {
    const { hear, wait, isGivenUp } = watched();
    hear({ begins: "start the product", patienceMs: 300_000 });
    wait(200);
    expect(isGivenUp()).toBe(false);
    hear({ begins: "alone", total: 300 });
    wait(60);
    expect(isGivenUp()).toBe(true);
  });

  test("is not given up because the machine slept", () => {
    const { hear, wait, sleep, isGivenUp } = watched();
    hear({ begins: "alone", total: 300 });
    wait(20);
    sleep(3_600);
    wait(50);
    expect(isGivenUp()).toBe(false);
    wait(10);
    expect(isGivenUp()).toBe(true);
  });

  test("has five minutes to load its modules before its first step", () => {
    const { wait, isGivenUp } = watched();
    wait(299);
    expect(isGivenUp()).toBe(false);
    wait(1);
    expect(isGivenUp()).toBe(true);
  });
});
