import { useState } from "react";
import { useNewer } from "../../parts/newer.tsx";
import { useWords } from "../../words/words.tsx";
import { type ConnectionPlace, type Setup, setupKey } from "./setup.ts";
import { chosenOf } from "./store-list.tsx";

interface Chosen {
  readonly isAll: boolean;
  readonly ids: readonly string[];
}

/** The ticked stores, starting from the current choice. */
export function useStoreChoice(setup: Setup, place: ConnectionPlace) {
  const say = useWords();
  const standing = chosenIn(setup);
  const [typed, setTyped] = useState<Chosen>(standing);
  const newer = useNewer<Chosen>({
    read: { version: setup.versions.stores, values: standing },
    ...{ typed, take: setTyped, readAgain: setupKey(place) },
  });
  const namesIn = ({ isAll, ids }: Chosen) =>
    isAll ? say("step2.all") : ids.map((id) => nameOf(setup, id)).join(", ") || "—";
  const { before } = newer;
  return {
    isAll: typed.isAll,
    ticked: new Set(typed.ids),
    setAll: (isAll: boolean) => setTyped({ ...typed, isAll }),
    tick: (ids: ReadonlySet<string>) => setTyped({ ...typed, ids: [...ids].sort() }),
    newer,
    bodyOf: (version: string) => ({
      store_ids: typed.isAll ? ("all" as const) : [...typed.ids],
      version,
    }),
    changes: before
      ? [{ what: say("step2.which"), before: namesIn(before), after: namesIn(newer.base.values) }]
      : [],
  };
}

function chosenIn(setup: Setup): Chosen {
  return { isAll: setup.setup.storeIds === "", ids: [...chosenOf(setup)].sort() };
}

function nameOf({ stores }: Setup, id: string): string {
  return stores.find((store) => store.id === id)?.name ?? id;
}
