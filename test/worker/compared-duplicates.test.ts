/**
 * An amendment with a lost answer, and a record that the authority has under its key: ours or a stranger's.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import type { OwnerCorrection } from "../../src/ledger/corrections/owner-correction.ts";
import { intercept, interrupt, sandboxOf } from "../support/authority/line.ts";
import { expectBooksConsistent } from "../support/rules/consistency.ts";
import { clientOf } from "../support/worlds/ledger-client.ts";
import { correctRecord, readCorrections } from "../support/worlds/owners.ts";
import { ring, type Shop } from "../support/worlds/shop.ts";
import {
  chainOf,
  chainsAt,
  control,
  messagesAt,
  openSubmittingShop,
  recordStates,
  statesOf,
} from "../support/worlds/submission.ts";

const MARIA = { company: "MARIA PEREZ", vatNumber: "12345678Z", country: "ES" };
const REMEDY: OwnerCorrection = { correction: "remedy", remedy: "not_in_census" };
const MINUTE_MS = 60_000;
/** The remedy names MARIA with another type of identifier, which the authority takes with an error. */
const ADOPTED = "accepted_with_errors 2001";
const QUERY = "ConsultaFactuSistemaFacturacion";

let shop: Shop;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-12-01T12:00:00Z") });
  shop = await openSubmittingShop();
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);
const isQuery = (sent: string) => sent.includes(QUERY);

/** It arrives, and the connection breaks before the answer. */
const answerLost = async (send: () => Promise<Response>): Promise<Response> => {
  await send();
  throw new Error("the connection is closed");
};

/** Registered anew after a rejection: S and X. What meets its message, meets the first one of it. */
async function amendedAfterRejection(
  meets: Parameters<typeof interrupt>[1],
  { count = 1, correction = REMEDY } = {},
): Promise<readonly string[]> {
  await control(shop, { not_in_census: [MARIA.vatNumber] });
  const ids: string[] = [];
  for (let index = 1; index <= count; index += 1) {
    const issued = await clientOf(shop).issue(`e${index}`, { recipient: MARIA });
    if (!("invoice" in issued)) throw new Error(issued.outcome);
    ids.push(issued.invoice.invoiceId);
  }
  await submit();
  await control(shop, {});
  for (const id of ids) {
    expect((await correctRecord(shop, id, correction, `amend-${id}`)).outcome).toBe("corrected");
  }
  interrupt(shop.connectionId, meets);
  await submit();
  expect((await statesOf(shop)).slice(count)).toEqual(Array(count).fill("submitted"));
  return ids;
}

/** Back-off and wait time are over. */
async function submit(): Promise<readonly string[]> {
  later(2 * MINUTE_MS);
  expect(await ring(shop)).toBe(true);
  return statesOf(shop);
}

async function queries(): Promise<number> {
  return (await messagesAt(shop)).filter(({ operation }) => operation === QUERY).length;
}

async function annulmentsAt(): Promise<readonly string[]> {
  const records = (await chainsAt(shop)).flatMap((chain) => chain.records);
  return records.map(({ operation }) => operation).filter((operation) => !operation.startsWith("Alta"));
}

async function standing(position: number) {
  return (await recordStates(shop)).find((record) => record.position === position)?.standing;
}

test("ours: adopted as the authority has it", async () => {
  await amendedAfterRejection(answerLost);
  expect(await submit()).toEqual(["rejected 1239", ADOPTED]);
  expect(await standing(2)).toMatchObject({ adopted: true, petition: expect.stringMatching(/^\d+$/) });
  expect(await queries()).toBe(1);
  expect(await chainOf(shop)).toMatchObject({ incident_since: null });
  await expectBooksConsistent(shop.connectionId);
});

test("another month's operation: both months are asked", async () => {
  const change = { operationDate: civilDate("2026-11-30") };
  await amendedAfterRejection(answerLost, { correction: { correction: "amend", change } });
  expect((await submit())[1]).toMatch(/^accepted/);
  expect(await queries()).toBe(2);
});

