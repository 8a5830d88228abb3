/** The settings of the sandbox: every way to misbehave, and its assumptions. */
import { describe, expect, test } from "vitest";
import { type Answered, aSandbox, type Sandbox } from "../../support/authority/authority.ts";
import { alta, series } from "../../support/authority/messages.ts";

const BEFORE = { when: "before_storing" } as const;
const AFTER = { when: "after_storing" } as const;

interface Expected {
  readonly status: number;
  readonly stored: boolean;
  readonly waits?: readonly number[];
  readonly body?: (answer: Answered) => boolean;
}

const isHtml = ({ contentType, body }: Answered) =>
  contentType.startsWith("text/html") && body.includes("<h1>");
const isEmpty = ({ body }: Answered) => body === "";
const isHalf = ({ body }: Answered) => body.startsWith("<?xml") && !body.endsWith("Envelope>");

const WAYS: readonly (readonly [string, object, Expected])[] = [
  [
    "an honest answer",
    { fault: "none" },
    { status: 200, stored: true, body: ({ state }) => state === "Correcto" },
  ],
  [
    "a time-out before storing",
    { fault: "timeout", ...BEFORE },
    { status: 504, stored: false, waits: [150_000] },
  ],
  [
    "a time-out after storing",
    { fault: "timeout", ...AFTER },
    { status: 504, stored: true, waits: [150_000] },
  ],
  ["a short one", { fault: "timeout", delay_ms: 20 }, { status: 504, stored: false, waits: [20] }],
  ["a late start", { fault: "slow" }, { status: 200, stored: true, waits: [5_000] }],
  ["a late answer", { fault: "slow", ...AFTER, delay_ms: 7 }, { status: 200, stored: true, waits: [7] }],
  ["500 before storing", { fault: "http_error" }, { status: 500, stored: false, body: isHtml }],
  ["500 after storing", { fault: "http_error", ...AFTER }, { status: 500, stored: true, body: isHtml }],
  ["429", { fault: "http_error", status: 429 }, { status: 429, stored: false }],
  ["a page", { fault: "html" }, { status: 200, stored: false, body: isHtml }],
  ["a page after storing", { fault: "html", ...AFTER }, { status: 200, stored: true, body: isHtml }],
  [
    "a redirect",
    { fault: "redirect" },
    { status: 302, stored: false, body: ({ location }) => location === "/erro4011.html" },
  ],
  ["an empty body", { fault: "empty" }, { status: 200, stored: false, body: isEmpty }],
  ["an empty body after storing", { fault: "empty", ...AFTER }, { status: 200, stored: true, body: isEmpty }],
  ["half an answer", { fault: "truncated" }, { status: 200, stored: true, body: isHalf }],
  [
    "a lost connection",
    { fault: "closed" },
    { status: 200, stored: false, body: ({ isBroken }) => isBroken },
  ],
  [
    "a message lost after storing",
    { fault: "closed", ...AFTER },
    { status: 200, stored: true, body: (answer) => answer.isBroken && isHalf(answer) },
  ],
  [
    "a fault of the service",
    { fault: "soap_fault", code: 3501 },
    { status: 500, stored: false, body: ({ fault }) => fault?.side === "env:Server" && fault.code === 3501 },
  ],
  [
    "a fault of the sender",
    { fault: "soap_fault", code: 4141 },
    { status: 500, stored: false, body: ({ fault }) => fault?.side === "env:Client" && fault.code === 4141 },
  ],
  [
    "a fault after storing",
    { fault: "soap_fault", code: 102, ...AFTER },
    { status: 500, stored: true, body: ({ fault }) => fault?.text === "Error interno en el servidor" },
  ],
];

describe.each(WAYS)("%s", (_, misbehaviour, { status, stored, waits = [], body = () => true }) => {
  test("once, and then it is honest again", async () => {
    const sandbox = aSandbox();
    await sandbox.control({ queue: [misbehaviour] });
    const answer = await sandbox.submit(alta());
    expect(answer.status).toBe(status);
    expect(body(answer)).toBe(true);
    expect(sandbox.waits).toEqual(waits);
    expect(await storedRecords(sandbox)).toBe(stored ? 1 : 0);
    const [noted] = await sandbox.messages();
    expect(noted).toMatchObject({ status, stored, records: stored ? 1 : 0 });
    expect((await sandbox.judge(alta()))[0]).toBe(stored ? 3000 : "Correcto");
  });
});

test("a page that a redirect leads to says why", async () => {
  const page = await aSandbox().get("/erro4011.html");
  expect(await page.text()).toContain("No se detecta certificado electrónico.");
});

