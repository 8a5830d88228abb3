/**
 * `npm run bench -- guard`: the ratios that matter, in one run and in turns, in under three minutes. A broken
 * bound is measured twice more before the command fails. A machine that is busy with other work is judged by
 * what needs no clock only.
 */
import { createHash } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { advance, begin, ownFolder, PATIENCE_OF_A_START_MS } from "../../support/progress/progress.ts";
import { linkAgain, linkOf, pdfOf } from "../attacks/scene.ts";
import { freePort, localVars, type RunningWorker, send, startWorker } from "../local-worker.ts";
import { type Contender, productOn } from "../peers/contender.ts";
import { peerBody } from "../peers/peer-body.ts";
import { copyOf, openTenants, type Tenants } from "../peers/tenants.ts";
import { type Spread, spreadOf } from "../report.ts";
import { short } from "../tables.ts";
import { groupsFarAway } from "./group-commit.ts";
import { BOUNDS, brokenBounds, type Figures, isQuiet } from "./judgement.ts";

const TENANTS = 8;
const AT_ONCE = 64;
const TRIES = 3;
const SAMPLES = { alone: 100, rounds: 12, pairs: 7, views: 50, apart: 300 };
const SHOP_LINES = 2;
const LINKS = 8;

interface Scene {
  readonly product: Contender;
  readonly naive: Contender;
  /** The product with counted rows. */
  readonly counted: { readonly worker: RunningWorker; readonly tenants: Tenants };
  readonly floor: RunningWorker;
  readonly bare: RunningWorker;
  readonly shopKey: string;
  /** Books that no Worker has open. */
  readonly apart: Tenants;
}

interface Measured {
  readonly figures: Figures;
  readonly floorMs: Spread;
}

/** True if every bound holds. With ONLY_IF_QUIET nothing begins on a busy machine. */
export async function guard(): Promise<boolean> {
  if (process.env.ONLY_IF_QUIET === "1" && !isQuiet(equalWork())) {
    console.log("The machine is busy with other work: nothing was measured or judged.");
    return true;
  }
  const scene = await openScene(ownFolder(mkdtempSync(join(tmpdir(), "cuadre-guard-"))));
  for (let tries = 1; ; tries++) {
    const { figures, floorMs } = await measure(scene, tries);
    const quiet = isQuiet(floorMs);
    for (const [name, { least, most }] of Object.entries(BOUNDS)) {
      const bound = least === undefined ? `at most ${most}` : `at least ${least}`;
      console.log(`${name}: ${short(figures[name as keyof Figures])} (${bound})`);
    }
    if (!quiet) {
      const spread = short(floorMs.p95 / floorMs.median);
      console.log(
        `The machine is busy: the floor's p95 is ${spread} times its median. Only rows are judged.`,
      );
    }
    const broken = brokenBounds(figures, quiet);
    if (broken.length === 0) return true;
    for (const each of broken) console.error(`try ${tries} of ${TRIES}: ${each}`);
    if (tries === TRIES) return false;
  }
}

const PIECES = 300;
const HASHES = 2_000;

/** The milliseconds of equal pieces of work: a second of them shows whether the processor is shared. */
function equalWork(): Spread {
  const taken = Array.from({ length: PIECES }, () => {
    const startedAt = performance.now();
    let hash = "";
    for (let made = 0; made < HASHES; made++) hash = createHash("sha256").update(hash).digest("hex");
    return performance.now() - startedAt;
  });
  return spreadOf(taken);
}

async function openScene(folder: string): Promise<Scene> {
  begin(`open ${TENANTS} companies`, { patienceMs: PATIENCE_OF_A_START_MS });
  const tenants = await openTenants(join(folder, "product"), TENANTS, { withDemo: true });
  const others = copyOf(tenants, join(folder, "naive"));
  const countedOnes = copyOf(tenants, join(folder, "counted"));
  const apart = copyOf(tenants, join(folder, "apart"));
  const product = await productOn("product", tenants, await freePort());
  const naive = await productOn("naive", others, await freePort(), "test/bench/naive/worker.ts");
  const counted = await startWorker({
    ...{ config: "wrangler.toml", entry: "test/bench/scale/worker.ts", withOwner: true },
    ...{ port: await freePort(), state: countedOnes.state.databases, vars: localVars(countedOnes.state.dir) },
  });
  const start = async (name: string) =>
    startWorker({
      ...{ config: `test/bench/${name}/wrangler.toml`, port: await freePort(), state: join(folder, name) },
    });
  const [floor, bare] = [await start("floor"), await start("bare")];
  await linkOf(product.url, tenants.shopKey ?? "", SHOP_LINES);
  return {
    ...{ product, naive, floor, bare, apart },
    counted: { worker: counted, tenants: countedOnes },
    shopKey: tenants.shopKey ?? "",
  };
}

