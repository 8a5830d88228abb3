import { Button } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useState } from "react";
import { STATUS_MEANINGS } from "../../../domain/shop/presets.ts";
import { answer } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { Select, TextInput } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { NewerNotice, useNewer } from "../../parts/newer.tsx";
import { Section } from "../../parts/page-head.tsx";
import { problemsByField, useSave } from "../../parts/save.ts";
import { count } from "../../words/format.ts";
import { isWord, type Say, useWords } from "../../words/words.tsx";
import { useConnectionPlace } from "../setup/setup.ts";
import { ofShop, type Shop, shopKey } from "./queries.ts";
import styles from "./shop.module.css";

type Meaning = (typeof STATUS_MEANINGS)[number];
/** By the shop's own status; absent while nobody has decided. */
type Chosen = Readonly<Record<string, Meaning>>;
type Status = Shop["statuses"][number];

function chosenIn(statuses: readonly Status[]): Chosen {
  return Object.fromEntries(statuses.flatMap(({ status, means }) => (means ? [[status, means]] : [])));
}

/** The name by which people know a status: the shop's own, or the platform's. */
export function statusName({ status, name }: Pick<Status, "status" | "name">, say: Say): string {
  if (name) return name;
  const id = `shop.status.${status}`;
  return isWord(id) ? say(id) : status;
}

/** What an order does in each status of the shop, with the orders that are in it now. */
export function StatusesCard({ shop }: { readonly shop: Shop }) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  const unmapped = shop.statuses.filter(({ means }) => means === null);
  return (
    <Section title={say("shop.statuses")} flush>
      <div className={`${styles.pad} stack`}>
        <p className={styles.lead}>{say("shop.statuses.lead")}</p>
        {unmapped.length > 0 && (
          <div className={styles.notice} role="status">
            <IconAlertTriangle size={20} aria-hidden />
            <p>{say("shop.statuses.unmapped", { n: unmapped.length })}</p>
          </div>
        )}
      </div>
      {isReadOnly ? <StatusList statuses={shop.statuses} /> : <StatusForm shop={shop} />}
    </Section>
  );
}

function StatusList({ statuses }: { readonly statuses: readonly Status[] }) {
  const say = useWords();
  return (
    <Rows
      statuses={statuses}
      cell={({ means }) => <span>{say(means ? `shop.means.${means}` : "shop.means.unmapped")}</span>}
    />
  );
}

interface RowsProps {
  readonly statuses: readonly Status[];
  readonly cell: (status: Status) => React.ReactNode;
}

function Rows({ statuses, cell }: RowsProps) {
  const say = useWords();
  if (statuses.length === 0) return <p className={`${styles.pad} muted`}>{say("shop.statuses.empty")}</p>;
  return (
    <ul className={styles.statuses}>
      <li className={styles.headRow} aria-hidden>
        <span>{say("shop.statuses.column.status")}</span>
        <span>{say("shop.statuses.column.means")}</span>
        <span className="num">{say("shop.statuses.column.orders")}</span>
      </li>
      {statuses.map((status) => (
        <li key={status.status}>
          <div>
            {statusName(status, say)}
            {statusName(status, say) !== status.status && <span className="code">{status.status}</span>}
          </div>
          {cell(status)}
          <span className="num">
            <span className="hidden">{say("shop.statuses.column.orders")}: </span>
            {count(status.orders)}
          </span>
        </li>
      ))}
    </ul>
  );
}

