/** A key is proven before its request is read, and calls that fail have brakes of their own. */
import { beforeEach, describe, expect, test } from "vitest";
import { knownKeys } from "../../../src/api/known-keys.ts";
import { BODY_BYTES, FAILING_CALLS, KNOWN_KEYS } from "../../../src/domain/limits.ts";
import type { IssueOutcome, KeyOutcome } from "../../../src/ledger/core/outcomes.ts";
import {
  AUTHORISED,
  aBody,
  anEdge,
  type EdgeOptions,
  FORGED_KEY,
  postOf,
} from "../../support/worlds/http-edge.ts";

const INVOICE = "/api/v1/invoice";

let clock = 0;
beforeEach(() => {
  clock = 1_000_000;
});

function edgeAt(options: EdgeOptions = {}) {
  return anEdge({ now: () => clock, ...options });
}

type Edge = ReturnType<typeof anEdge>;

/** A request with a body that must not be read. */
function unreadable(headers: Readonly<Record<string, string>> = AUTHORISED): Request {
  const body = new ReadableStream(
    {
      pull() {
        throw new Error("was read");
      },
    },
    { highWaterMark: 0 },
  );
  return new Request(`http://edge${INVOICE}`, {
    method: "POST",
    headers,
    body,
    duplex: "half",
  } as RequestInit);
}

async function send({ app }: Edge, body: unknown = aBody()): Promise<number> {
  return (await app.request(INVOICE, postOf(body))).status;
}

describe("a key that the isolate does not know", () => {
  test("is shown to the object before the body is read", async () => {
    const edge = edgeAt({ key: { outcome: "unauthorized" } });
    expect((await edge.app.request(unreadable())).status).toBe(401);
    expect([edge.admissions, edge.asked]).toEqual([["unauthorized"], []]);
  });

  test("once refused, reaches the object no more", async () => {
    const edge = edgeAt({ key: { outcome: "unauthorized" } });
    for (let calls = 0; calls < 5; calls++) await edge.app.request(unreadable());
    expect(edge.admissions).toEqual(["unauthorized"]);
  });

  test.each<[string, KeyOutcome, number]>([
    ["unreachable", { outcome: "unavailable", retryAfterSeconds: 2, cause: "object_unreachable" }, 503],
    ["broken", { outcome: "failed", cause: "TypeError" }, 500],
  ])("is neither alive nor dead while the object is %s", async (_, key, status) => {
    const edge = edgeAt({ key });
    expect((await edge.app.request(unreadable())).status).toBe(status);
    expect((await edge.app.request(unreadable())).status).toBe(status);
    expect(edge.admissions).toEqual([key.outcome, key.outcome]);
  });
});

describe("a key that the object accepted", () => {
  test("costs one call of the object for thirty seconds, and two after them", async () => {
    const edge = edgeAt();
    expect(await send(edge)).toBe(201);
    clock += KNOWN_KEYS.aliveMs - 1;
    expect(await send(edge)).toBe(201);
    expect([edge.admissions.length, edge.asked.length]).toEqual([1, 2]);
    clock += KNOWN_KEYS.aliveMs;
    expect(await send(edge)).toBe(201);
    expect([edge.admissions.length, edge.asked.length]).toEqual([2, 3]);
  });

  test("is not kept alive by calls that no object has seen", async () => {
    const edge = edgeAt();
    await send(edge);
    for (let calls = 0; calls < 4; calls++) {
      clock += KNOWN_KEYS.aliveMs / 3;
      expect(await send(edge, "{")).toBe(400);
    }
    expect(edge.admissions.length).toBe(2);
  });

  test("is dead with the first call that the object refuses", async () => {
    const edge = edgeAt({ issue: { outcome: "unauthorized" } });
    expect(await send(edge)).toBe(401);
    expect((await edge.app.request(unreadable())).status).toBe(401);
    expect([edge.admissions.length, edge.asked.length]).toEqual([1, 1]);
  });
});

describe("the memory of keys", () => {
  test("is bounded, and forgets the oldest first", () => {
    const keys = knownKeys();
    for (let key = 0; key <= KNOWN_KEYS.mostDead; key++) keys.refuse(`dead-${key}`, 0);
    expect(["dead-0", "dead-1"].map((key) => keys.statusOf(key, 0))).toEqual(["unknown", "dead"]);
    for (let key = 0; key <= KNOWN_KEYS.mostAlive; key++) keys.accept(`alive-${key}`, 0);
    expect(["alive-0", "alive-1"].map((key) => keys.statusOf(key, 0))).toEqual(["unknown", "alive"]);
  });

  test("asks again for a dead key after ten minutes: an instance that was replaced may have refused it", () => {
    const keys = knownKeys();
    keys.refuse("key", 0);
    expect(keys.statusOf("key", KNOWN_KEYS.deadMs - 1)).toBe("dead");
    expect(keys.statusOf("key", KNOWN_KEYS.deadMs)).toBe("unknown");
  });

  test("takes a key that is refused for dead, however lately it was accepted", () => {
    const keys = knownKeys();
    keys.accept("key", 0);
    keys.refuse("key", 0);
    expect(keys.statusOf("key", 0)).toBe("dead");
  });
});

