/** Every call on two states: what it takes of D1, and how long it lasts, one state after the other in turn. */
import { type Spread, spreadOf } from "../report.ts";
import type { Call, Turn } from "./call.ts";
import type { Answer, Scene, Spent } from "./scene.ts";

export interface Measured {
  readonly call: Call;
  readonly few: Taken;
  readonly many: Taken;
}

export interface Taken {
  readonly spent: Spent;
  readonly tookMs: Spread;
}

/** Before anything is counted: routes are loaded, pages of the file are in memory. */
const WARM = 2;

let turns = 0;

export async function measure(call: Call, few: Scene, many: Scene, samples: number): Promise<Measured> {
  const count = Math.min(samples, call.most ?? samples);
  const isScarce = call.most !== undefined && call.most < WARM;
  const scenes = [few, many] as const;
  for (let warm = 0; warm < (isScarce ? 0 : WARM); warm++)
    for (const scene of scenes) await once(call, scene, warm);
  const spent = [await counted(call, few), await counted(call, many)] as const;
  const taken: readonly [number[], number[]] = [[], []];
  for (let sample = 0; sample < count; sample++)
    for (const [at, scene] of scenes.entries()) taken[at]?.push((await once(call, scene, sample)).tookMs);
  return {
    call,
    few: { spent: spent[0], tookMs: spreadOf(taken[0]) },
    many: { spent: spent[1], tookMs: spreadOf(taken[1]) },
  };
}

async function counted(call: Call, scene: Scene): Promise<Spent> {
  return (await once(call, scene, 0, true)).spent;
}

async function once(call: Call, scene: Scene, index: number, isCounted = false): Promise<Answer> {
  turns += 1;
  const at = Date.now();
  const turn: Turn = { ...scene, at, n: `b${at.toString(36)}-${turns}`, index };
  await call.before?.(turn);
  const answer = await scene.ask(await call.ask(turn), isCounted);
  if (answer.status !== call.status) {
    throw new Error(`${call.name} answered ${answer.status}: ${answer.text.slice(0, 1_000)}`);
  }
  return answer;
}
