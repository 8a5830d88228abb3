const timer = globalThis.setTimeout;

/**
 * A single event that another request context waits for. The Workers pool switches off the hand-over of
 * promises between contexts. A continuation would run in the context that resolved it, and the reset of an
 * object from inside its own context ends workerd. So each waiting context polls.
 */
export class Signal {
  #state: "open" | "set" | Error = "open";

  set(error?: Error): void {
    if (this.#state === "open") this.#state = error ?? "set";
  }

  async wait(): Promise<void> {
    while (this.#state === "open") await new Promise((resume) => timer(resume, 1));
    if (this.#state instanceof Error) throw this.#state;
  }
}
