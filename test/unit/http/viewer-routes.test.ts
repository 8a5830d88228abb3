/** The viewer at the edge: its calls, their order, and the page of each answer. */
import { describe, expect, test } from "vitest";
import { answer as accessAnswer } from "../../../src/api/endpoints/post-invoice-access.ts";
import { answer as availabilityAnswer } from "../../../src/api/endpoints/post-invoice-availability.ts";
import type { SnapshotStore } from "../../../src/db/access/snapshot-store.ts";
import { writeUbl } from "../../../src/domain/einvoice/ubl/write-ubl.ts";
import { electronicInvoiceOf } from "../../../src/domain/einvoice/view.ts";
import type { ViewingOutcome } from "../../../src/ledger/access/customer-access.ts";
import { full, manyLines, ticket } from "../../support/builders/issued-samples.ts";
import { Signal } from "../../support/faults/signal.ts";
import {
  accessible,
  anEdge,
  type EdgeOptions,
  memorySnapshots,
  NO_FILES,
  postOf,
  SOFTWARE,
  someDocuments,
} from "../../support/worlds/http-edge.ts";

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
      ...NO_FILES,
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

  test("on a miss the object returns the documents, and its first answer suffices", async () => {
    const forgetful: SnapshotStore = { ...NO_FILES, keep: async () => {}, read: async () => undefined };
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

  test("another method is not allowed, and nothing is called", async () => {
    const edge = anEdge();
    const path = await urlOf(edge);
    for (const method of ["POST", "PUT", "DELETE"]) {
      expect((await edge.app.request(path, { method })).status).toBe(405);
    }
    expect(edge.viewings).toEqual([]);
  });

  test("HEAD answers like GET", async () => {
    const edge = anEdge();
    const response = await edge.app.request(await urlOf(edge), { method: "HEAD" });
    expect([response.status, await response.text()]).toEqual([200, ""]);
  });
});

/** Counts, and admits as many as it is set to. */
function brakeAfter(most: number) {
  const keys: string[] = [];
  return {
    keys,
    limit: async ({ key }: { key: string }) => {
      keys.push(key);
      return { success: keys.length <= most };
    },
  };
}

describe("too many looks in a minute", () => {
  const FREE = { limit: async () => ({ success: true }) };

  test.each(["/v/{token}", "/v/{token}/{file}"])("of one link are braked: %s", async (route) => {
    const byLink = brakeAfter(1);
    const edge = anEdge({ deps: { views: { byLink, byNetwork: FREE } } });
    const url = await urlOf(edge);
    const path = route.endsWith("{file}") ? `${url}/API-1S-2026-000007.pdf` : url;
    expect((await edge.app.request(path)).status).toBe(200);
    const looks = edge.viewings.length;
    const braked = await edge.app.request(path);
    expect([braked.status, braked.headers.get("Retry-After")]).toEqual([429, "60"]);
    const text = await braked.text();
    expect(text).toContain("Se ha abierto demasiadas veces en el último minuto");
    expect(text).not.toContain("API-1S");
    expect(edge.viewings.length).toBe(looks);
    expect(edge.lines.at(-1)).toMatchObject({ route, status: 429, error_code: "rate_limited" });
    // A token opens the invoice: what counts it must not know it.
    expect(byLink.keys.join(" ")).not.toContain(url.slice("/v/".length));
  });

  test("of one network are braked before the token is looked at, and a forged one counts for no link", async () => {
    const [byLink, byNetwork] = [brakeAfter(100), brakeAfter(2)];
    const edge = anEdge({ deps: { views: { byLink, byNetwork } } });
    const url = await urlOf(edge);
    const from = { headers: { "CF-Connecting-IP": "2001:db8:1:2:3::4" } };
    expect((await edge.app.request(`${url}x`, from)).status).toBe(404);
    expect((await edge.app.request(url, from)).status).toBe(200);
    expect((await edge.app.request(url, from)).status).toBe(429);
    expect(byNetwork.keys).toEqual(Array(3).fill("2001:db8:1:2::/64"));
    expect(byLink.keys.length).toBe(1);
  });

  test("a failing brake stops no one", async () => {
    const broken = { limit: () => Promise.reject(new Error("no binding")) };
    const edge = anEdge({ deps: { views: { byLink: broken, byNetwork: broken } } });
    expect((await edge.app.request(await urlOf(edge))).status).toBe(200);
  });
});

