/** From sealed records to final states, against the sandbox: every way that the authority can answer. */
import { describe, expect, test } from "vitest";
import { amendmentOf, remedyFor } from "../../../src/domain/invoice/decide-amendment.ts";
import { instantOf, localTime } from "../../../src/domain/shared/instant.ts";
import type {
  RecordContent,
  RegistrationContent,
  SealedRecord,
} from "../../../src/domain/verifactu/record.ts";
import { PACE, resume } from "../../../src/domain/verifactu/submission/chain.ts";
import { allowedCorrections } from "../../../src/domain/verifactu/submission/corrections.ts";
import { operationOf } from "../../../src/domain/verifactu/submission/state.ts";
import { aSandbox, type Sandbox } from "../../support/authority/authority.ts";
import { NOON } from "../../support/authority/messages.ts";
import { allFinal, aSubmitter, type Submitter } from "../../support/authority/submitter.ts";
import { aCancellation, aChain, aRegistration } from "../../support/builders/records.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

function contentOf(index: number, change: Partial<RegistrationContent> = {}): RegistrationContent {
  const number = `A-2026/${String(index + 1).padStart(4, "0")}`;
  return aRegistration({
    reference: `rec_${index + 1}`,
    key: { issuerNif: "89890001K", number, date: "27-11-2026" },
    generatedAt: localTime(NOON - 10 * SECOND, "Europe/Madrid").timestamp,
    ...change,
  });
}

function invoices(count: number): SealedRecord[] {
  return aChain(Array.from({ length: count }, (_, index) => contentOf(index)));
}

async function course(control: object, records = invoices(4)) {
  const sandbox = aSandbox(control);
  const submitter = aSubmitter(sandbox, records);
  await submitter.runToEnd();
  return { sandbox, submitter };
}

/** The authority's final content: every record once, in order. */
async function references(sandbox: Sandbox): Promise<(string | undefined)[]> {
  const [chain] = await sandbox.chains();
  return chain?.records.map(({ reference }) => reference ?? undefined) ?? [];
}

const incidents = ({ messages }: Submitter) =>
  messages.map(({ from, to, incident }) => `${from}-${to}${incident ? " S" : ""}`);

describe("what the authority says of records", () => {
  test("all accepted: one message", async () => {
    const { submitter } = await course({});
    expect(submitter.states()).toEqual(Array(4).fill("accepted"));
    expect(incidents(submitter)).toEqual(["1-4"]);
    expect(submitter.chain()).toMatchObject({ failures: 0, waitSeconds: 60 });
    expect(submitter.chain().incidentSince).toBeUndefined();
  });

  test("accepted with errors and rejected in one message: each keeps its own, none goes again", async () => {
    const { submitter } = await course({
      records: [
        { code: 2005, number: "A-2026/0002" },
        { code: 1239, number: "A-2026/0003" },
      ],
    });
    expect(submitter.states()).toEqual([
      "accepted",
      "accepted_with_errors 2005",
      "rejected 1239",
      "accepted",
    ]);
    expect(submitter.standing(3).text).toMatch(/Destinatario/);
    expect(incidents(submitter)).toEqual(["1-4"]);
  });

  test("all rejected", async () => {
    const { submitter } = await course({ records: [{ code: 1100 }] });
    expect(submitter.states()).toEqual(Array(4).fill("rejected 1100"));
  });

  test.each([
    ["rejects every record of the software", 1176, "system_rejected"],
    ["does not know who made it", 1110, "system_rejected"],
    ["stores a wrong hash", 2000, "own_flaw"],
    ["stores a wrong total", 2006, "own_flaw"],
  ])("what %s rings: no owner can put it right", async (_, code, reason) => {
    const { submitter } = await course({ records: [{ code }] });
    expect(submitter.rings).toMatchObject([{ reason, code }]);
  });

  test.each([1239, 2001, 2004])("%i does not: its owner can, or no one needs to", async (code) => {
    const { submitter } = await course({ records: [{ code }] });
    expect(submitter.rings).toEqual([]);
  });

  test("a technical error of one record: it goes again automatically, late, and nothing waits for it", async () => {
    const { submitter } = await course({ records: [{ code: 1241, number: "A-2026/0002", times: 2 }] });
    expect(submitter.states()).toEqual(Array(4).fill("accepted"));
    expect(incidents(submitter)).toEqual(["1-4", "2-2 S", "2-2 S"]);
  });

  test("an annulment that overtook its registration by that goes again, too", async () => {
    const { key, generatedAt } = contentOf(0);
    const records = aChain([contentOf(0), aCancellation({ reference: "c", key, generatedAt })]);
    const { submitter } = await course({ records: [{ code: 1241, number: key.number, times: 1 }] }, records);
    expect(submitter.states()).toEqual(["accepted", "accepted"]);
  });

  test("an undecided one is shown as an incident, and alerts the operator when it lasts", async () => {
    const sandbox = aSandbox({ records: [{ code: 1241, number: "A-2026/0002" }] });
    const submitter = aSubmitter(sandbox, invoices(2));
    await submitter.step();
    expect(submitter.chain().incidentSince).toBe(NOON);
    while (submitter.rings.length === 0) await submitter.step();
    expect(submitter.rings).toEqual([{ reason: "not_decided" }]);
    await sandbox.control({});
    await submitter.runToEnd();
    expect(submitter.states()).toEqual(["accepted", "accepted"]);
    expect(submitter.chain().incidentSince).toBeUndefined();
  });

  test("the key of another record: 3000 without a lost attempt is never adopted", async () => {
    const sandbox = aSandbox();
    await aSubmitter(sandbox, invoices(1)).runToEnd();
    const other = aSubmitter(sandbox, aChain([contentOf(0, { total: "121.00", reference: "other" })]));
    await other.runToEnd();
    expect(other.standing(1)).toMatchObject({ state: "rejected", code: 3000, hold: "foreign_duplicate" });
  });
});

