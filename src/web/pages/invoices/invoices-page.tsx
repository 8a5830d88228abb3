import { useSearchParams } from "react-router";
import { useCompany } from "../../app/session.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Pager } from "../../parts/pager.tsx";
import { Empty, ErrorCard, Loading } from "../../parts/states.tsx";
import { count, money } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import { ExportButton } from "./export-dialog.tsx";
import { InvoiceFilters } from "./invoice-filters.tsx";
import { filtersIn, useChoices, useInvoices } from "./invoice-queries.ts";
import { InvoiceTable, TableCard } from "./invoice-table.tsx";
import styles from "./invoices.module.css";

/** Every invoice of the company. */
export function InvoicesPage() {
  const say = useWords();
  const { account } = useCompany();
  const [params] = useSearchParams();
  const filters = filtersIn(params);
  const invoices = useInvoices(account.id, filters);
  const choices = useChoices(account.id);
  return (
    <>
      <PageHead title={say("nav.invoices")}>
        <ExportButton choices={choices.data} />
      </PageHead>
      <InvoiceFilters choices={choices.data} />
      {invoices.isPending && <Loading rows={8} />}
      {invoices.isError && <ErrorCard error={invoices.error} retry={() => void invoices.refetch()} />}
      {invoices.data && <Found page={invoices.data} isFiltered={Object.keys(filters).length > 0} />}
    </>
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
    </p>
  );
}
