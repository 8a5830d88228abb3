/** The transport and the reader in the runtime that they are for. */
import { expect, test } from "vitest";
import { aeatTransport } from "../../src/aeat/authority.ts";
import { readAttempt } from "../../src/aeat/read-answer.ts";

const FAULT =
  `<?xml version="1.0" encoding="UTF-8"?><e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/">` +
  "<e:Body><e:Fault><faultcode>e:Server</faultcode><faultstring>Codigo[3501].Error técnico</faultstring>" +
  "</e:Fault></e:Body></e:Envelope>";

async function attemptOver(answer: (request: Request) => Response) {
  const { submit } = aeatTransport({
    fetch: async (url, init) => answer(new Request(url, init)),
    after: () => () => {},
    timeLimitMs: 120_000,
    userAgent: "Cuadre/1.0.0",
  });
  return readAttempt(await submit(new TextEncoder().encode("<a/>"), "https://authority.test/soap"));
}

test("a message goes out as it is, and a fault comes back as one", async () => {
  const asked: Request[] = [];
  const result = await attemptOver((request) => {
    asked.push(request);
    return new Response(FAULT, { status: 500, headers: { "Content-Type": "text/xml;charset=UTF-8" } });
  });
  expect(result).toEqual({ result: "fault", fault: { side: "server", code: 3501, text: "Error técnico" } });
  expect(await asked[0]?.text()).toBe("<a/>");
  expect(asked[0]?.headers.get("SOAPAction")).toBe('""');
});

test("a redirect is not followed, a document type not read", async () => {
  const location = { Location: "https://authority.test/erro4011.html" };
  expect(await attemptOver(() => new Response(null, { status: 302, headers: location }))).toMatchObject({
    cause: "certificate_refused",
  });
  const xml = { "Content-Type": "text/xml" };
  expect(await attemptOver(() => new Response("<!DOCTYPE a><a/>", { headers: xml }))).toMatchObject({
    cause: "malformed",
  });
});
