import { Button, Drawer } from "@mantine/core";
import { useDebouncedCallback, useDisclosure, useMediaQuery } from "@mantine/hooks";
import { IconAdjustmentsHorizontal, IconSearch } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { fieldName, Select, TextInput } from "../../parts/fields.tsx";
import { DayRange } from "../../parts/filters/day-range.tsx";
import { dayChips, FilterChips } from "../../parts/filters/filter-chips.tsx";
import { useKnownParams, useRefusedParams } from "../../parts/filters/known-params.ts";
import { type Days, daysOf } from "../../parts/filters/ranges.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { Pager } from "../../parts/pager.tsx";
import { Empty, ErrorCard, Loading } from "../../parts/states.tsx";
import { count, money } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import { ExportButton } from "./export-dialog.tsx";
import { checksOf, DOCUMENTS, FILTER_PARAMS, filtersIn } from "./invoice-filters.ts";
import { type Choices, currentChoices, useChoices, useInvoices } from "./invoice-queries.ts";
import { InvoiceTable, TableCard } from "./invoice-table.tsx";
import { STATES, stateWord } from "./invoice-words.ts";
import styles from "./invoices.module.css";

/** Every invoice of the company. */
export function InvoicesPage() {
  const say = useWords();
  const { account } = useCompany();
  const choices = useChoices(account.id);
  const filters = filtersIn(useKnownParams(checksOf(currentChoices(choices))));
  const invoices = useInvoices(account.id, filters);
  const isRefused = useRefusedParams(invoices.error, FILTER_PARAMS);
  return (
    <>
      <PageHead title={say("nav.invoices")} isOneAct>
        <ExportButton choices={choices.data} />
      </PageHead>
      <ByHand />
      <InvoiceFilters choices={choices.data} isPending={choices.isPending} />
      <SetFilters choices={choices.data} />
      {(invoices.isPending || isRefused) && <Loading rows={8} />}
      {invoices.isError && !isRefused && (
        <ErrorCard error={invoices.error} retry={() => void invoices.refetch()} />
      )}
      {invoices.data && <Found page={invoices.data} isFiltered={Object.keys(filters).length > 0} />}
    </>
  );
}

/** The way to invoices that people write themselves; an accountant reads the drafts. */
function ByHand() {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  return (
    <div className={`row ${styles.byHand}`}>
      {!isReadOnly && (
        <Button component={Link} to={paths.newInvoice(account.id)}>
          {say("invoices.new")}
        </Button>
      )}
      <Button component={Link} to={paths.drafts(account.id)} variant="subtle">
        {say("invoices.drafts")}
      </Button>
    </div>
  );
}

type Page = NonNullable<ReturnType<typeof useInvoices>["data"]>;

function Found({ page, isFiltered }: { readonly page: Page; readonly isFiltered: boolean }) {
  const say = useWords();
  const [, setParams] = useSearchParams();
  const { items, sums, first, previous, next, isWhole } = page;
  const go = (cursor: string) =>
    setParams((before) => {
      before.set("pagina", cursor);
      return before;
    });
  const last = first + items.length - 1;
  const range = {
    from: count(first),
    to: count(last),
    total: count(Math.max(sums.invoices + sums.tests, last)),
  };
  return (
    <>
      <Sums sums={sums} />
      {!isWhole && <p className="muted small">{say("invoices.cut")}</p>}
      <TableCard label={say("nav.invoices")}>
        {items.length === 0 ? (
          <Empty text={say(isFiltered ? "none" : "invoices.empty")} />
        ) : (
          <InvoiceTable items={items} caption={say("nav.invoices")} />
        )}
        <Pager range={say("page.range", range)} previous={previous} next={next} go={go} />
      </TableCard>
    </>
  );
}

/** The sums of the filtered invoices; cancelled ones and tests are counted separately. */
function Sums({ sums }: { readonly sums: Page["sums"] }) {
  const say = useWords();
  const { invoices, cancelled, tests, base, tax, total } = sums;
  return (
    <p className={styles.sums} role="status">
      <span>
        <b>{count(invoices)}</b> {say("invoices.sum.count", { n: invoices })}
      </span>
      <span>
        {say("invoices.sum.base")} <b>{money(base)}</b>
      </span>
      <span>
        {say("invoices.sum.tax")} <b>{money(tax)}</b>
      </span>
      <span>
        {say("invoices.sum.total")} <b>{money(total)}</b>
      </span>
      {cancelled > 0 && <span>{say("invoices.sum.cancelled", { n: cancelled })}</span>}
      {tests > 0 && <span>{say("invoices.sum.tests", { n: tests })}</span>}
      <span>{say("invoices.sum.note")}</span>
    </p>
  );
}

