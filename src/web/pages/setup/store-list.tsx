import { useId, useState } from "react";
import { Checkbox } from "../../parts/choices.tsx";
import { FieldError } from "../../parts/fields.tsx";
import { useNewer } from "../../parts/newer.tsx";
import { wholeShares } from "../../parts/shares.ts";
import { count, share } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import styles from "./setup.module.css";
import { type ConnectionPlace, type Setup, setupKey } from "./setup.ts";

type Store = Setup["stores"][number];

interface StoreListProps {
  readonly setup: Setup;
  readonly isAll: boolean;
  readonly ticked: ReadonlySet<string>;
  readonly tick: (ticked: ReadonlySet<string>) => void;
  /** Why the choice cannot be saved. */
  readonly problem?: string | undefined;
}

/** Shops by their volume of orders, as bars. */
export function StoreList({ setup, isAll, ticked, tick, problem }: StoreListProps) {
  const say = useWords();
  const stores = setup.stores.toSorted((a, b) => volumeOf(b) - volumeOf(a));
  const most = Math.max(1, ...stores.map(volumeOf));
  const all = stores.reduce((sum, store) => sum + volumeOf(store), 0);
  const shares = wholeShares(stores.map(volumeOf));
  function change(id: string, isTicked: boolean) {
    const next = new Set(ticked);
    if (isTicked) next.add(id);
    else next.delete(id);
    tick(next);
  }
  return (
    <ul
      className={styles.stores}
      data-error={problem !== undefined || undefined}
      {...(problem === undefined ? {} : { "aria-describedby": "stores-error" })}
    >
      {problem !== undefined && (
        <li className={styles.storesError} id="stores-error">
          <FieldError>{problem}</FieldError>
        </li>
      )}
      <li className={styles.headRow} aria-hidden>
        <span />
        <span>{say("step2.column.store")}</span>
        <span />
        <span className="num">{say("step2.column.orders")}</span>
        <span className="num">{say("step2.column.share")}</span>
      </li>
      {stores.map((store, index) => (
        <StoreRow
          key={store.id}
          store={store}
          isChosen={isAll || ticked.has(store.id)}
          isFixed={isAll}
          widthPercent={(100 * volumeOf(store)) / most}
          share={share(volumeOf(store), all, shares[index] ?? 0)}
          onChange={(isTicked) => change(store.id, isTicked)}
        />
      ))}
    </ul>
  );
}

interface StoreRowProps {
  readonly store: Store;
  readonly isChosen: boolean;
  readonly isFixed: boolean;
  readonly widthPercent: number;
  readonly share: string;
  readonly onChange: (isTicked: boolean) => void;
}

function StoreRow({ store, isChosen, isFixed, widthPercent, share: part, onChange }: StoreRowProps) {
  const id = useId();
  return (
    <li>
      <Checkbox
        id={id}
        checked={isChosen}
        disabled={isFixed}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label htmlFor={id}>
        {store.name ?? store.id}
        {store.url !== undefined && <span>{store.url.replace(/^https?:\/\//, "")}</span>}
      </label>
      <div className={styles.volume} data-chosen={isChosen || undefined} aria-hidden>
        <i style={{ width: `${widthPercent}%` }} />
      </div>
      <span className="num">{store.ordersCount === undefined ? "—" : count(store.ordersCount)}</span>
      <span className={`num muted ${styles.share}`}>{part}</span>
    </li>
  );
}

function volumeOf({ ordersCount }: Store): number {
  return ordersCount ?? 0;
}

/** The stores chosen before; at first all with orders, because the owner most likely means them. */
function chosenOf({ setup, stores }: Setup): ReadonlySet<string> {
  if (setup.storeIds === null)
    return new Set(stores.filter((store) => volumeOf(store) > 0).map(({ id }) => id));
  if (setup.storeIds === "") return new Set(stores.map(({ id }) => id));
  return new Set(setup.storeIds.split(","));
}

export function sumOf(
  { stores }: Setup,
  isAll: boolean,
  ticked: ReadonlySet<string>,
  format: (value: number) => string,
) {
  const chosen = isAll ? stores : stores.filter(({ id }) => ticked.has(id));
  const orders = (of: readonly Store[]) => format(of.reduce((sum, store) => sum + volumeOf(store), 0));
  return { n: chosen.length, total: stores.length, orders: orders(chosen), all_orders: orders(stores) };
}

interface Chosen {
  readonly isAll: boolean;
  readonly ids: readonly string[];
}

/** The ticked stores, starting from the current choice. */
export function useStoreChoice(setup: Setup, place: ConnectionPlace) {
  const say = useWords();
  const saved = chosenIn(setup);
  const [typed, setTyped] = useState<Chosen>(saved);
  const newer = useNewer<Chosen>({
    read: { version: setup.versions.stores, values: saved },
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
