/** The Worker itself, in workerd, from its own configuration. */
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestHarness } from "wrangler";
import { alta, message, series } from "../../support/authority/messages.ts";
import { REPOSITORY } from "../../support/rules/sources.ts";

const VERIFACTU = "/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP";

const server = createTestHarness({
  workers: [{ configPath: join(REPOSITORY, "src/sandbox/wrangler.toml") }],
});

let url: URL;

beforeAll(async () => {
  ({ url } = await server.listen());
}, 60_000);

afterAll(() => server.close());

test("it answers, keeps and shows", async () => {
  expect(await post(message(series(3), { RemisionVoluntaria: { Incidencia: "S" } }))).toContain(
    "EstadoEnvio>",
  );
  const { chains } = await json("/records");
  expect(chains[0].records).toHaveLength(3);
  const page = await read("/");
  expect(await page.text()).toContain("instalacion-1");
});

test("a thousand records are stored whole, and the message comes back as it was", async () => {
  const sent = message(series(1000, () => ({ NombreRazonEmisor: "Ñ".repeat(120) })));
  expect(await post(sent)).toContain("EstadoEnvio>");
  const { messages } = await json("/messages");
  const kept = await read(`/messages/${messages.at(-1).id}/request`);
  expect(await kept.text()).toBe(sent);
}, 60_000);

test("a connection is lost on purpose", async () => {
  await server.fetch("/control", { method: "PUT", body: JSON.stringify({ queue: [{ fault: "closed" }] }) });
  const headers = { "Content-Type": "text/xml; charset=utf-8" };
  const answer = await fetch(new URL(VERIFACTU, url), { method: "POST", headers, body: message([alta()]) });
  expect(answer.status).toBe(200);
  await expect(answer.text()).rejects.toThrow();
});

async function post(xml: string): Promise<string> {
  const headers = { "Content-Type": "text/xml; charset=utf-8" };
  return (await server.fetch(VERIFACTU, { method: "POST", headers, body: xml })).text();
}

/** A path with a shape that the tests of the routes know. */
async function json(path: string) {
  const answer = await read(path);
  const text = await answer.text();
  expect(answer.status, text).toBe(200);
  return JSON.parse(text);
}

/** The local runtime drops the next request after one that kept its processor busy for seconds. */
async function read(path: string) {
  const answer = await server.fetch(path);
  return answer.status === 500 ? server.fetch(path) : answer;
}
