import { Button, Drawer, Select, TextInput } from "@mantine/core";
import { useDebouncedCallback, useDisclosure } from "@mantine/hooks";
import { IconAdjustmentsHorizontal, IconSearch } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import { useCompany } from "../../app/session.tsx";
import { monthTitle } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import type { Choices } from "./invoice-queries.ts";
import { STATES, stateWord } from "./invoice-words.ts";
import styles from "./invoices.module.css";
import { monthsUntil, thisMonth } from "./months.ts";

const TYPING_MS = 250;
const PARAMS = ["mes", "estado", "serie", "conexion"] as const;

/** The filters of a list; all of them are in the address. */
export function InvoiceFilters({ choices }: { readonly choices: Choices | undefined }) {
  const say = useWords();
  const [isOpen, drawer] = useDisclosure(false);
  const [params] = useSearchParams();
  const chosen = PARAMS.filter((name) => params.has(name)).length;
  return (
    <search className={styles.filters}>
      <SearchField />
      <ChoiceFields choices={choices} className={styles.choice} />
      <Button
        variant="default"
        className={styles.openFilters}
        leftSection={<IconAdjustmentsHorizontal size={18} aria-hidden />}
        onClick={drawer.open}
      >
        {say("filters")}
        {chosen > 0 && ` (${chosen})`}
      </Button>
      <Drawer
        opened={isOpen}
        onClose={drawer.close}
        title={say("filters")}
        position="bottom"
        size="auto"
        closeButtonProps={{ "aria-label": say("close") }}
      >
        <div className="stack">
          <ChoiceFields choices={choices} isLabelled />
          <Button onClick={drawer.close}>{say("close")}</Button>
        </div>
      </Drawer>
    </search>
  );
}

/** Changes one member of the address; another list begins at its first page. */
function useFilter(): (name: string, value: string | null) => void {
  const [, setParams] = useSearchParams();
  return (name, value) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        if (value) next.set(name, value);
        else next.delete(name);
        next.delete("pagina");
        return next;
      },
      { replace: true },
    );
}

function SearchField() {
  const say = useWords();
  const [params] = useSearchParams();
  const asked = params.get("q") ?? "";
  const [typed, setTyped] = useState(asked);
  const filter = useFilter();
  const search = useDebouncedCallback((value: string) => filter("q", value.trim()), TYPING_MS);
  useEffect(() => setTyped((before) => (before.trim() === asked ? before : asked)), [asked]);
  return (
    <TextInput
      className={styles.search}
      type="search"
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        search(currentTarget.value);
      }}
      placeholder={say("invoices.search")}
      aria-label={say("invoices.search")}
      maxLength={200}
      leftSection={<IconSearch size={18} aria-hidden />}
    />
  );
}

interface ChoiceFieldsProps {
  readonly choices: Choices | undefined;
  readonly className?: string | undefined;
  readonly isLabelled?: boolean;
}

function ChoiceFields({ choices, className, isLabelled = false }: ChoiceFieldsProps) {
  const say = useWords();
  const { account } = useCompany();
  const [params] = useSearchParams();
  const connection = params.get("conexion");
  const months = monthsUntil(choices?.months?.first, thisMonth(account.timeZone));
  const series = (choices?.series ?? []).filter(
    ({ connectionId }) => !connection || connectionId === connection,
  );
  const field = { className, isLabelled } as const;
  return (
    <>
      <Choice
        {...field}
        name="mes"
        label={say("invoices.month")}
        all={say("invoices.month.all")}
        options={months.map((month) => ({ value: month, label: monthTitle(month) }))}
      />
      <Choice
        {...field}
        name="estado"
        label={say("invoices.state")}
        all={say("invoices.state.all")}
        options={STATES.map((state) => ({ value: state, label: stateWord(state, say) }))}
      />
      <Choice
        {...field}
        name="serie"
        label={say("invoices.series")}
        all={say("invoices.series.all")}
        options={series.map(({ code }) => ({ value: code, label: code }))}
      />
      {(choices?.connections.length ?? 0) > 1 && (
        <Choice
          {...field}
          name="conexion"
          label={say("invoices.connection")}
          all={say("invoices.connection.all")}
          options={(choices?.connections ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
    </>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly all: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly className?: string | undefined;
  readonly isLabelled: boolean;
}

function Choice({ name, label, all, options, className, isLabelled }: ChoiceProps) {
  const [params] = useSearchParams();
  const filter = useFilter();
  return (
    <Select
      {...(className ? { className } : {})}
      {...(isLabelled ? { label } : { "aria-label": label })}
      placeholder={isLabelled ? all : label}
      data={[...options]}
      value={params.get(name)}
      onChange={(value) => filter(name, value)}
      clearable
    />
  );
}