describe("misbehaviour comes", () => {
  test("from the queue in its order, then always", async () => {
    const sandbox = aSandbox();
    await sandbox.control({
      queue: [{ fault: "html" }, { fault: "none" }],
      always: { fault: "http_error", status: 503 },
      random: [{ share: 1, fault: "empty" }],
    });
    const answers = [];
    for (const record of series(4)) answers.push((await sandbox.submit(record)).status);
    expect(answers).toEqual([200, 200, 503, 503]);
  });

  test("at random, the same for the same seed and about as often as asked", async () => {
    const random = [
      { share: 0.2, fault: "http_error" },
      { share: 0.1, fault: "timeout", ...AFTER },
      { share: 0.05, fault: "truncated" },
    ];
    const [one, again, other] = await Promise.all([1, 1, 2].map((seed) => faultsOf({ seed, random }, 1_000)));
    expect(again).toEqual(one);
    expect(other).not.toEqual(one);
    const share = (fault: string) => (one ?? []).filter((name) => name === fault).length / 1_000;
    expect(share("http_error")).toBeCloseTo(0.2, 1);
    expect(share("timeout")).toBeCloseTo(0.1, 1);
    expect(share("truncated")).toBeCloseTo(0.05, 1);
    expect(share("none")).toBeCloseTo(0.65, 1);
  });
});

describe("chosen records get a code", () => {
  const judged = async (rule: object, count = 6) => aSandbox({ records: [rule] }).judge(...series(count));
  const OK = "Correcto";

  test.each([
    ["every third", { code: 1239, every: 3 }, [OK, OK, 1239, OK, OK, 1239]],
    ["by its number", { code: 2006, number: "S-4" }, [OK, OK, OK, 2006, OK, OK]],
    ["by a pattern", { code: 3003, number: "S*5" }, [OK, OK, OK, OK, 3003, OK]],
    ["by a pattern that none is like", { code: 3003, number: "T*" }, [OK, OK, OK, OK, OK, OK]],
    ["so often and no more", { code: 1100, times: 2 }, [1100, 1100, OK, OK, OK, OK]],
    ["all", { code: 2004 }, [2004, 2004, 2004, 2004, 2004, 2004]],
  ])("%s", async (_, rule, expected) => {
    expect(await judged(rule)).toEqual(expected);
  });

  test("by chance, the same for the same seed", async () => {
    const one = await judged({ code: 2005, share: 0.3 }, 200);
    expect(await judged({ code: 2005, share: 0.3 }, 200)).toEqual(one);
    expect(one.filter((verdict) => verdict === 2005).length / 200).toBeCloseTo(0.3, 1);
  });

  test("by their operation, and only where nothing else is wrong with them", async () => {
    const sandbox = aSandbox({ records: [{ code: 1100, operation: "subsanacion" }] });
    expect(await sandbox.judge(alta())).toEqual([OK]);
    expect(await sandbox.judge(alta({ Subsanacion: "S" }))).toEqual([1100]);
    const wrong = aSandbox({ records: [{ code: 1100 }] });
    expect(await wrong.judge(alta({ Destinatarios: undefined }))).toEqual([1189]);
  });

  test("with the text of the table", async () => {
    const [line] = (await aSandbox({ records: [{ code: 2004 }] }).submit(alta())).lines;
    expect(line?.state).toBe("AceptadoConErrores");
    expect(line?.description).toContain("margen de error de: 240 segundos.");
  });
});

describe("the service", () => {
  test.each([
    [60, "60"],
    [1, "1"],
    [9_999, "9999"],
    [null, ""],
  ])("asks to wait %s", async (seconds, wait) => {
    expect((await aSandbox({ wait_seconds: seconds }).submit(alta())).wait).toBe(wait);
  });

  test("notes who does not wait", async () => {
    const sandbox = aSandbox();
    const [one = alta(), two = alta(), three = alta()] = series(3);
    const noon = Date.parse("2026-11-27T12:00:00+01:00");
    await sandbox.submit(one);
    sandbox.setTime(noon + 59_000);
    await sandbox.submit(two);
    sandbox.setTime(noon + 119_000);
    await sandbox.submit(three);
    expect((await sandbox.messages()).map(({ early }) => early)).toEqual([false, true, false]);
  });

  test("may have a wrong clock, and believe that a person does not exist", async () => {
    const control = { clock_offset_seconds: 181, not_in_census: ["89890002E"] };
    expect(await aSandbox({ clock_offset_seconds: 180 }).judge(alta())).toEqual(["Correcto"]);
    expect(await aSandbox({ clock_offset_seconds: 181 }).judge(alta())).toEqual([2004]);
    expect(await aSandbox(control).judge(alta())).toEqual([1239]);
  });

  test("answers faults with 500 or with 200", async () => {
    expect((await aSandbox().send("<a/>")).status).toBe(500);
    expect((await aSandbox({ fault_status: 200 }).send("<a/>")).status).toBe(200);
  });
});

async function faultsOf(control: object, count: number): Promise<string[]> {
  const sandbox = aSandbox();
  await sandbox.control(control);
  for (let sent = 0; sent < count; sent += 1) await sandbox.send("<a/>");
  const messages = await sandbox.messages();
  return messages.map(({ misbehaviour }) => faultName(misbehaviour));
}

function faultName(misbehaviour: unknown): string {
  const isOne = typeof misbehaviour === "object" && misbehaviour !== null && "fault" in misbehaviour;
  return isOne ? String(misbehaviour.fault) : "none";
}

async function storedRecords(sandbox: Sandbox): Promise<number> {
  const chains = await sandbox.chains();
  return chains.flatMap(({ records }) => records).filter(({ state }) => state !== "Incorrecto").length;
}