const TYPING_MS = 250;
const PARAMS = ["mes", "desde", "hasta", "documento", "estado", "serie", "conexion"] as const;

interface InvoiceFiltersProps {
  readonly choices: Choices | undefined;
  readonly isPending: boolean;
}

/** The filters of a list; all of them are in the address. */
function InvoiceFilters({ choices, isPending }: InvoiceFiltersProps) {
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
          {/* A field that came later would move the others away under a finger. */}
          {isPending ? <Loading rows={4} /> : <ChoiceFields choices={choices} isLabelled />}
          <Button onClick={drawer.close}>{say("close")}</Button>
        </div>
      </Drawer>
    </search>
  );
}

type Param = (typeof PARAMS)[number] | "q";

/** Changes members of the address; another list begins at its first page. */
function useFilter(): (change: Readonly<Partial<Record<Param, string | null>>>) => void {
  const [, setParams] = useSearchParams();
  return (change) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries(change)) {
          if (value) next.set(name, value);
          else next.delete(name);
        }
        next.delete("pagina");
        return next;
      },
      { replace: true },
    );
}

/** The days of the address; a month, as the overview links to it, is its first and its last day. */
function daysIn(params: URLSearchParams): Days {
  const month = params.get("mes");
  if (month && /^\d{4}-\d{2}$/.test(month)) return daysOf("this_month", `${month}-01`);
  return { from: params.get("desde") ?? "", to: params.get("hasta") ?? "" };
}

/** What the list is filtered by. */
function SetFilters({ choices }: { readonly choices: Choices | undefined }) {
  const say = useWords();
  const { account } = useCompany();
  const [params] = useSearchParams();
  const filter = useFilter();
  const [document, state] = [params.get("documento") ?? "", params.get("estado") ?? ""];
  const connection = choices?.connections.find(({ id }) => id === params.get("conexion"))?.name;
  const named = (id: Param, name: string, value: string | null | undefined) =>
    value && params.get(id)
      ? [{ id, text: say("filter.chip", { name, value }), remove: () => filter({ [id]: null }) }]
      : [];
  const kind = DOCUMENTS.find((one) => one === document);
  const known = STATES.find((one) => one === state);
  return (
    <FilterChips
      set={[
        ...named("q", say("filter.search"), params.get("q")),
        ...dayChips(
          {
            days: daysIn(params),
            timeZone: account.timeZone,
            change: ({ from, to }) => filter({ desde: from, hasta: to, mes: null }),
          },
          say,
        ),
        ...named("documento", say("filter.document"), kind && say(`filter.document.${kind}`)),
        ...named("estado", say("invoices.state"), known && stateWord(known, say)),
        ...named("serie", say("invoices.series"), params.get("serie")),
        ...named("conexion", say("invoices.connection"), connection),
      ]}
      clear={() => filter(Object.fromEntries([...PARAMS, "q"].map((name) => [name, null])))}
    />
  );
}

function SearchField() {
  const say = useWords();
  const [params] = useSearchParams();
  const searched = params.get("q") ?? "";
  const [typed, setTyped] = useState(searched);
  const isNarrow = useMediaQuery("(max-width: 719px)", undefined, { getInitialValueInEffect: false });
  const filter = useFilter();
  const search = useDebouncedCallback((value: string) => filter({ q: value.trim() }), TYPING_MS);
  useEffect(() => setTyped((before) => (before.trim() === searched ? before : searched)), [searched]);
  return (
    <TextInput
      className={styles.search}
      type="search"
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        search(currentTarget.value);
      }}
      placeholder={say(isNarrow ? "invoices.search.short" : "invoices.search")}
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
  const [params] = useSearchParams();
  const filter = useFilter();
  const connection = params.get("conexion");
  const series = (choices?.series ?? []).filter(
    ({ connectionId }) => !connection || connectionId === connection,
  );
  const field = { className, isLabelled } as const;
  return (
    <>
      <DayRange
        {...field}
        days={daysIn(params)}
        onChange={({ from, to }) => filter({ desde: from, hasta: to, mes: null })}
      />
      <Choice
        {...field}
        name="documento"
        label={say("filter.document")}
        all={say("filter.document")}
        options={DOCUMENTS.map((value) => ({ value, label: say(`filter.document.${value}`) }))}
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
  readonly name: Param;
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
      {...fieldName(label, isLabelled)}
      placeholder={isLabelled ? all : label}
      data={[...options]}
      value={params.get(name)}
      onChange={(value) => filter({ [name]: value })}
      clearable
    />
  );
}