test("a stranger has taken the key since: held, and nothing corrects it", async () => {
  let message = "";
  const [invoiceId = ""] = await amendedAfterRejection(async (_, sent) => {
    message = sent;
    throw new Error("no route");
  });
  await sendAsStranger(message);
  expect(await submit()).toEqual(["rejected 1239", "rejected 3000"]);
  expect(await standing(2)).toMatchObject({ hold: "foreign_duplicate" });
  const read = await readCorrections(shop, invoiceId);
  expect(read).toMatchObject({ corrections: { advice: { code: "duplicate_of_another" } } });
  await expectBooksConsistent(shop.connectionId);
});

/** The same invoice as another system registers it. */
async function sendAsStranger(message: string): Promise<void> {
  const body = message
    .replace(/<sf:(Subsanacion|RechazoPrevio|RefExterna)>[^<]*<\/sf:\1>/g, "")
    .replace(/(<sf:NumeroInstalacion>)[^<]*/, "$1otra")
    .replace(/(<sf:Huella>)[0-9A-F]{64}(<\/sf:Huella><\/sf:RegistroAlta>)/, `$1${"C".repeat(64)}$2`);
  const url = "https://prewww1.aeat.es/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP";
  const answer = await sandboxOf(shop.connectionId).fetch(url, {
    ...{ method: "POST", body, headers: { "Content-Type": "text/xml; charset=utf-8" } },
  });
  expect(await answer.text()).toContain("AceptadoConErrores");
}

describe("the query has no answer", () => {
  const failing = {
    "no connection": () => Promise.reject(new Error("no route")),
    "a page": async () => new Response("<html/>", { headers: { "Content-Type": "text/html" } }),
    "an error of the server's": async () => new Response("", { status: 500 }),
  } satisfies Record<string, () => Promise<Response>>;

  test.each(Object.entries(failing))("%s: it stays lost, and ends well later", async (_, fails) => {
    await amendedAfterRejection(answerLost);
    intercept(shop.connectionId, (send, sent) => (isQuery(sent) ? fails() : send()));
    expect(await submit()).toEqual(["rejected 1239", "submitted 3000"]);
    expect(await standing(2)).toMatchObject({ code: 3000, tries: 1 });
    // Nothing is submitted before its back-off is over, and the outage is shown.
    const { incident_since: since } = await chainOf(shop);
    expect(since).not.toBeNull();
    later(1);
    await ring(shop);
    expect((await messagesAt(shop)).filter(({ operation }) => operation !== QUERY)).toHaveLength(3);
    later(2 * MINUTE_MS);
    await ring(shop);
    expect(await standing(2)).toMatchObject({ code: 3000, tries: 2 });
    intercept(shop.connectionId, (send) => send());
    later(5 * MINUTE_MS);
    await ring(shop);
    expect(await statesOf(shop)).toEqual(["rejected 1239", ADOPTED]);
    expect(await standing(2)).toMatchObject({ adopted: true });
    expect((await chainOf(shop)).incident_since).toBeNull();
    await expectBooksConsistent(shop.connectionId);
  });

  test("an invoice issued during it does not wait for it", async () => {
    await amendedAfterRejection(answerLost);
    intercept(shop.connectionId, (send, sent) => (isQuery(sent) ? failing["no connection"]() : send()));
    await submit();
    await clientOf(shop).issue("next");
    later(MINUTE_MS);
    await ring(shop);
    expect(await statesOf(shop)).toEqual(["rejected 1239", "submitted 3000", "accepted"]);
  });
});

