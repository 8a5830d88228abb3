import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { abortAfter, failBefore, gate, hang, late, loseAnswer } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { wrapD1 } from "../support/faults/wrapped-d1.ts";

const database = wrapD1("LEDGER_000", env.LEDGER_000);
const insert = () => database.prepare("INSERT INTO note (text) VALUES (?)").bind("a").run();
const stored = () => env.LEDGER_000.prepare("SELECT count(*) AS n FROM note").first<number>("n");

beforeEach(async () => {
  await env.LEDGER_000.exec("CREATE TABLE note (text TEXT)");
});

describe("counting", () => {
  test("a batch is one trip, each statement sent alone another", async () => {
    const select = database.prepare("SELECT text FROM note WHERE text = ?").bind("a");
    await database.batch([select, select]);
    await select.all();
    await select.first();
    await select.raw();
    await database.withSession("first-primary").prepare("SELECT 1").run();
    await database.exec("SELECT 1");
    expect(faults.trips().map((trip) => trip.kind)).toEqual(["batch", "all", "first", "raw", "run", "exec"]);
    expect(faults.take()[0]?.sql).toEqual(Array(2).fill("SELECT text FROM note WHERE text = ?"));
    expect(faults.trips()).toEqual([]);
  });

  test("rows read and written are summed over a batch", async () => {
    const write = database.prepare("INSERT INTO note (text) VALUES ('a'), ('b')");
    await database.batch([write, write, database.prepare("SELECT text FROM note")]);
    expect(faults.take()).toMatchObject([{ rowsWritten: 4, rowsRead: 4, sent: true }]);
  });

  test("answers pass through unchanged", async () => {
    await insert();
    const statement = "SELECT text FROM note";
    expect((await database.prepare(statement).all()).results).toEqual([{ text: "a" }]);
    expect(await database.prepare(statement).first("text")).toBe("a");
    expect(await database.prepare(statement).raw({ columnNames: true })).toEqual([["text"], ["a"]]);
  });
});

describe("faults", () => {
  test("failBefore sends nothing", async () => {
    faults.next(failBefore());
    await expect(insert()).rejects.toThrow("Network connection lost");
    expect(await stored()).toBe(0);
    expect(faults.take()).toMatchObject([{ fault: "failBefore", sent: false }]);
  });

  test("loseAnswer commits and then fails", async () => {
    faults.next(loseAnswer());
    await expect(insert()).rejects.toThrow("Network connection lost");
    expect(await stored()).toBe(1);
  });

  test("late fails at once and lands when it is released", async () => {
    const fault = faults.next(late());
    await expect(insert()).rejects.toThrow("Network connection lost");
    expect(await stored()).toBe(0);
    await expect(fault.release()).resolves.toMatchObject({ success: true });
    expect(await stored()).toBe(1);
  });

  test("late can keep its caller waiting first", async () => {
    const fault = faults.next(late({ givenUp: "on demand" }));
    const answer = insert();
    await fault.reached();
    fault.giveUp();
    await expect(answer).rejects.toThrow("Network connection lost");
  });

  test("a released call that D1 refuses says so", async () => {
    const fault = faults.next(late());
    await expect(insert()).rejects.toThrow();
    await env.LEDGER_000.exec("DROP TABLE note");
    await expect(fault.release()).rejects.toThrow("no such table");
  });

  test("gate holds the call until it is opened", async () => {
    const held = faults.next(gate());
    const answer = insert();
    await held.reached();
    expect(await stored()).toBe(0);
    held.open();
    await answer;
    expect(await stored()).toBe(1);
  });

  test("hang never answers; reset ends it", async () => {
    const hanging = faults.next(hang());
    const answer = insert();
    await hanging.reached();
    const ended = expect(answer).rejects.toThrow("faults.reset()");
    faults.reset();
    await ended;
  });

  test("abortAfter runs its hook between commit and answer", async () => {
    let seen: number | null = null;
    faults.next(
      abortAfter(async () => {
        seen = await stored();
      }),
    );
    await insert();
    expect(seen).toBe(1);
  });
});

describe("script", () => {
  test("faults meet trips in the order given, then trips pass", async () => {
    faults.next(failBefore());
    faults.next(loseAnswer());
    await expect(insert()).rejects.toThrow();
    await expect(insert()).rejects.toThrow();
    await insert();
    expect(faults.take().map((trip) => trip.fault)).toEqual(["failBefore", "loseAnswer", undefined]);
  });

  test("a fault can wait for a binding or for an SQL text", async () => {
    faults.next(failBefore(), { binding: "LEDGER_001" });
    faults.when((sql) => sql.some((text) => text.startsWith("INSERT")), loseAnswer());
    await database.prepare("SELECT 1").run();
    await expect(insert()).rejects.toThrow();
    expect(faults.pending()).toEqual(["failBefore"]);
  });

  test("times repeats a fault", async () => {
    faults.next(failBefore(), { times: 2 });
    await expect(insert()).rejects.toThrow();
    await expect(insert()).rejects.toThrow();
    await insert();
  });

  test("added latency delays every trip", async () => {
    faults.addLatency(20);
    const start = Date.now();
    await database.prepare("SELECT 1").run();
    expect(Date.now() - start).toBeGreaterThanOrEqual(19);
  });
});

describe("inside the object", () => {
  const select = (value: number) =>
    runInDurableObject(env.CONNECTION_LEDGER.getByName("one"), (object) => {
      // `env` of an object is protected; this reads the bindings as the object does.
      const bindings = (object as unknown as { env: Cloudflare.Env }).env;
      return bindings.LEDGER_000.prepare("SELECT ? AS value").bind(value).first<number>("value");
    });

  test("the test holds a trip of the object, and lets it go", async () => {
    const held = faults.next(gate());
    const answer = select(7);
    await held.reached();
    held.open();
    expect(await answer).toBe(7);
  });

  test("the test sends what the object gave up", async () => {
    const delayed = faults.next(late());
    await expect(select(8)).rejects.toThrow("Network connection lost");
    expect(await delayed.release()).toBe(8);
    expect(faults.take().map((trip) => trip.binding)).toEqual(["LEDGER_000"]);
  });
});