describe("P11: unknown outcomes end as the authority has them", () => {
  test.each([
    ["a timeout after storing", { fault: "timeout", when: "after_storing" }],
    ["500 after storing", { fault: "http_error", status: 500, when: "after_storing" }],
    ["a page after storing", { fault: "html", when: "after_storing" }],
    ["a redirect after storing", { fault: "redirect", when: "after_storing" }],
    ["nothing after storing", { fault: "empty", when: "after_storing" }],
    ["half an answer", { fault: "truncated" }],
    ["a connection that breaks", { fault: "closed", when: "after_storing" }],
    ["the service's own fault after storing", { fault: "soap_fault", code: 3501, when: "after_storing" }],
  ])("%s: duplicates are adopted", async (_, misbehaviour) => {
    const { submitter, sandbox } = await course({
      queue: [misbehaviour],
      records: [{ code: 2005, number: "A-2026/0002" }],
    });
    expect(submitter.states()).toEqual(["accepted", "accepted_with_errors 2005", "accepted", "accepted"]);
    expect(submitter.standing(1)).toMatchObject({
      adopted: true,
      petition: expect.stringMatching(/^\d{20}$/),
    });
    expect(incidents(submitter)).toEqual(["1-4", "1-4 S"]);
    expect(await references(sandbox)).toEqual(["rec_1", "rec_2", "rec_3", "rec_4"]);
    expect(submitter.chain().incidentSince).toBeUndefined();
  });

  test.each([
    ["a timeout before storing", { fault: "timeout" }],
    ["502", { fault: "http_error", status: 502 }],
    ["a page", { fault: "html" }],
    ["an empty answer", { fault: "empty" }],
    ["a technical fault", { fault: "soap_fault", code: 4103 }],
    ["an internal error outside of the table", { fault: "soap_fault", code: 102 }],
    ["a service that is not active", { fault: "soap_fault", code: 4134 }],
    ["too many calls", { fault: "http_error", status: 429 }],
  ])("%s: the same records again, as an incident", async (_, misbehaviour) => {
    const { submitter } = await course({ queue: [misbehaviour] });
    expect(submitter.states()).toEqual(Array(4).fill("accepted"));
    expect(incidents(submitter)).toEqual(["1-4", "1-4 S"]);
    expect(submitter.now() - NOON).toBeGreaterThanOrEqual(MINUTE);
  });

  test("records, bytes apart from the flag: the same is sent again", async () => {
    const { submitter } = await course({ queue: [{ fault: "timeout", when: "after_storing" }] });
    const [first, second] = submitter.messages.map(({ bytes }) => new TextDecoder().decode(bytes));
    const flag = "<sf:RemisionVoluntaria><sf:Incidencia>S</sf:Incidencia></sf:RemisionVoluntaria>";
    expect(second).toContain(flag);
    expect(second?.replace(flag, "")).toBe(first);
  });

  test("an invoice and its annulment, both lost: both adopted", async () => {
    const { key } = contentOf(0);
    const generatedAt = contentOf(0).generatedAt;
    const records = aChain([contentOf(0), aCancellation({ reference: "c", key, generatedAt })]);
    const { submitter } = await course({ queue: [{ fault: "timeout", when: "after_storing" }] }, records);
    expect(submitter.states()).toEqual(["accepted", "accepted"]);
    expect(submitter.standing(1).adopted).toBe(true);
  });

  test("if the sender dies, another takes over when the lease is over", async () => {
    const sandbox = aSandbox();
    const submitter = aSubmitter(sandbox, invoices(3));
    submitter.dieAfterSending();
    await submitter.runToEnd();
    expect(submitter.states()).toEqual(Array(3).fill("accepted"));
    expect(incidents(submitter)).toEqual(["1-3", "1-3 S"]);
    expect(submitter.now() - NOON).toBe(PACE.timeLimitMs + 30 * SECOND);
    expect(submitter.standing(1).adopted).toBe(true);
  });

  test("days of outage: tried at least hourly, and nothing is refused", async () => {
    const sandbox = aSandbox({ always: { fault: "html" } });
    const submitter = aSubmitter(sandbox, invoices(2));
    while (submitter.now() < NOON + 48 * 60 * MINUTE) await submitter.step();
    expect(submitter.states()).toEqual(["submitted", "submitted"]);
    expect(submitter.messages.length).toBeGreaterThan(48);
    expect(submitter.chain().incidentSince).toBe(NOON);
    expect(submitter.rings).toEqual([{ reason: "outage" }]);
    await sandbox.control({});
    await submitter.runToEnd();
    expect(submitter.states()).toEqual(["accepted", "accepted"]);
  });
});

