/**
 * How far a long command is. The command reports its steps and its process groups to its watcher
 * (`watch.ts`), which prints them, ends a command that stands still, and leaves no process behind.
 */

export type Told =
  /** A step begins. It may stand still for `patienceMs`, if that is longer than usual. */
  | { readonly begins: string; readonly total?: number; readonly patienceMs?: number }
  /** So much of the step is done. */
  | { readonly done: number }
  /** Something went on, but it is not known how much. */
  | { readonly goesOn: true }
  /** A process group that must not outlive the command. */
  | { readonly group: number }
  /** A folder that must not outlive the command. */
  | { readonly folder: string };

/** Starts of a product, and calls of wrangler, are silent for long on a busy machine. */
export const PATIENCE_OF_A_START_MS = 300_000;

const LEAST_PAUSE_MS = 500;
let [done, total, toldAt] = [0, 0, 0];

/** Without a watcher nothing is reported. */
function tell(told: Told): void {
  if (process.connected) process.send?.(told);
}

export function begin(what: string, of?: { readonly total?: number; readonly patienceMs?: number }): void {
  [done, total, toldAt] = [0, of?.total ?? 0, 0];
  tell({ begins: what, ...of });
}

/** Seldom reported, so that it disturbs no measurement. */
export function advance(count = 1): void {
  done += count;
  const now = performance.now();
  if (done !== total && now - toldAt < LEAST_PAUSE_MS) return;
  toldAt = now;
  tell({ done });
}

export function goOn(): void {
  const now = performance.now();
  if (now - toldAt < LEAST_PAUSE_MS) return;
  toldAt = now;
  tell({ goesOn: true });
}

export function ownGroup(leader: number | undefined): void {
  if (leader !== undefined) tell({ group: leader });
}

export function ownFolder(path: string): string {
  tell({ folder: path });
  return path;
}

const MARK = "PROGRESS ";

/** A step inside a runtime, which has no watcher: lines of its output, for `relay`. Returns its `advance`. */
export function beginInRuntime(begins: string, of: number): () => void {
  const print = (told: Told) => console.log(MARK + JSON.stringify(told));
  let [made, printedAt] = [0, performance.now()];
  print({ begins, total: of });
  return () => {
    made += 1;
    const now = performance.now();
    if (made !== of && now - printedAt < LEAST_PAUSE_MS) return;
    printedAt = now;
    print({ done: made });
  };
}

/** Passes such lines of an output on; other output shows that something goes on. */
export function relay(): (text: string) => void {
  let open = "";
  return (text) => {
    const lines = (open + text).split("\n");
    open = lines.pop() ?? "";
    const marked = lines.filter((line) => line.includes(MARK));
    for (const line of marked) tell(JSON.parse(line.slice(line.indexOf(MARK) + MARK.length)));
    if (marked.length === 0) goOn();
  };
}