describe("its annulment waits for it", () => {
  const toNobody = async (_: unknown, sent: string): Promise<Response> => {
    lost = sent;
    throw new Error("no route");
  };
  const withoutQuery = () =>
    intercept(shop.connectionId, (send, sent) =>
      isQuery(sent) ? Promise.reject(new Error("no route")) : send(),
    );
  let lost = "";

  test("ours: annulled once that is known", async () => {
    await amendedAfterRejection(answerLost);
    await clientOf(shop).cancel("e1");
    withoutQuery();
    expect(await submit()).toEqual(["rejected 1239", "submitted 3000", "pending_submission"]);
    later(MINUTE_MS);
    await ring(shop);
    expect((await statesOf(shop)).slice(1)).toEqual(["submitted 3000", "pending_submission"]);
    intercept(shop.connectionId, (send) => send());
    later(5 * MINUTE_MS);
    await ring(shop);
    expect((await statesOf(shop)).slice(1)).toEqual([ADOPTED, "pending_submission"]);
    expect(await submit()).toEqual(["rejected 1239", ADOPTED, "accepted"]);
    expect(await annulmentsAt()).toHaveLength(1);
    await expectBooksConsistent(shop.connectionId);
  });

  test("cancelled while it is unknown, and ours: annulled all the same", async () => {
    await amendedAfterRejection(answerLost);
    withoutQuery();
    expect((await submit())[1]).toBe("submitted 3000");
    await clientOf(shop).cancel("e1");
    intercept(shop.connectionId, (send) => send());
    later(2 * MINUTE_MS);
    await ring(shop);
    expect(await submit()).toEqual(["rejected 1239", ADOPTED, "accepted"]);
  });

  test.each([
    ["decided before a duplicate was reported", true],
    ["decided while it is unknown", false],
  ])("another's, %s: it is never submitted", async (_, isEarly) => {
    await amendedAfterRejection(toNobody);
    await sendAsStranger(lost);
    if (isEarly) await clientOf(shop).cancel("e1");
    withoutQuery();
    expect((await submit())[1]).toBe("submitted 3000");
    if (!isEarly) await clientOf(shop).cancel("e1");
    intercept(shop.connectionId, (send) => send());
    later(5 * MINUTE_MS);
    await ring(shop);
    expect(await submit()).toEqual(["rejected 1239", "rejected 3000", "rejected"]);
    expect(await standing(3)).toEqual({ hold: "foreign_duplicate" });
    expect(await annulmentsAt()).toEqual([]);
    expect(await chainOf(shop)).toMatchObject({ incident_since: null });
    await expectBooksConsistent(shop.connectionId);
  });
});

test("a registration under another's number, cancelled on its way: the stranger's stays", async () => {
  await clientOf(shop).issue("e1");
  let isCancelled = false;
  interrupt(shop.connectionId, async (send, sent) => {
    await sendAsStranger(sent);
    await clientOf(shop).cancel("e1");
    isCancelled = true;
    return send();
  });
  await submit();
  expect(isCancelled).toBe(true);
  expect(await submit()).toEqual(["rejected 3000", "rejected"]);
  expect(await standing(2)).toEqual({ hold: "foreign_duplicate" });
  expect(await annulmentsAt()).toEqual([]);
});

test("an answer that came late leaves no time to ask: another time", async () => {
  await amendedAfterRejection(answerLost);
  interrupt(shop.connectionId, (send) => {
    later(126_000);
    return send();
  });
  expect((await submit())[1]).toBe("submitted 3000");
  expect(await queries()).toBe(0);
  expect((await submit())[1]).toBe(ADOPTED);
  expect(await queries()).toBe(1);
});

test("few questions at a time: the others have their turn", async () => {
  // The first of them is asked about first, and the two that are left go again together.
  vi.spyOn(Math, "random").mockReturnValue(0);
  await amendedAfterRejection(answerLost, { count: 7 });
  const of = (states: readonly string[], wanted: string) => states.filter((state) => state === wanted);
  const first = await submit();
  expect(of(first, ADOPTED)).toHaveLength(5);
  expect(of(first, "submitted 3000")).toHaveLength(2);
  expect(await queries()).toBe(5);
  expect(of(await submit(), ADOPTED)).toHaveLength(7);
  expect(await queries()).toBe(7);
});