describe("P83: late records", () => {
  test("generated ten minutes before: Incidencia=S, the time untouched, no 2004", async () => {
    const late = localTime(NOON - 10 * MINUTE, "Europe/Madrid").timestamp;
    const { submitter } = await course({}, aChain([contentOf(0, { generatedAt: late })]));
    expect(submitter.states()).toEqual(["accepted"]);
    expect(incidents(submitter)).toEqual(["1-1 S"]);
    expect(new TextDecoder().decode(submitter.messages[0]?.bytes)).toContain(`>${late}<`);
  });

  test("travel apart from punctual ones", async () => {
    const late = localTime(NOON - 10 * MINUTE, "Europe/Madrid").timestamp;
    const records = aChain(
      [0, 1, 2].map((index) => contentOf(index, index === 0 ? { generatedAt: late } : {})),
    );
    const { submitter } = await course({}, records);
    expect(incidents(submitter)).toEqual(["1-1 S", "2-3"]);
    expect(submitter.states()).toEqual(Array(3).fill("accepted"));
  });
});

describe("faults of whole messages", () => {
  test.each([4104, 4112, 4115, 4138, 4139])(
    "%i stops the chain and alerts; resumed, it continues",
    async (code) => {
      const sandbox = aSandbox({ always: { fault: "soap_fault", code } });
      const submitter = aSubmitter(sandbox, invoices(2));
      await submitter.step();
      expect(submitter.states()).toEqual(["pending_submission", "pending_submission"]);
      expect(submitter.chain().stopped).toMatchObject({ reason: "message_refused", code, since: NOON });
      expect(submitter.rings).toMatchObject([{ reason: "message_refused", code }]);
      await sandbox.control({});
      submitter.change(resume(submitter.chain(), submitter.now()));
      await submitter.runToEnd();
      expect(submitter.states()).toEqual(["accepted", "accepted"]);
      expect(submitter.now()).toBe(NOON);
    },
  );

  test("a stopped chain tries once an hour automatically", async () => {
    const { submitter } = await course({ queue: [{ fault: "soap_fault", code: 4112 }] });
    expect(submitter.states()).toEqual(Array(4).fill("accepted"));
    expect(submitter.now() - NOON).toBe(60 * MINUTE);
    expect(submitter.chain().stopped).toBeUndefined();
  });

  test("4141, access suspended: nothing more is sent until a person resumes", async () => {
    const { submitter } = await course({ queue: [{ fault: "soap_fault", code: 4141 }] });
    expect(submitter.messages).toHaveLength(1);
    expect(submitter.chain().stopped?.reason).toBe("suspended");
    submitter.change(resume(submitter.chain(), submitter.now()));
    await submitter.runToEnd();
    expect(submitter.states()).toEqual(Array(4).fill("accepted"));
  });

  test("a certificate that is refused comes as a redirect: stop and ring", async () => {
    const sandbox = aSandbox({ always: { fault: "redirect" } });
    const submitter = aSubmitter(sandbox, invoices(1));
    await submitter.step();
    expect(submitter.chain().stopped?.reason).toBe("certificate_refused");
    expect(submitter.rings).toEqual([{ reason: "certificate_refused" }]);
  });
});

