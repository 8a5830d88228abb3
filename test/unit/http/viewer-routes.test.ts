/** The viewer at the edge: who is asked, when, and what comes of each answer. */
import { describe, expect, test } from "vitest";
import { accessAnswer, availabilityAnswer } from "../../../src/http/contract/access-body.ts";
import type { SnapshotStore, ViewingOutcome } from "../../../src/usecases/viewer-ports.ts";
import { accessible, anEdge, type EdgeOptions, postOf, someDocuments } from "../../support/http-edge.ts";
import { Signal } from "../../support/signal.ts";

const ACCESS = "/api/v1/order/invoice-access";
const LINK = { order_id: "5001", presentation: "link" };

type Edge = ReturnType<typeof anEdge>;

async function urlOf({ app }: Edge): Promise<string> {
  const answer = Object(await (await app.request(ACCESS, postOf(LINK))).json());
  return new URL(answer.data.viewer_url).pathname;
}

async function lookWith(options: EdgeOptions) {
  const edge = anEdge(options);
  const response = await edge.app.request(await urlOf(edge));
  return { ...edge, response, text: await response.text() };
}

const DOWN: ViewingOutcome = {
  outcome: "unavailable",
  retryAfterSeconds: 1.2,
  cause: "object_unreachable",
};

describe("a look", () => {
  test("asks cache and object at once, neither waiting for the other", async () => {
    const asked: string[] = [];
    const both = new Signal();
    const meet = async (who: string) => {
      asked.push(who);
      if (asked.length === 2) both.set();
      await both.wait();
    };
    const snapshots: SnapshotStore = {
      keep: async () => {},
      read: async () => {
        await meet("cache");
        return someDocuments();
      },
    };
    const edge = anEdge({ deps: { snapshots }, beforeView: () => meet("object") });
    expect((await edge.app.request(await urlOf(edge))).status).toBe(200);
    expect(asked.toSorted()).toEqual(["cache", "object"]);
  });

  test("the object says that it is over: the cache does not outvote it", async () => {
    const { response, text } = await lookWith({ view: [{ outcome: "closed" }] });
    expect([response.status, text.includes("API-1S")]).toEqual([404, false]);
  });

  test.each<[string, ViewingOutcome, string]>([
    ["unreachable", DOWN, "2"],
    ["broken", { outcome: "failed", cause: "TypeError" }, "5"],
  ])("the object is %s: 503, never the document", async (_, outcome, seconds) => {
    const { response, text, lines } = await lookWith({ view: [outcome] });
    expect([response.status, response.headers.get("Retry-After")]).toEqual([503, seconds]);
    expect(text).not.toContain("API-1S");
    expect(text).toContain("Ahora no podemos mostrar la factura");
    expect(lines.at(-1)).toMatchObject({ route: "/v/{token}", status: 503, cause: expect.any(String) });
  });

  test("on a miss the object is asked for the documents, and what it brought already is enough", async () => {
    const forgetful: SnapshotStore = { keep: async () => {}, read: async () => undefined };
    const documents = someDocuments();
    const twice = await lookWith({
      deps: { snapshots: forgetful },
      view: [{ outcome: "open" }, { outcome: "open", documents }],
    });
    expect(twice.response.status).toBe(200);
    expect(twice.viewings.map(({ withDocuments }) => withDocuments)).toEqual([false, true]);
    const once = await lookWith({ deps: { snapshots: forgetful }, view: [{ outcome: "open", documents }] });
    expect([once.response.status, once.viewings.length]).toEqual([200, 1]);
    const gone = await lookWith({
      deps: { snapshots: forgetful },
      view: [{ outcome: "open" }, { outcome: "closed" }],
    });
    expect(gone.response.status).toBe(404);
  });

  test("another method is not allowed, and asks nobody", async () => {
    const edge = anEdge();
    const path = await urlOf(edge);
    for (const method of ["POST", "PUT", "DELETE"]) {
      expect((await edge.app.request(path, { method })).status).toBe(405);
    }
    expect(edge.viewings).toEqual([]);
  });

  test("HEAD tells what GET would", async () => {
    const edge = anEdge();
    const response = await edge.app.request(await urlOf(edge), { method: "HEAD" });
    expect([response.status, await response.text()]).toEqual([200, ""]);
  });
});

describe("answers keep to their contracts", () => {
  test("availability", async () => {
    const { app } = anEdge({ available: { outcome: "found", available: ["b"] } });
    const body = { order_ids: ["a", "b"], more: 1 };
    const response = await app.request("/api/v1/order/invoice-availability", postOf(body));
    const { data } = Object(await response.json());
    expect(availabilityAnswer.parse(data).items.map(({ state }) => state)).toEqual([
      "not_available",
      "available",
    ]);
  });

  test.each([
    ["available", accessible()],
    ["not_available", { outcome: "not_available" }],
  ] as const)("access: %s", async (state, access) => {
    const response = await anEdge({ access }).app.request(ACCESS, postOf(LINK));
    const { data } = Object(await response.json());
    expect(accessAnswer.parse(data).state).toBe(state);
  });

  test("a key that is forged, or revoked, is told before anything else", async () => {
    const edge = anEdge({ admit: { outcome: "unauthorized" } });
    expect((await edge.app.request(ACCESS, { method: "POST", body: "{}" })).status).toBe(401);
    expect(edge.asked).toEqual([]);
    expect((await edge.app.request(ACCESS, postOf({}))).status).toBe(401);
  });
});
