import type { InvoicePresentation } from "../presentation/invoice-presentation.ts";
import type { Party } from "../presentation/parties.ts";
import type { Statement } from "../presentation/references.ts";
import type { TotalRow } from "../presentation/totals.ts";
import { LinesTable } from "./lines-table.tsx";
import { Qr } from "./qr.tsx";
import { TaxesTable } from "./taxes-table.tsx";
import { Foreign, Legal, Whole } from "./words.tsx";

interface SheetProps {
  readonly invoice: InvoicePresentation;
  /** The id of the sheet on its page. */
  readonly id: string;
}

/** The invoice itself: always white as paper, because a QR needs contrast. */
export function Sheet({ invoice, id }: SheetProps) {
  return (
    <article class="sheet" id={id} aria-labelledby={`${id}-title`}>
      <div class="head">
        {invoice.qr ? <Qr qr={invoice.qr} language={invoice.language} /> : null}
        <DocumentBlock invoice={invoice} id={id} />
        <div class="issuer">
          <PartyLines party={invoice.issuer} />
        </div>
      </div>
      <Parties invoice={invoice} />
      {invoice.statements.map((statement) => (
        <Said statement={statement} invoice={invoice} />
      ))}
      <LinesTable lines={invoice.lines} language={invoice.language} />
      <Closing invoice={invoice} />
      {invoice.registry === undefined ? null : (
        <p class="registry">
          <Whole text={invoice.registry} />
        </p>
      )}
    </article>
  );
}

function DocumentBlock({ invoice, id }: SheetProps) {
  const { language, testMark, title, number, cancelled, details } = invoice;
  return (
    <div class="document">
      {testMark ? (
        <p class="mark">
          <Legal words={testMark} language={language} />
        </p>
      ) : null}
      <h2 id={`${id}-title`}>
        <Legal words={title} language={language} />
      </h2>
      <p class="number">{number}</p>
      {cancelled ? (
        <p class="mark">
          <Legal words={cancelled} language={language} />
        </p>
      ) : null}
      <dl class="details">
        {details.map(({ label, value }) => (
          <div>
            <dt>{label}</dt>
            <dd>
              <Foreign text={value} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function PartyLines({ party }: { readonly party: Party }) {
  return (
    <>
      {party.name === "" ? null : (
        <p class="name">
          <Foreign text={party.name} />
        </p>
      )}
      {party.details.map((line) => (
        <p class="soft">
          <Foreign text={line} />
        </p>
      ))}
    </>
  );
}

function Parties({ invoice: { recipient, subject } }: { readonly invoice: InvoicePresentation }) {
  if (!recipient && !subject) return null;
  return (
    <div class="parties">
      {recipient ? (
        <div>
          <h3>{recipient.label}</h3>
          <PartyLines party={recipient.party} />
        </div>
      ) : null}
      {subject ? (
        <div>
          <h3>{subject.label}</h3>
          <p>
            <Foreign text={subject.value} />
          </p>
        </div>
      ) : null}
    </div>
  );
}

interface SaidProps {
  readonly statement: Statement;
  readonly invoice: InvoicePresentation;
}

function Said({ statement: { words, details }, invoice: { language } }: SaidProps) {
  return (
    <div class="statement">
      <p>
        <Legal words={words} language={language} />
      </p>
      {details.map((detail) => (
        <p class="soft">
          <Foreign text={detail} />
        </p>
      ))}
    </div>
  );
}

/** Taxes next to the totals, or above them with two currencies. */
function Closing({ invoice }: { readonly invoice: InvoicePresentation }) {
  const { taxes, totals, notes, language } = invoice;
  const isWide = taxes.heads.length > 3;
  const table = taxes.rows.length > 0 ? <TaxesTable taxes={taxes} language={language} /> : null;
  return (
    <>
      {isWide ? table : null}
      <div class="closing">
        <div>
          {isWide ? null : table}
          {notes.map((words) => (
            <p class="note">
              <Legal words={words} language={language} />
            </p>
          ))}
        </div>
        <Totals rows={totals} invoice={invoice} />
      </div>
    </>
  );
}

interface TotalsProps {
  readonly rows: readonly TotalRow[];
  readonly invoice: InvoicePresentation;
}

function Totals({ rows, invoice }: TotalsProps) {
  return (
    <dl class="totals">
      {rows.map(({ kind, label, included, value }) => (
        <div class={kind}>
          <dt>
            <Foreign text={label} />
            {included ? (
              <>
                , <Legal words={included} language={invoice.language} />
              </>
            ) : null}
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
