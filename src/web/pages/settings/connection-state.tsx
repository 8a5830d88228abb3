import { StateMark } from "../../parts/state-mark.tsx";
import { useWords } from "../../words/words.tsx";
import { platformTitle } from "../setup/platforms.ts";

interface ConnectionStateProps {
  readonly kind: string;
  readonly setup: { readonly state: "pending_inventory" | "pending_configuration" | "configured" };
  readonly consent: "none" | "given" | "withdrawn";
}

/** The state of a connection: its first open step. */
export function ConnectionState({ kind, setup, consent }: ConnectionStateProps) {
  const say = useWords();
  if (kind !== "commerce" && kind !== "api" && kind !== "console") {
    return <StateMark tone="none">{say("conn.state.unused")}</StateMark>;
  }
  if (setup.state === "pending_inventory") {
    return <StateMark tone="waiting">{say("setup.pending_inventory")}</StateMark>;
  }
  if (setup.state === "pending_configuration") {
    return <StateMark tone="decide">{say("setup.pending_configuration")}</StateMark>;
  }
  if (consent === "given") return <StateMark tone="done">{say("conn.state.on")}</StateMark>;
  return <StateMark tone="decide">{say(`conn.state.${consent}`)}</StateMark>;
}

/** Platform or kind, in the words of people. */
export function useKindName() {
  const say = useWords();
  return (kind: string, platform: string | undefined) => {
    if (kind === "api") return say("conn.kind.api");
    if (kind === "console") return say("conn.kind.console");
    if (kind === "accounting") return say("conn.kind.accounting");
    if (kind !== "commerce") return say("conn.kind.other", { kind });
    return platformTitle(platform) ?? say("conn.kind.commerce");
  };
}

/** "more than" if the count stops at a limit. */
export function useCounted() {
  const say = useWords();
  return (orders: number, format: (value: number) => string) =>
    orders > MOST_COUNTED ? say("conn.more_than", { n: format(MOST_COUNTED) }) : format(orders);
}

const MOST_COUNTED = 1_000;
