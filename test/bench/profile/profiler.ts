/** Profiles of the isolates of a local runtime, over the DevTools protocol. */

export interface FunctionTime {
  readonly where: string;
  readonly selfMs: number;
}

export interface IsolateProfile {
  /** Most time first. */
  readonly functions: readonly FunctionTime[];
  readonly busyMs: number;
}

export interface Profiler {
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<IsolateProfile>;
}

interface Target {
  readonly title: string;
  readonly webSocketDebuggerUrl: string;
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: {
    readonly functionName: string;
    readonly url: string;
    readonly lineNumber: number;
  };
}

interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const NOT_BUSY = new Set(["(idle)", "(program)", "(root)"]);

export async function profilersOf(port: number): Promise<readonly Profiler[]> {
  const listed = await fetch(`http://127.0.0.1:${port}/json`);
  const targets = (await listed.json()) as readonly Target[];
  return Promise.all(targets.map(profilerOf));
}

async function profilerOf({ title, webSocketDebuggerUrl }: Target): Promise<Profiler> {
  const socket = new WebSocket(webSocketDebuggerUrl);
  await new Promise((open, failed) => {
    socket.addEventListener("open", open, { once: true });
    socket.addEventListener("error", failed, { once: true });
  });
  const waiting = new Map<number, (result: unknown) => void>();
  socket.addEventListener("message", ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { readonly id?: number; readonly result?: unknown };
    if (id !== undefined) waiting.get(id)?.(result);
  });
  let asked = 0;
  const ask = (method: string, params: object = {}) =>
    new Promise<unknown>((answered) => {
      asked += 1;
      waiting.set(asked, answered);
      socket.send(JSON.stringify({ id: asked, method, params }));
    });
  return {
    name: title,
    async start() {
      await ask("Profiler.enable");
      await ask("Profiler.setSamplingInterval", { interval: 250 });
      await ask("Profiler.start");
    },
    async stop() {
      const { profile } = (await ask("Profiler.stop")) as { readonly profile: CpuProfile };
      socket.close();
      return summedUp(profile);
    },
  };
}

function summedUp({ nodes, samples, timeDeltas }: CpuProfile): IsolateProfile {
  const byId = new Map(nodes.map((node) => [node.id, node.callFrame]));
  const selfMs = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const frame = byId.get(id);
    if (!frame || NOT_BUSY.has(frame.functionName)) continue;
    const where = `${frame.functionName || "(anonymous)"} ${frame.url.split("/").at(-1)}:${frame.lineNumber + 1}`;
    selfMs.set(where, (selfMs.get(where) ?? 0) + (timeDeltas[index] ?? 0) / 1_000);
  }
  const functions = [...selfMs].map(([where, ms]) => ({ where, selfMs: ms }));
  return {
    functions: functions.sort((a, b) => b.selfMs - a.selfMs),
    busyMs: functions.reduce((sum, one) => sum + one.selfMs, 0),
  };
}