describe("a request refused for its key", () => {
  const MISSING = { "Content-Type": "application/json" };
  const REQUESTS: [string, () => Request][] = [
    ["without a key", () => unreadable(MISSING)],
    ["with a forged key", () => unreadable({ ...AUTHORISED, "X-API-KEY": FORGED_KEY })],
    ["with a dead key", () => unreadable()],
    ["of another type", () => unreadable({ ...AUTHORISED, "Content-Type": "text/plain" })],
    ["with an unknown parameter", () => new Request(`http://edge${INVOICE}?prevew=1`, postOf("{}"))],
    ["larger than may be", () => unreadable({ ...AUTHORISED, "Content-Length": "2000000" })],
    ["with a body of no shape", () => new Request(`http://edge${INVOICE}`, postOf("{"))],
  ];

  test.each(REQUESTS)("is the same 401 to the byte: %s", async (_, request) => {
    const edge = edgeAt({ key: { outcome: "unauthorized" } });
    const response = await edge.app.request(request());
    expect([response.status, await response.text()]).toEqual([401, await bodyOf401()]);
  });

  test.each(REQUESTS)("meets the brake of its network before the body: %s", async (_, request) => {
    const edge = edgeAt({ key: { outcome: "unauthorized" }, brake: false });
    const response = await edge.app.request(request());
    expect([response.status, response.headers.get("Retry-After")]).toEqual([429, "60"]);
  });

  test("does not stop a valid key of the same network", async () => {
    const edge = edgeAt({ brake: false });
    expect((await edge.app.request(unreadable(MISSING))).status).toBe(429);
    expect(await send(edge)).toBe(201);
  });
});

async function bodyOf401(): Promise<string> {
  return (await edgeAt().app.request(INVOICE, { method: "POST" })).text();
}

describe("bodies without shape", () => {
  const MEGABYTE = BODY_BYTES.api - 1_000;
  const SHAPELESS = `{"${"x".repeat(MEGABYTE)}`;
  const NEEDED = Math.ceil(FAILING_CALLS.shapelessBytesPerKey / SHAPELESS.length);

  async function exhaust(edge: Edge): Promise<void> {
    for (let sent = 0; sent < NEEDED; sent++) expect(await send(edge, SHAPELESS)).toBe(400);
  }

  test("are braked by their bytes before the next is read, and a minute later are not", async () => {
    const edge = edgeAt();
    await exhaust(edge);
    clock += 20_000;
    const braked = await edge.app.request(unreadable());
    expect([braked.status, braked.headers.get("Retry-After")]).toEqual([429, "40"]);
    clock += 40_000;
    expect(await send(edge)).toBe(201);
  });

  test("leave reading free", async () => {
    const edge = edgeAt();
    await exhaust(edge);
    const read = await edge.app.request(`${INVOICE}/order-1`, { headers: AUTHORISED });
    expect(read.status).toBe(200);
  });

  /** An edge with a brake that always admits, and the sizes it was given. */
  function counting(options: EdgeOptions = {}) {
    const sizes: number[] = [];
    const shapeless = {
      waitOf: () => undefined,
      count: (_key: string, sizeBytes: number) => void sizes.push(sizeBytes),
    };
    return { edge: edgeAt({ ...options, deps: { shapeless } }), sizes };
  }

  test.each<[string, string, number, number]>([
    ["a body that is no JSON", "{", 400, 1],
    ["a body of another shape", '{"external_id":7}', 422, 17],
    ["a body that is too large without a declared length", " ".repeat(1_048_577), 413, 1_048_577],
  ])("%s counts with its bytes", async (_, body, status, sizeBytes) => {
    const { edge, sizes } = counting();
    expect(await send(edge, body)).toBe(status);
    expect(sizes).toEqual([sizeBytes]);
  });

  test("a body with too large a declared length is not read, so it counts nothing", async () => {
    const { edge, sizes } = counting();
    const response = await edge.app.request(unreadable({ ...AUTHORISED, "Content-Length": "1048577" }));
    expect([response.status, sizes]).toEqual([413, [0]]);
  });

  test("a body refused by the rules has a shape and counts for nothing, like an issued one", async () => {
    const refusal = { code: "simplified_limit_exceeded", facts: {} };
    const refused = counting({ issue: { outcome: "refused", refusal } as IssueOutcome });
    expect(await send(refused.edge)).toBe(422);
    expect(refused.edge.lines.at(-1)?.error_code).toBe("simplified_limit_exceeded");
    const issued = counting();
    expect(await send(issued.edge)).toBe(201);
    expect([refused.sizes, issued.sizes]).toEqual([[], []]);
  });
});
