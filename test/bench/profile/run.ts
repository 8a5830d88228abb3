/** `npm run bench -- profile`: where the processor goes while 64 invoices come at once, by function and isolate. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { advance, begin, ownFolder, PATIENCE_OF_A_START_MS } from "../../support/progress/progress.ts";
import { processorMsOf } from "../attacks/processor.ts";
import { freePort, localVars, send, startWorker } from "../local-worker.ts";
import { peerBody } from "../peers/peer-body.ts";
import { openTenants } from "../peers/tenants.ts";
import { profilersOf } from "./profiler.ts";

const ROUNDS = Number(process.env.ROUNDS || 15);
const AT_ONCE = Number(process.env.AT_ONCE || 64);
const TENANTS = Number(process.env.TENANTS || 8);
const ENTRY = process.env.ENTRY || "src/worker.ts";
const LINES = Number(process.env.LINES || 25);

export async function profile(): Promise<void> {
  const folder = ownFolder(mkdtempSync(join(tmpdir(), "cuadre-profile-")));
  begin(`open ${TENANTS} companies`, { patienceMs: PATIENCE_OF_A_START_MS });
  const { state, connections } = await openTenants(join(folder, "product"), TENANTS);
  const [port, inspectorPort] = [await freePort(), await freePort()];
  const worker = await startWorker({
    ...{ config: "wrangler.toml", entry: ENTRY, port, inspectorPort },
    ...{ state: state.databases, vars: localVars(state.dir) },
  });
  const issue = async (at: number, id: string) => {
    const response = await send(`${worker.url}/api/v1/invoice`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-API-KEY": connections[at % TENANTS]?.key ?? "" },
      body: JSON.stringify(peerBody(id, at)),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status} ${text}`);
  };
  const round = (name: string) =>
    Promise.all(Array.from({ length: AT_ONCE }, (_, at) => issue(at, `${name}-${at}`)));
  for (let warm = 0; warm < 5; warm++) await round(`warm-${warm}`);
  const profilers = await profilersOf(inspectorPort);
  begin("profiled rounds", { total: ROUNDS });
  for (const { start } of profilers) await start();
  const before = processorMsOf(worker.group);
  const startedAt = performance.now();
  for (let made = 0; made < ROUNDS; made++) {
    await round(`round-${made}`);
    advance();
  }
  const invoices = ROUNDS * AT_ONCE;
  const tookMs = performance.now() - startedAt;
  const processorMs = processorMsOf(worker.group) - before;
  console.log(
    `${ENTRY}, ${TENANTS} tenants, ${AT_ONCE} at once: ${(tookMs / invoices).toFixed(2)} ms an invoice by the clock,`,
  );
  console.log(
    `${(processorMs / invoices).toFixed(2)} ms of the processor (runtime, its proxy and what serves it)`,
  );
  for (const { name, stop } of profilers) {
    const { functions, busyMs } = await stop();
    console.log(`\n${name}: ${(busyMs / invoices).toFixed(3)} ms an invoice`);
    for (const { where, selfMs } of functions.slice(0, LINES)) {
      console.log(
        `  ${(selfMs / invoices).toFixed(4)} ms ${((100 * selfMs) / busyMs).toFixed(1).padStart(5)} %  ${where}`,
      );
    }
  }
  await worker.stop();
}