function StatusForm({ shop }: { readonly shop: Shop }) {
  const say = useWords();
  const place = useConnectionPlace();
  const [chosen, setChosen] = useState<Chosen>(chosenIn(shop.statuses));
  const [problem, setProblem] = useState("");
  const newer = useNewer<Chosen>({
    read: { version: shop.versions.statuses, values: chosenIn(shop.statuses) },
    typed: chosen,
    take: setChosen,
    readAgain: shopKey(place),
  });
  const save = useSave({
    send: () =>
      newer.send((version) =>
        answer(
          ofShop.statuses.$put({
            param: place,
            json: {
              statuses: Object.entries(chosen).map(([status, means]) => ({ status, means })),
              version,
            },
          }),
        ),
      ),
    refresh: [shopKey(place)],
    said: say("shop.statuses.saved"),
    onSaved: () => {
      setProblem("");
      newer.saved();
    },
    onRefused: (error) =>
      setProblem(newer.isRefusedBy(error) ? "" : (Object.values(problemsByField(error, say))[0] ?? "")),
  });
  const listed = withAdded(shop.statuses, chosen);
  const moved = listed.filter(({ status, means }) => (chosen[status] ?? null) !== means);
  const options = STATUS_MEANINGS.map((value) => ({ value, label: say(`shop.means.${value}`) }));
  return (
    <>
      <div className={styles.pad}>
        <NewerNotice newer={newer} changes={changesOf(newer, listed, say)} />
      </div>
      <Rows
        statuses={listed}
        cell={(status) => (
          <Select
            aria-label={say("shop.statuses.means", { status: statusName(status, say) })}
            data={options}
            placeholder={say("shop.means.unmapped")}
            allowDeselect={false}
            value={chosen[status.status] ?? null}
            onChange={(value) => {
              const means = STATUS_MEANINGS.find((one) => one === value);
              if (means) setChosen({ ...chosen, [status.status]: means });
            }}
          />
        )}
      />
      <AddStatus
        isKnown={(status) => listed.some((one) => one.status === status)}
        add={(status, means) => setChosen({ ...chosen, [status]: means })}
      />
      {(newer.isDirty || problem !== "") && (
        <div className={styles.foot}>
          {problem && (
            <p className={styles.problem} role="alert">
              {problem}
            </p>
          )}
          <span className="muted small" aria-live="polite">
            {say("shop.statuses.changed", {
              n: moved.length,
              orders: moved.reduce((sum, { orders }) => sum + orders, 0),
            })}
          </span>
          <div className="row end">
            <Button variant="subtle" color="gray" onClick={() => setChosen(newer.base.values)}>
              {say("cancel")}
            </Button>
            <Button loading={save.isPending} onClick={() => save.mutate(undefined)}>
              {say("shop.statuses.save")}
            </Button>
          </div>
        </div>
      )}
    </>
  );
}

/** Statuses that the owner has just added stand behind those that are known. */
function withAdded(statuses: readonly Status[], chosen: Chosen): readonly Status[] {
  const known = new Set(statuses.map(({ status }) => status));
  const added = Object.keys(chosen).filter((status) => !known.has(status));
  const undecidedFirst = statuses.toSorted(
    (a, b) => Number(a.means !== null) - Number(b.means !== null) || b.orders - a.orders,
  );
  return [...undecidedFirst, ...added.map((status) => ({ status, name: null, means: null, orders: 0 }))];
}

interface Moved {
  readonly before: Chosen | undefined;
  readonly base: { readonly values: Chosen };
}

/** What another person has changed meanwhile. */
function changesOf({ before, base }: Moved, listed: readonly Status[], say: Say) {
  if (!before) return [];
  const text = (means: Meaning | undefined) => say(means ? `shop.means.${means}` : "shop.means.unmapped");
  return listed
    .filter(({ status }) => before[status] !== base.values[status])
    .map((status) => ({
      what: statusName(status, say),
      before: text(before[status.status]),
      after: text(base.values[status.status]),
    }));
}

interface AddStatusProps {
  readonly isKnown: (status: string) => boolean;
  readonly add: (status: string, means: Meaning) => void;
}

/** A status that no order has had yet. */
function AddStatus({ isKnown, add }: AddStatusProps) {
  const say = useWords();
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState("");
  if (!isOpen) {
    return (
      <div className={styles.foot}>
        <Button variant="subtle" size="xs" onClick={() => setOpen(true)}>
          {say("shop.statuses.add")}
        </Button>
      </div>
    );
  }
  return (
    <Form
      className={styles.add}
      onSubmit={() => {
        const status = typed.trim();
        if (status === "") return setProblem(say("form.required", { field: say("shop.statuses.add.the") }));
        if (isKnown(status)) return setProblem(say("shop.statuses.add.known"));
        add(status, "nothing");
        setTyped("");
        setOpen(false);
      }}
    >
      <TextInput
        label={say("shop.statuses.add.name")}
        description={say("shop.statuses.add.hint")}
        maxLength={120}
        value={typed}
        error={problem || undefined}
        autoFocus
        spellCheck={false}
        onChange={(event) => {
          setProblem("");
          setTyped(event.currentTarget.value);
        }}
      />
      <Button type="submit" variant="default">
        {say("shop.statuses.add")}
      </Button>
    </Form>
  );
}
