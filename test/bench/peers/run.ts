/** `npm run bench -- peers`: the product against floors of its runtime and against the obvious design. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { advance, begin, ownFolder, PATIENCE_OF_A_START_MS } from "../../support/progress/progress.ts";
import { benchPort } from "../local-worker.ts";
import { type Report, spreadOf } from "../report.ts";
import { checkPlain, checkProduct } from "./check.ts";
import { type Contender, type Floors, floorsOn, plainOn, productOn } from "./contender.ts";
import { expectedCents, peerBody } from "./peer-body.ts";
import { copyOf, openTenants } from "./tenants.ts";

const TENANTS = 8;
const AT_ONCE = 64;
const WARM = 40;
const PORTS = {
  ...{ product: benchPort(3), naive: benchPort(4), plain: benchPort(5), light: benchPort(10) },
  ...{ bare: benchPort(6), floor: benchPort(7) },
};

export async function peerReports(samples: number): Promise<Report[]> {
  const folder = ownFolder(mkdtempSync(join(tmpdir(), "cuadre-peers-")));
  try {
    begin(`open ${TENANTS} companies`, { patienceMs: PATIENCE_OF_A_START_MS });
    const tenants = await openTenants(join(folder, "product"), TENANTS);
    const others = copyOf(tenants, join(folder, "naive"));
    const lightOnes = copyOf(tenants, join(folder, "light"));
    const file = join(folder, "plain.db");
    const product = await productOn("product", tenants, PORTS.product);
    const naive = await productOn("naive", others, PORTS.naive, "test/bench/naive/worker.ts");
    const light = await productOn(
      "naiveWithoutAlarm",
      lightOnes,
      PORTS.light,
      "test/bench/naive/without-alarm/worker.ts",
    );
    const plain = await plainOn(file, PORTS.plain, TENANTS);
    const floors = await floorsOn(folder, PORTS, `http://127.0.0.1:${PORTS.plain}`);
    const all = [product, naive, light, plain];
    const rounds = Math.max(10, Math.ceil(samples / 10));
    const reports = [
      await alone({ product, naive, plain, floors }, samples),
      await together("64 at once, one tenant", all, rounds, () => 0),
      await together(`64 at once, ${TENANTS} tenants`, all, rounds, (at) => at % TENANTS),
    ];
    begin("compare the books with the answers");
    await floors.stop();
    for (const contender of all) await contender.kill();
    await checkProduct(product, tenants);
    await checkProduct(naive, others);
    await checkProduct(light, lightOnes);
    checkPlain(plain, file, TENANTS);
    for (const { name, acknowledged } of all)
      console.log(
        `${name}: ${acknowledged.length} acknowledged, each found after SIGKILL; no gap, none twice`,
      );
    return reports;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

let bodies = 0;

/** Compares the total with a separate calculation. */
async function issue(contender: Contender, tenant: number, index: number): Promise<void> {
  bodies += 1;
  const body = peerBody(`p-${bodies}`, index);
  const { totalCents } = await contender.issue(tenant, body);
  if (totalCents !== expectedCents(body)) {
    throw new Error(`${contender.name}: ${totalCents} cents for ${JSON.stringify(body.lines)}`);
  }
}

interface Alone {
  readonly product: Contender;
  readonly naive: Contender;
  readonly plain: Contender;
  readonly floors: Floors;
}

/** One request at a time, each contender in its turn. */
async function alone({ product, naive, plain, floors }: Alone, samples: number): Promise<Report> {
  const ways = {
    productMs: (index: number) => issue(product, 0, index),
    naiveMs: (index: number) => issue(naive, 0, index),
    plainMs: (index: number) => issue(plain, 0, index),
    floorMs: (index: number) => floors.insert(peerBody(`f-${index}`, index)),
    bareWorkerMs: () => floors.bareWorker(),
    bareNodeMs: () => floors.bareNode(),
  };
  const taken = new Map<string, number[]>(Object.keys(ways).map((name) => [name, []]));
  begin("alone", { total: WARM + samples });
  for (let sample = -WARM; sample < samples; sample++) {
    advance();
    for (const [name, way] of Object.entries(ways)) {
      const startedAt = performance.now();
      await way(sample + WARM);
      if (sample >= 0) taken.get(name)?.push(performance.now() - startedAt);
    }
  }
  const spreads = Object.fromEntries([...taken].map(([name, values]) => [name, spreadOf(values)]));
  const median = (name: string) => spreads[name]?.median ?? Number.NaN;
  const ratio = (of: string, to: string) => spreadOf([median(of) / median(to)]);
  return {
    name: "alone",
    spreads: {
      ...spreads,
      toFloor: ratio("productMs", "floorMs"),
      toPlain: ratio("productMs", "plainMs"),
    },
  };
}

async function together(
  name: string,
  contenders: readonly Contender[],
  rounds: number,
  tenantOf: (at: number) => number,
): Promise<Report> {
  const perSecond = new Map<string, number[]>(contenders.map((one) => [one.name, []]));
  begin(name, { total: rounds + 2 });
  for (let round = -2; round < rounds; round++) {
    advance();
    for (const contender of contenders) {
      const startedAt = performance.now();
      await Promise.all(
        Array.from({ length: AT_ONCE }, (_, at) =>
          issue(contender, tenantOf(at), round * AT_ONCE + at + 10_000),
        ),
      );
      if (round >= 0)
        perSecond.get(contender.name)?.push((AT_ONCE * 1_000) / (performance.now() - startedAt));
    }
  }
  const spreads = Object.fromEntries(
    [...perSecond].map(([of, values]) => [`${of}PerSecond`, spreadOf(values)]),
  );
  const median = (of: string) => spreads[`${of}PerSecond`]?.median ?? Number.NaN;
  return {
    name,
    spreads: {
      ...spreads,
      toNaive: spreadOf([median("product") / median("naive")]),
      toNaiveWithoutAlarm: spreadOf([median("product") / median("naiveWithoutAlarm")]),
      toPlain: spreadOf([median("product") / median("plain")]),
    },
  };
}
