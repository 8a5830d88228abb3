/** The first invoice goes through the real API, like every other. */
import { setTimeout as delay } from "node:timers/promises";
import { SetupError } from "../ops/setup.mjs";

export const DEMO_EXTERNAL_ID = "demo-1";
const READY_WITHIN_MS = 90_000;

export function demoInvoice(externalId: string): object {
  return {
    external_id: externalId,
    invoice_type: "F2",
    description: "Café para la oficina",
    currency: "EUR",
    lines: [
      { line_id: "1", description: "Café en grano, 1 kg", quantity: 2, price_unit: 18.5, tax_rate: 10 },
    ],
  };
}

/** Repeating it is a replay, so that a start which broke off here can go on. */
export async function issueDemoInvoice(apiUrl: string, key: string): Promise<void> {
  const response = await fetch(`${apiUrl}/api/v1/invoice`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-API-KEY": key },
    body: JSON.stringify(demoInvoice(DEMO_EXTERNAL_ID)),
  });
  if (response.ok) return;
  throw new SetupError(`The demo invoice was not issued: ${response.status} ${await response.text()}`);
}

export function waitUntilHealthy(apiUrl: string): Promise<void> {
  return waitUntilOk(`${apiUrl}/health`, "The API did not become healthy");
}

export function waitUntilAnswering(authorityUrl: string): Promise<void> {
  return waitUntilOk(`${authorityUrl}/control`, "The sandbox authority does not answer");
}

/** The owner Worker answers through the console's Function: with 401, because nobody is signed in. */
export function waitUntilOwnersAnswered(consoleUrl: string): Promise<void> {
  return waitUntilStatus(401, `${consoleUrl}/api/me`, "The console does not answer");
}

function waitUntilOk(url: string, problem: string): Promise<void> {
  return waitUntilStatus(200, url, problem);
}

async function waitUntilStatus(wanted: number, url: string, problem: string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  let last = "no answer";
  while (Date.now() < deadline) {
    try {
      const response = await fetch(url);
      if (response.status === wanted) return;
      last = `${response.status} ${await response.text()}`;
    } catch {
      // Nobody listens yet.
    }
    await delay(100);
  }
  throw new SetupError(`${problem}: ${last}`);
}
