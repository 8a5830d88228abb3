import { Button, Card } from "@mantine/core";
import { useState } from "react";
import { Link, useParams, useSearchParams } from "react-router";
import { ApiError } from "../../../api/errors.ts";
import { paths } from "../../../app/paths.ts";
import { useCompany } from "../../../app/session.tsx";
import { PageHead } from "../../../parts/page-head.tsx";
import partStyles from "../../../parts/parts.module.css";
import { ReadOnly } from "../../../parts/read-only.tsx";
import { ErrorCard, Loading } from "../../../parts/states.tsx";
import { longDate, money } from "../../../words/format.ts";
import { useWords } from "../../../words/words.tsx";
import { NotFoundPage } from "../../not-found.tsx";
import { type InvoiceDetail, useInvoice } from "../invoice-queries.ts";
import { SoldLines } from "./line-table.tsx";
import { type LinesPreview, type SaleChange, useLinesPreview } from "./lines-queries.ts";
import { RectifyLinesForm } from "./rectify-lines-form.tsx";

/** Refunds, reduces, issues again or annuls what an invoice sold, line by line. */
export function RectifyLinesPage() {
  const { account } = useCompany();
  const { invoice: id = "" } = useParams();
  const invoice = useInvoice(account.id, id);
  if (invoice.isPending) return <Loading rows={10} />;
  if (invoice.isLoadingError) {
    const isUnknown = invoice.error instanceof ApiError && invoice.error.status === 404;
    return isUnknown ? (
      <NotFoundPage />
    ) : (
      <ErrorCard error={invoice.error} retry={() => void invoice.refetch()} />
    );
  }
  return (
    <>
      <Head invoice={invoice.data} />
      <Lines invoice={invoice.data} />
    </>
  );
}

function Head({ invoice }: { readonly invoice: InvoiceDetail }) {
  const say = useWords();
  const { account } = useCompany();
  const { fullNumber, issueDate, total, currency } = invoice;
  const customer = invoice.amendable.recipient?.company;
  const lead = [fullNumber, customer, longDate(issueDate), money(total, currency)]
    .filter(Boolean)
    .join(" · ");
  return (
    <PageHead
      title={say("byLines.page")}
      lead={lead}
      from={{ to: paths.invoices(account.id), name: say("invoice.back") }}
      place={<Link to={paths.invoice(account.id, invoice.id)}>{fullNumber}</Link>}
    />
  );
}

const NOTHING = { what: "refund", lines: [], cause: "" } as const;

/** The first preview brings the lines, and what can be done. */
function Lines({ invoice }: { readonly invoice: InvoiceDetail }) {
  const { isReadOnly } = useCompany();
  const [params] = useSearchParams();
  const [isOffered, setOffered] = useState(false);
  if (!isOffered && invoice.changes.length > 0) setOffered(true);
  const first = useLinesPreview(invoice.id, { ...NOTHING, lines: [] }, isOffered);
  // A form that is open stays: what is left meanwhile is in its own preview.
  const [preview, setPreview] = useState<LinesPreview>();
  if (!preview && first.data) setPreview(first.data.preview);
  if (!isOffered) return <NothingLeft invoice={invoice} />;
  if (first.isPending) return <Loading rows={8} />;
  if (!preview) return <ErrorCard error={first.error} retry={() => void first.refetch()} />;
  if (preview.changes.length === 0) return <NothingLeft invoice={invoice} />;
  if (isReadOnly) {
    return (
      <ReadOnly isReadOnly>
        <SoldLines preview={preview} />
      </ReadOnly>
    );
  }
  return <RectifyLinesForm invoice={invoice} first={preview} what={asked(preview, params.get("que"))} />;
}

/** An annulment by its own entry of the menu, else the first that is offered. */
function asked({ changes }: LinesPreview, named: string | null): SaleChange {
  const [first = "refund"] = changes;
  return named === "anular" && changes.includes("void") ? "void" : first;
}

function NothingLeft({ invoice }: { readonly invoice: InvoiceDetail }) {
  const say = useWords();
  const { account } = useCompany();
  return (
    <Card>
      <div className={partStyles.empty}>
        <p>{say("byLines.nothing", { number: invoice.fullNumber })}</p>
        <Button component={Link} variant="default" to={paths.invoice(account.id, invoice.id)}>
          {say("byLines.nothing.back")}
        </Button>
      </div>
    </Card>
  );
}