async function measure(scene: Scene, tries: number): Promise<Measured> {
  const { product, naive, floor, bare, apart } = scene;
  const alone = await inTurns("one at a time", SAMPLES.alone, {
    product: (at) => issue(product, 0, `a-${tries}-${at}`),
    floor: (at) => answered(floor.url, { method: "POST", body: JSON.stringify(peerBody(`f-${at}`, 0)) }),
  });
  const eight = await inTurns(`${AT_ONCE} at once, ${TENANTS} tenants`, SAMPLES.rounds, {
    product: (round) => together(product, `t-${tries}-${round}`),
    naive: (round) => together(naive, `t-${tries}-${round}`),
  });
  const links = await openLinks(scene);
  const linkAt = (sample: number) => links[Math.abs(sample) % links.length] ?? { page: "", pdf: "" };
  const views = await inTurns("views", SAMPLES.views, {
    page: (sample) => answered(linkAt(sample).page, networkOf()),
    pdf: (sample) => answered(linkAt(sample).pdf, networkOf()),
    bare: () => answered(bare.url),
  });
  begin("64 at once, 20 ms to the database", { total: SAMPLES.pairs + 1 });
  const far = await groupsFarAway(apart, SAMPLES.pairs, `g-${tries}`);
  return {
    floorMs: alone.floor,
    figures: {
      groupsFarAway: far,
      eightTenants: eight.naive.median / eight.product.median,
      aloneToFloor: alone.product.median / alone.floor.median,
      pageToConstant: views.page.median / views.bare.median,
      pdfToConstant: views.pdf.median / views.bare.median,
      rowsReadMore: await rowsReadMore(scene, tries),
    },
  };
}

interface Link {
  readonly page: string;
  readonly pdf: string;
}

/** A link is opened so often in a minute and no more, so there are several. */
async function openLinks({ product: { url }, shopKey }: Scene): Promise<readonly Link[]> {
  const links: Link[] = [];
  while (links.length < LINKS) {
    const page = await linkAgain(url, shopKey);
    links.push({ page: url + page, pdf: url + (await pdfOf(url, page)) });
  }
  return links;
}

/** Each way once in its turn; the milliseconds of each. */
async function inTurns<Name extends string>(
  what: string,
  samples: number,
  ways: Readonly<Record<Name, (sample: number) => Promise<void>>>,
): Promise<Readonly<Record<Name, Spread>>> {
  const warm = Math.ceil(samples / 5);
  begin(what, { total: warm + samples });
  const taken = Object.keys(ways).map((name) => [name as Name, [] as number[]] as const);
  for (let sample = -warm; sample < samples; sample++) {
    for (const [name, values] of taken) {
      const startedAt = performance.now();
      await ways[name](sample);
      if (sample >= 0) values.push(performance.now() - startedAt);
    }
    advance();
  }
  return Object.fromEntries(taken.map(([name, values]) => [name, spreadOf(values)])) as Record<Name, Spread>;
}

async function issue(contender: Contender, tenant: number, id: string): Promise<void> {
  await contender.issue(tenant, peerBody(id, tenant));
}

async function together(contender: Contender, name: string): Promise<void> {
  await Promise.all(
    Array.from({ length: AT_ONCE }, (_, at) => issue(contender, at % TENANTS, `${name}-${at}`)),
  );
}

async function answered(url: string, asked?: RequestInit): Promise<void> {
  const response = await send(url, asked);
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`);
}

let networks = 0;

/** Each view is a customer's own, so that no network has too many. */
function networkOf(): RequestInit {
  networks += 1;
  return { headers: { "CF-Connecting-IP": `2001:db8:${networks.toString(16)}::1` } };
}

/** The same call on the same connection, before and after some hundred invoices. */
async function rowsReadMore({ counted: { worker, tenants } }: Scene, tries: number): Promise<number> {
  begin("rows read", { total: SAMPLES.apart });
  const read: number[] = [];
  for (let made = 0; made < SAMPLES.apart; made++) {
    const response = await send(`${worker.url}/api/v1/invoice`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-API-KEY": tenants.connections[0]?.key ?? "" },
      body: JSON.stringify(peerBody(`r-${tries}-${made}`, 1)),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status} ${text}`);
    read.push(JSON.parse(response.headers.get("X-D1") ?? "").read);
    advance();
  }
  // The first calls load the connection and open its series.
  return (read.at(-1) ?? Number.NaN) - (read[5] ?? Number.NaN);
}