/** A description that is no text of the schema: the sandbox refuses the whole message (4102). */
function broken(index: number): RegistrationContent {
  return contentOf(index, { breakdown: [] });
}

describe("one broken record does not sink the others", () => {
  const withBroken = (count: number, bad: readonly number[]) =>
    aChain(
      Array.from({ length: count }, (_, index) =>
        bad.includes(index + 1) ? broken(index) : contentOf(index),
      ),
    );

  test.each([
    ["in the middle", 16, [7]],
    ["the first", 16, [1]],
    ["the last", 16, [16]],
    ["two of them", 16, [3, 12]],
    ["neighbours", 9, [4, 5]],
  ])("%s: found by halves, rejected, the others accepted", async (_, count, bad) => {
    const submitter = aSubmitter(aSandbox(), withBroken(count, bad), { breaksSchema: true });
    await submitter.runToEnd();
    const expected = Array.from({ length: count }, (__, index) =>
      bad.includes(index + 1) ? "rejected 4102" : "accepted",
    );
    expect(submitter.states()).toEqual(expected);
    expect(submitter.messages.length).toBeLessThan(20);
    expect(submitter.rings).toEqual(
      bad.map(() => ({ reason: "record_unreadable", code: 4102, text: expect.any(String) })),
    );
  });

  test("alone in its chain it is not blamed: everything may be refused", async () => {
    const records = withBroken(2, [1]);
    const submitter = aSubmitter(aSandbox(), records.slice(0, 1), { breaksSchema: true });
    await submitter.step();
    expect(submitter.states()).toEqual(["pending_submission"]);
    submitter.add(records);
    await submitter.runToEnd();
    expect(submitter.states()).toEqual(["rejected 4102", "accepted"]);
    expect(submitter.rings).toMatchObject([{ reason: "record_unreadable" }]);
  });

  test("a service that refuses every message stops the chain, and no record is blamed", async () => {
    const sandbox = aSandbox({ always: { fault: "soap_fault", code: 4102 } });
    const submitter = aSubmitter(sandbox, invoices(4));
    while (!submitter.chain().stopped) await submitter.step();
    expect(submitter.states()).toEqual(Array(4).fill("pending_submission"));
    expect(submitter.rings).toMatchObject([{ reason: "message_refused", code: 4102 }]);
    await sandbox.control({});
    await submitter.runToEnd();
    expect(submitter.states()).toEqual(Array(4).fill("accepted"));
  });
});

