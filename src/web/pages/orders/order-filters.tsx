import { Button, Drawer } from "@mantine/core";
import { useDebouncedCallback, useMediaQuery } from "@mantine/hooks";
import { IconAdjustmentsHorizontal, IconSearch } from "@tabler/icons-react";
import { type ReactNode, useEffect, useState } from "react";
import { useCompany } from "../../app/session.tsx";
import { fieldName, Select, TextInput } from "../../parts/fields.tsx";
import { DayRange } from "../../parts/filters/day-range.tsx";
import { dayChips, FilterChips } from "../../parts/filters/filter-chips.tsx";
import { type Days, daysOf } from "../../parts/filters/ranges.ts";
import { Loading } from "../../parts/states.tsx";
import { useWords } from "../../words/words.tsx";
import type { useAddress } from "./address.ts";
import { ConnectionFilter } from "./connection-filter.tsx";
import own from "./orders.module.css";
import { usePlaces } from "./queries.ts";
import { ORDER_STATES, stateWord } from "./shown.ts";

type Address = ReturnType<typeof useAddress>;

const TYPING_MS = 300;

/** Above the list; on a phone all but the search is in a drawer. */
export function OrderFilters({ address }: { readonly address: Address }) {
  const { isPending } = usePlaces();
  return (
    <div className={own.filters}>
      <SearchField address={address} />
      <InDrawer
        count={countOf(address, ["state", "connection", "store", "month", "from", "to"])}
        isPending={isPending}
      >
        {(isLabelled) => (
          <>
            <StateFilter address={address} isLabelled={isLabelled} />
            <PlaceFilters address={address} isLabelled={isLabelled} />
            <div className={own.range}>
              <DayRange
                days={daysIn(address)}
                onChange={(days) => address.set({ ...days, month: "" })}
                isLabelled={isLabelled}
              />
            </div>
          </>
        )}
      </InDrawer>
    </div>
  );
}

function countOf(address: Address, names: readonly string[]): number {
  return names.filter((name) => address.value(name) !== "").length;
}

interface InDrawerProps {
  readonly count: number;
  /** A choice is still to come: it would move the fields of the drawer away under a finger. */
  readonly isPending: boolean;
  /** In the drawer each field has its name above it, in the row inside. */
  readonly children: (isLabelled: boolean) => ReactNode;
}

/** Side by side if there is room; otherwise in a drawer with one button. */
function InDrawer({ count, isPending, children }: InDrawerProps) {
  const say = useWords();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <div className={own.wideFilters}>{children(false)}</div>
      <Button
        className={own.filtersButton}
        variant="default"
        leftSection={<IconAdjustmentsHorizontal size={18} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {say("filters")}
        {count > 0 ? ` (${count})` : ""}
      </Button>
      <Drawer
        opened={isOpen}
        onClose={() => setOpen(false)}
        closeButtonProps={{ "aria-label": say("close") }}
        position="bottom"
        size="auto"
        title={say("filters")}
      >
        <div className="stack">
          {isPending ? <Loading rows={4} /> : children(true)}
          <Button onClick={() => setOpen(false)}>{say("close")}</Button>
        </div>
      </Drawer>
    </>
  );
}

function SearchField({ address }: { readonly address: Address }) {
  const say = useWords();
  const searched = address.value("text");
  const isNarrow = useMediaQuery("(max-width: 719px)", undefined, { getInitialValueInEffect: false });
  const [text, setText] = useState(searched);
  useEffect(() => setText((before) => (before.trim() === searched ? before : searched)), [searched]);
  const search = useDebouncedCallback((typed: string) => address.filter("text", typed.trim()), TYPING_MS);
  return (
    <TextInput
      className={own.search}
      type="search"
      aria-label={say("orders.search")}
      placeholder={say(isNarrow ? "orders.search.short" : "orders.search")}
      leftSection={<IconSearch size={18} aria-hidden />}
      value={text}
      onChange={({ currentTarget: { value } }) => {
        setText(value);
        search(value);
      }}
    />
  );
}

interface FieldProps {
  readonly address: Address;
  readonly isLabelled: boolean;
}

function StateFilter({ address, isLabelled }: FieldProps) {
  const say = useWords();
  const data = ORDER_STATES.map((state) => ({ value: state, label: stateWord(state, say) }));
  return (
    <Select
      {...fieldName(say("orders.filter.state"), isLabelled)}
      data={[{ value: "", label: say("orders.all.states") }, ...data]}
      value={address.value("state")}
      allowDeselect={false}
      onChange={(value) => address.filter("state", value ?? "")}
    />
  );
}

/** Connections, and the stores of the selected one. */
function PlaceFilters({ address, isLabelled }: FieldProps) {
  const say = useWords();
  const chosen = address.value("connection");
  const { data: places } = usePlaces(chosen);
  if (!places) return null;
  const stores = places.stores.filter(({ connectionId }) => chosen === "" || connectionId === chosen);
  const ids = [...new Map(stores.map(({ storeId, name }) => [storeId, name ?? storeId]))];
  return (
    <>
      <ConnectionFilter address={address} isLabelled={isLabelled} />
      {ids.length > 1 && (
        <Select
          {...fieldName(say("orders.filter.store"), isLabelled)}
          data={[
            { value: "", label: say("orders.all.stores") },
            ...ids.map(([value, label]) => ({ value, label })),
          ]}
          value={address.value("store")}
          allowDeselect={false}
          onChange={(value) => address.filter("store", value ?? "")}
        />
      )}
    </>
  );
}

/** The days of the address; a month is its first and its last day. */
function daysIn(address: Address): Days {
  const month = address.value("month");
  if (/^\d{4}-\d{2}$/.test(month)) return daysOf("this_month", `${month}-01`);
  return { from: address.value("from"), to: address.value("to") };
}

/** What the orders are filtered by. */
export function SetOrderFilters({ address }: { readonly address: Address }) {
  const say = useWords();
  const { account } = useCompany();
  const { data: places } = usePlaces(address.value("connection"));
  const named = (id: string, name: string, value: string | undefined) =>
    value && address.value(id) !== ""
      ? [{ id, text: say("filter.chip", { name, value }), remove: () => address.filter(id, "") }]
      : [];
  const state = ORDER_STATES.find((one) => one === address.value("state"));
  const connection = places?.connections.find(({ id }) => id === address.value("connection"))?.name;
  const store = places?.stores.find(({ storeId }) => storeId === address.value("store"));
  const set = [
    ...named("text", say("filter.search"), address.value("text")),
    ...dayChips(
      {
        days: daysIn(address),
        timeZone: account.timeZone,
        change: (days) => address.set({ ...days, month: "" }),
      },
      say,
    ),
    ...named("state", say("orders.filter.state"), state && stateWord(state, say)),
    ...named("connection", say("orders.filter.connection"), connection),
    ...named("store", say("orders.filter.store"), store?.name ?? store?.storeId),
  ];
  return <FilterChips set={set} clear={address.clear} />;
}