describe("a PDF", () => {
  const fileOf = async (edge: Edge) => `${await urlOf(edge)}/API-1S-2026-000007.pdf`;

  test("is drawn once for a link, and then read", async () => {
    const edge = anEdge();
    const path = await fileOf(edge);
    const first = new Uint8Array(await (await edge.app.request(path)).arrayBuffer());
    expect(new TextDecoder().decode(first.slice(0, 5))).toBe("%PDF-");
    const [[name, kept] = ["", new Uint8Array()]] = [...edge.cache.files];
    expect(kept).toEqual(first);
    edge.cache.files.set(
      name,
      Uint8Array.from("drawn", (letter) => letter.charCodeAt(0)),
    );
    expect(await (await edge.app.request(path)).text()).toBe("drawn");
  });

  test("is another one in another language, and for another link", async () => {
    const edge = anEdge();
    const path = await fileOf(edge);
    for (const language of ["es", "en", "es"]) {
      await edge.app.request(path, { headers: { "Accept-Language": language } });
    }
    expect(edge.cache.files.size).toBe(2);
    await edge.app.request(await fileOf(edge));
    expect(edge.cache.files.size).toBe(3);
  });

  test("is another one by another version of the service, under the same link", async () => {
    const { snapshots, files } = memorySnapshots();
    const [before, after] = ["1.2.3", "1.2.4"].map((version) =>
      anEdge({ deps: { snapshots, software: { ...SOFTWARE, version } } }),
    );
    if (!before || !after) throw new Error("two edges");
    const path = await fileOf(before);
    for (const edge of [before, after, after]) expect((await edge.app.request(path)).status).toBe(200);
    expect(files.size).toBe(2);
  });

  test("is kept for as long as its link", async () => {
    let clock = 1_800_000_000_000;
    const lives: number[] = [];
    const snapshots: SnapshotStore = {
      ...memorySnapshots().snapshots,
      readFile: async () => undefined,
      keepFile: async (_token, _name, { ttlSeconds }) => void lives.push(ttlSeconds),
    };
    const edge = anEdge({ now: () => clock, deps: { snapshots } });
    const path = await fileOf(edge);
    for (const seconds of [0, 600]) {
      clock += seconds * 1_000;
      await edge.app.request(path);
    }
    expect(lives).toEqual([1_800, 1_200]);
  });

  test("no cache may show it once the object says that it is over", async () => {
    const edge = anEdge({ view: [{ outcome: "open" }, { outcome: "closed" }] });
    const path = await fileOf(edge);
    expect((await edge.app.request(path)).status).toBe(200);
    expect((await edge.app.request(path)).status).toBe(404);
  });

  test("is drawn again where the cache fails", async () => {
    const failing: SnapshotStore = {
      ...memorySnapshots().snapshots,
      readFile: () => Promise.reject(new Error("KV")),
      keepFile: () => Promise.reject(new Error("KV")),
    };
    const edge = anEdge({ deps: { snapshots: failing } });
    const response = await edge.app.request(await fileOf(edge));
    expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "application/pdf"]);
  });
});

describe("a Facturae", () => {
  const edge = anEdge({ access: accessible({ documents: someDocuments({ views: [full(), ticket()] }) }) });
  const [invoice, simplified] = [full().fullNumber, ticket().fullNumber];

  test("is linked and served where the format can say the invoice, and says that it is unsigned", async () => {
    const url = await urlOf(edge);
    expect(await (await edge.app.request(url)).text()).toContain(`${invoice}.facturae.xml`);
    const response = await edge.app.request(`${url}/${invoice}.facturae.xml`);
    expect([response.status, response.headers.get("Cuadre-Signature")]).toEqual([200, "none"]);
    expect(response.headers.get("Content-Disposition")).toBe(
      `attachment; filename="${invoice}.facturae.xml"`,
    );
    expect(await response.text()).toContain("<fe:Facturae ");
  });

  test("is neither linked nor served of a simplified invoice", async () => {
    const url = await urlOf(edge);
    expect(await (await edge.app.request(url)).text()).not.toContain(`${simplified}.facturae.xml`);
    expect((await edge.app.request(`${url}/${simplified}.facturae.xml`)).status).toBe(404);
  });
});