test("P57: a person who is not in the census: rejected, amended with S and X and type 07, accepted with errors", async () => {
  const sandbox = aSandbox({ not_in_census: ["12345678Z"] });
  const content = contentOf(0, { recipients: [{ name: "MARIA PEREZ", nif: "12345678Z" }] });
  const records = aChain([content]);
  const submitter = aSubmitter(sandbox, records);
  await submitter.runToEnd();
  expect(submitter.standing(1)).toMatchObject({ state: "rejected", code: 1239 });
  const { state, code } = submitter.standing(1);
  const standing = { operation: operationOf(content), state, ...(code === undefined ? {} : { code }) };
  const { need, allowed } = allowedCorrections([standing]);
  expect(need).toBe("required");
  const [amend] = allowed;
  if (amend?.correction !== "amend") throw new Error("an amendment is allowed");
  const remedy = remedyFor(code, content);
  expect(remedy?.change).toEqual({
    recipients: [{ name: "MARIA PEREZ", idType: "07", country: "ES", id: "12345678Z" }],
  });
  const { chain, system, generatedAt } = content;
  const amended = amendmentOf(content, remedy?.change ?? {}, amend.writes, {
    reference: "am",
    chain,
    system,
    generatedAt,
  });
  expect(amended).toMatchObject({ key: content.key, amendment: { previousRejection: "X" } });
  submitter.add(aChain([content, amended]));
  await submitter.runToEnd();
  expect(submitter.states()).toEqual(["rejected 1239", "accepted_with_errors 2001"]);
});

describe("the wait time", () => {
  test("the authority's wait time is kept", async () => {
    const sandbox = aSandbox({ wait_seconds: 90 });
    const records = invoices(2);
    const submitter = aSubmitter(sandbox, records.slice(0, 1));
    await submitter.runToEnd();
    submitter.add(records);
    await submitter.runToEnd();
    expect(submitter.now() - NOON).toBe(90 * SECOND);
    expect((await sandbox.messages()).every(({ early }) => !early)).toBe(true);
  });

  test("an empty one keeps the last one", async () => {
    const { submitter } = await course({ wait_seconds: null });
    expect(submitter.chain().waitSeconds).toBe(60);
  });

  test("a thousand need not wait", async () => {
    const { submitter } = await course({}, invoices(2_100));
    expect(incidents(submitter)).toEqual(["1-1000", "1001-2000", "2001-2100"]);
    expect(submitter.now() - NOON).toBe(60 * SECOND);
    expect(new Set(submitter.states())).toEqual(new Set(["accepted"]));
  });
});

test.each([1, 2, 3, 4, 5])("everything at random, seed %i: all accepted, in order, once", async (seed) => {
  const kinds = [
    ...[{ fault: "timeout" }, { fault: "timeout", when: "after_storing" }, { fault: "html" }],
    ...[
      { fault: "redirect", when: "after_storing" },
      { fault: "empty", when: "after_storing" },
    ],
    ...[{ fault: "truncated" }, { fault: "closed", when: "after_storing" }, { fault: "slow" }],
    ...[
      { fault: "http_error", status: 500, when: "after_storing" },
      { fault: "soap_fault", code: 3501 },
    ],
  ];
  const sandbox = aSandbox({ seed, random: kinds.map((kind) => ({ ...kind, share: 0.07 })) });
  const contents: RecordContent[] = [];
  const submitter = aSubmitter(sandbox, []);
  for (let batch = 0; batch < 12; batch += 1) {
    const generatedAt = localTime(submitter.now(), "Europe/Madrid").timestamp;
    for (let each = 0; each < 5; each += 1) contents.push(contentOf(contents.length, { generatedAt }));
    submitter.add(aChain(contents));
    if (batch % 4 === 1) submitter.dieAfterSending();
    await submitter.step();
    await submitter.step();
  }
  await submitter.runToEnd();
  expect(allFinal(submitter, contents.length)).toBe(true);
  expect(new Set(submitter.states())).toEqual(new Set(["accepted"]));
  expect(await references(sandbox)).toEqual(contents.map(({ reference }) => reference));
  const [chain] = await sandbox.chains();
  expect(chain?.broken_links).toBe(0);
  expect(instantOf(contents.at(-1)?.generatedAt ?? "")).toBeGreaterThan(NOON);
});
