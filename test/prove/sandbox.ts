/** The sandbox authority of the product: its behaviour, and whether it has everything. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { goOn } from "../support/progress/progress.ts";
import type { Demo } from "./local-product.ts";
import { openRecords } from "./submitted-books.ts";

const SETTLED_WITHIN_MS = 600_000;

export async function control({ authority_url: url }: Demo, change: object): Promise<void> {
  const response = await fetch(`${url}/control`, { method: "PUT", body: JSON.stringify(change) });
  if (!response.ok) throw new Error(await response.text());
}

/** The authority behaves from now on: all that is left goes through. */
export async function untilSubmitted(stateDir: string, demo: Demo): Promise<void> {
  await control(demo, { wait_seconds: 1 });
  const deadline = Date.now() + SETTLED_WITHIN_MS;
  let least = Number.POSITIVE_INFINITY;
  for (;;) {
    const open = openRecords(stateDir).filter(({ state }) => !/^(accepted|rejected)/.test(state));
    if (open.length === 0) return;
    if (open.length < least) goOn();
    least = Math.min(least, open.length);
    if (Date.now() > deadline) throw new Error(`${open.length} records do not come to an end`);
    await delay(1_000);
  }
}

export interface Summary {
  readonly messages: object;
  readonly misbehaviours: object;
}

export async function summaryOf({ authority_url: url }: Demo): Promise<Summary> {
  return (await fetch(`${url}/summary`)).json();
}

/** The product's messages; the schemas are the AEAT's own. */
export async function invalidMessages({ authority_url: url }: Demo): Promise<string[]> {
  const folder = process.env.AEAT_SCHEMAS || "../shared/aeat";
  if (!existsSync(join(folder, "SuministroLR.xsd"))) return [];
  process.env.AEAT_SCHEMAS = folder;
  const { xsdErrors } = await import("../support/authority/xsd.ts");
  const problems: string[] = [];
  for (let after = 0; ; ) {
    const page = (await (await fetch(`${url}/messages?after=${after}`)).json()) as {
      messages: { id: number }[];
    };
    if (page.messages.length === 0) return problems;
    for (const { id } of page.messages) {
      const xml = await (await fetch(`${url}/messages/${id}/request`)).text();
      problems.push(...xsdErrors(xml).map((error) => `message ${id}: ${error}`));
      after = Math.max(after, id);
    }
  }
}
