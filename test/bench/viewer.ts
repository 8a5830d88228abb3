/** Customers' views through HTTP: access, page and PDF, alternating with a Worker that answers a constant. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEMO_ORDER_ID } from "../../src/dev/demo-orders.ts";
import { type Demo, startLocalServer } from "../support/browser/local-server.ts";
import { advance, begin, ownFolder, PATIENCE_OF_A_START_MS } from "../support/progress/progress.ts";
import { benchPort, localVars, startWorker } from "./local-worker.ts";
import { type Report, spreadOf } from "./report.ts";

const [PRODUCT_PORT, BARE_PORT] = [benchPort(8), benchPort(9)];
const WARM = 50;

/**
 * The demo data as `npm start` makes them, then without wrangler's proxy, like the Worker it is compared
 * with.
 */
export async function viewerReports(samples: number): Promise<Report[]> {
  begin("start the product", { patienceMs: PATIENCE_OF_A_START_MS });
  const local = await startLocalServer();
  ownFolder(local.stateDir);
  const state = ownFolder(mkdtempSync(join(tmpdir(), "cuadre-bare-")));
  try {
    await local.kill();
    const product = await startWorker({
      ...{ config: "wrangler.toml", port: PRODUCT_PORT, vars: localVars(local.stateDir) },
      state: join(local.stateDir, "wrangler"),
    });
    const bare = await startWorker({ config: "test/bench/bare/wrangler.toml", port: BARE_PORT, state });
    const report = await looks({ ...local.demo, api_url: product.url }, bare.url, samples);
    for (const { stop } of [product, bare]) await stop();
    return [report];
  } finally {
    await local.close();
    rmSync(state, { recursive: true, force: true });
  }
}

/** Every look has a URL of its own, as every customer has. */
async function looks(demo: Demo, bareUrl: string, samples: number): Promise<Report> {
  const figures = { accessMs: [], pageMs: [], pdfMs: [], bareMs: [] } as Record<Figure, number[]>;
  begin("access, page, PDF and a constant", { total: WARM + samples });
  for (let sample = -WARM; sample < samples; sample++) {
    advance();
    const access = await timed(`${demo.api_url}/api/v1/order/invoice-access`, askedBy(demo));
    const { pathname } = new URL(JSON.parse(access.text).data.viewer_url);
    const page = await timed(demo.api_url + pathname);
    const [, pdf = ""] = /href="(\/v\/[^"]+\.pdf)"/.exec(page.text) ?? [];
    const download = await timed(demo.api_url + pdf);
    const bare = await timed(bareUrl);
    if (sample < 0) continue;
    figures.accessMs.push(access.tookMs);
    figures.pageMs.push(page.tookMs);
    figures.pdfMs.push(download.tookMs);
    figures.bareMs.push(bare.tookMs);
  }
  const bareMedian = spreadOf(figures.bareMs).median;
  const ratioOf = (figure: Figure) => spreadOf([spreadOf(figures[figure]).median / bareMedian]);
  return {
    name: "access, page and PDF against a constant",
    spreads: {
      accessMs: spreadOf(figures.accessMs),
      pageMs: spreadOf(figures.pageMs),
      pdfMs: spreadOf(figures.pdfMs),
      bareMs: spreadOf(figures.bareMs),
      pageRatio: ratioOf("pageMs"),
      pdfRatio: ratioOf("pdfMs"),
    },
  };
}

type Figure = "accessMs" | "pageMs" | "pdfMs" | "bareMs";

function askedBy({ connections }: Demo): RequestInit {
  return {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-API-KEY": connections.commerce.key },
    body: JSON.stringify({ order_id: DEMO_ORDER_ID, presentation: "link" }),
  };
}

let networks = 0;

/** Each look is of a customer of its own, so that no network has too many. */
async function timed(url: string, asked: RequestInit = {}) {
  const startedAt = performance.now();
  const network = { "CF-Connecting-IP": `2001:db8:${(networks++).toString(16)}::1` };
  const response = await fetch(url, { ...asked, headers: { ...asked.headers, ...network } });
  const text = await response.text();
  const tookMs = performance.now() - startedAt;
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  return { text, tookMs };
}