describe("UBL", () => {
  const edge = anEdge({ access: accessible({ documents: someDocuments({ views: [full(), ticket()] }) }) });
  const [invoice, simplified] = [full().fullNumber, ticket().fullNumber];

  test("is linked beside PDF and Facturae in either language, and served as the API serves it", async () => {
    const url = await urlOf(edge);
    for (const [language, name] of [
      ["es", `Descargar en UBL la factura ${invoice}`],
      ["en", `Download invoice ${invoice} as UBL`],
    ] as const) {
      const page = await edge.app.request(url, { headers: { "Accept-Language": language } });
      const links = [
        ...(await page.text()).matchAll(/href="[^"]*\/([^"/]+\.(?:pdf|xml))" aria-label="([^"]*)"/g),
      ];
      const ofInvoice = links.filter(([, file]) => file?.startsWith(invoice));
      expect(ofInvoice.map(([, file]) => file)).toEqual(
        ["pdf", "ubl.xml", "facturae.xml"].map((ending) => `${invoice}.${ending}`),
      );
      expect(ofInvoice[1]?.[2]).toBe(name);
    }
    const response = await edge.app.request(`${url}/${invoice}.ubl.xml`);
    expect([response.status, response.headers.get("Content-Type")]).toEqual([
      200,
      "application/xml; charset=utf-8",
    ]);
    expect(response.headers.get("Content-Disposition")).toBe(`attachment; filename="${invoice}.ubl.xml"`);
    const whole = writeUbl(electronicInvoiceOf(full()), { version: "ubl-2.1", profile: "en16931" });
    expect(await response.text()).toBe(whole);
  });

  test("is neither linked nor served of a simplified invoice, nor under the ending of a signed file", async () => {
    const url = await urlOf(edge);
    expect(await (await edge.app.request(url)).text()).not.toContain(`${simplified}.ubl.xml`);
    for (const file of [`${simplified}.ubl.xml`, `${invoice}.ubl.xsig`, `${invoice}.ubl`])
      expect([file, (await edge.app.request(`${url}/${file}`)).status]).toEqual([file, 404]);
  });
});

describe("a page of many lines", () => {
  const documents = (lines: number) => someDocuments({ views: [manyLines(lines)] });
  const edgeOf = (lines: number) => anEdge({ access: accessible({ documents: documents(lines) }) });

  test("is drawn once for a link and a language, and then read", async () => {
    const edge = edgeOf(200);
    const path = await urlOf(edge);
    const texts = [];
    for (const language of ["es", "en", "es"]) {
      const response = await edge.app.request(path, { headers: { "Accept-Language": language } });
      expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
      texts.push(await response.text());
    }
    expect([texts[0] === texts[2], texts[0] === texts[1], edge.cache.files.size]).toEqual([true, false, 2]);
    const [[name] = [""]] = [...edge.cache.files];
    edge.cache.files.set(name, new Uint8Array(new TextEncoder().encode("drawn")));
    expect(await (await edge.app.request(path)).text()).toBe("drawn");
  });

  test("no cache may show it once the object says that it is over", async () => {
    const access = accessible({ documents: documents(200) });
    const edge = anEdge({ access, view: [{ outcome: "open" }, { outcome: "closed" }] });
    const path = await urlOf(edge);
    expect((await edge.app.request(path)).status).toBe(200);
    expect((await edge.app.request(path)).status).toBe(404);
  });

  test("has one line fewer, and is drawn with each look", async () => {
    const edge = edgeOf(199);
    expect((await edge.app.request(await urlOf(edge))).status).toBe(200);
    expect(edge.cache.files.size).toBe(0);
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

  test("a forged or revoked key is refused before anything else", async () => {
    const edge = anEdge({ admit: { outcome: "unauthorized" } });
    expect((await edge.app.request(ACCESS, { method: "POST", body: "{}" })).status).toBe(401);
    expect(edge.asked).toEqual([]);
    expect((await edge.app.request(ACCESS, postOf({}))).status).toBe(401);
  });
});
