/**
 * The sandbox tax authority: answers the AEAT's web service for VERI*FACTU, shows the received messages, and
 * misbehaves on request. It shares no code with the product.
 */
import { type Context, Hono } from "hono";
import { CERTIFICATE_PAGE, page } from "./behaviour/misbehave.ts";
import type { AuthorityDeps } from "./deps.ts";
import { json, jsonRoutes } from "./json-routes.ts";
import { pageRoutes } from "./pages/routes.tsx";
import type { Endpoint } from "./rules/header.ts";
import { htmlAnswer, toResponse } from "./soap/answer.ts";
import { answerSoap, getAnswer } from "./soap/endpoint.ts";

/** The path is the same on the four hosts: production or test, certificate or seal. */
const SERVICE = "/wlpl/TIKE-CONT/ws/SistemaFacturacion";
const ENDPOINTS: readonly Endpoint[] = ["VerifactuSOAP", "RequerimientoSOAP"];

/** A thousand of the longest records stay below. */
const LARGEST_REQUEST_BYTES = 32 * 1024 * 1024;

export function createAuthority(deps: AuthorityDeps): (request: Request) => Promise<Response> {
  const app = new Hono();
  for (const endpoint of ENDPOINTS) {
    app.post(`${SERVICE}/${endpoint}`, (context) => soap(deps, endpoint, context));
    app.get(`${SERVICE}/${endpoint}`, () => toResponse(getAnswer(deps)));
  }
  app.route("/", jsonRoutes(deps));
  app.route("/", pageRoutes(deps));
  app.get(CERTIFICATE_PAGE, () =>
    toResponse(htmlAnswer(page("Certificado no admitido", "No se detecta certificado electrónico."), 200)),
  );
  app.notFound(() => json({ error: "not_found" }, 404));
  return async (request) => app.fetch(request);
}

async function soap(deps: AuthorityDeps, endpoint: Endpoint, { req }: Context): Promise<Response> {
  const bytes = new Uint8Array(await req.arrayBuffer());
  if (bytes.length > LARGEST_REQUEST_BYTES) return json({ error: "too_large" }, 413);
  const { host } = new URL(req.url);
  const contentType = req.header("Content-Type") ?? "";
  const answer = await answerSoap(deps, { endpoint, host, contentType, bytes });
  const response = toResponse(answer);
  if (!answer.isBroken) return response;
  // With compression a broken-off body would look complete.
  response.headers.set("Content-Encoding", "identity");
  return new Response(deps.brokenBody(new TextEncoder().encode(answer.body)), response);
}
