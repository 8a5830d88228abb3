import type { Language } from "../../words/words.ts";
import type { InvoicePresentation, Party, QrBlock, ShownLogo } from "../presentation/invoice-presentation.ts";
import type { LineRow, LineTable } from "../presentation/lines.ts";
import type { Statement } from "../presentation/references.ts";
import type { TaxRow, TaxTable } from "../presentation/taxes.ts";
import type { TotalRow } from "../presentation/totals.ts";
import { fill, WORDS, type Words } from "../presentation/words.ts";
import { QUIET_ZONE, qrCode } from "../qr-code.ts";

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
          {invoice.logo ? <Logo logo={invoice.logo} /> : null}
          <PartyLines party={invoice.issuer} />
        </div>
      </div>
      <Parties invoice={invoice} />
      {invoice.statements.map((statement) => (
        <StatementText statement={statement} invoice={invoice} />
      ))}
      <LinesTable lines={invoice.lines} language={invoice.language} />
      <Closing invoice={invoice} />
      {invoice.footer === undefined ? null : (
        <p class="own">
          <Whole text={invoice.footer} />
        </p>
      )}
      {invoice.registry === undefined ? null : (
        <p class="registry">
          <Whole text={invoice.registry} />
        </p>
      )}
    </article>
  );
}

/** The name of its issuer stands below it. */
function Logo({ logo: { width, height, url } }: { readonly logo: ShownLogo }) {
  return <img class="logo" src={url} width={width} height={height} alt="" />;
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

interface StatementTextProps {
  readonly statement: Statement;
  readonly invoice: InvoicePresentation;
}

function StatementText({ statement: { words, details }, invoice: { language } }: StatementTextProps) {
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

interface LinesProps {
  readonly lines: LineTable;
  readonly language: Language;
}

/** On a phone every row becomes two: description and amount, then the calculation. */
function LinesTable({ lines, language }: LinesProps) {
  const { heads, included, hasDiscounts, rows, caption } = lines;
  return (
    <table class="lines">
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{heads.description}</th>
          <th scope="col">{heads.quantity}</th>
          <th scope="col">{heads.price}</th>
          {hasDiscounts ? <th scope="col">{heads.discount}</th> : null}
          <th scope="col">{heads.tax}</th>
          <th scope="col">
            {heads.amount}
            {included ? (
              <>
                <br />
                <Legal words={included} language={language} />
              </>
            ) : null}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Line row={row} lines={lines} />
        ))}
      </tbody>
    </table>
  );
}

function Line({ row, lines }: { readonly row: LineRow; readonly lines: LineTable }) {
  const { heads, hasDiscounts, taxName } = lines;
  const name = row.isRate && taxName !== undefined ? `${taxName} ` : "";
  return (
    <tr>
      <td>
        <Foreign text={row.description} />
      </td>
      <td class="part">
        {row.quantity}
        <OnPhone text=" × " />
      </td>
      <td class="part">{row.price}</td>
      {hasDiscounts ? (
        <td class="part">
          {row.discount === "" ? null : <OnPhone text={` · ${heads.discount.toLowerCase()} `} />}
          {row.discount}
        </td>
      ) : null}
      <td class="part">
        <OnPhone text={` · ${name}`} />
        {row.tax}
      </td>
      <td class="amount">{row.amount}</td>
    </tr>
  );
}

/** Labels for phones, where there are no columns. */
function OnPhone({ text }: { readonly text: string }) {
  return <span class="phone">{text}</span>;
}

/** The symbol in millimetres: 30 to 40 are allowed (article 21 Orden HAC/1177/2024). */
const SYMBOL = 35;

interface QrProps {
  readonly qr: QrBlock;
  readonly language: Language;
}

/** Also a link, because a phone cannot scan its own screen. */
function Qr({ qr, language }: QrProps) {
  return (
    <div class="qr">
      <p>
        <Legal words={qr.above} language={language} />
      </p>
      <a href={qr.url} target="_blank" rel="noopener noreferrer" aria-label={fill(WORDS.check, language)}>
        <QrSymbol url={qr.url} label={fill(WORDS.qrCode, language)} />
      </a>
      <p>
        <Legal words={qr.below} language={language} />
      </p>
      {qr.amount === undefined ? null : <p class="soft">{qr.amount}</p>}
    </div>
  );
}

function QrSymbol({ url, label }: { readonly url: string; readonly label: string }) {
  const { size, runs } = qrCode(url);
  const modules = size + 2 * QUIET_ZONE;
  const side = `${(SYMBOL * modules) / size}mm`;
  const path = runs.map(({ x, y, length }) => `M${x} ${y}h${length}v1h-${length}z`).join("");
  const box = `${-QUIET_ZONE} ${-QUIET_ZONE} ${modules} ${modules}`;
  return (
    <svg width={side} height={side} viewBox={box} shape-rendering="crispEdges" role="img" aria-label={label}>
      <rect x={-QUIET_ZONE} y={-QUIET_ZONE} width={modules} height={modules} fill="#fff" />
      <path fill="#000" d={path} />
    </svg>
  );
}

interface TaxesProps {
  readonly taxes: TaxTable;
  readonly language: Language;
}

function TaxesTable({ taxes, language }: TaxesProps) {
  const { heads, rows, sum, caption } = taxes;
  const [first = "", ...figures] = heads;
  const row = (one: TaxRow) => <TaxLine row={one} heads={figures} language={language} />;
  return (
    <table class={figures.length > 2 ? "taxes two-currencies" : "taxes"}>
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{first}</th>
          {figures.map((head) => (
            <th scope="col">{head}</th>
          ))}
        </tr>
      </thead>
      <tbody>{rows.map(row)}</tbody>
      {sum ? <tfoot>{row(sum)}</tfoot> : null}
    </table>
  );
}

interface TaxLineProps {
  readonly row: TaxRow;
  readonly heads: readonly string[];
  readonly language: Language;
}

/** The article follows its Spanish words and precedes the English ones. */
function TaxLine({ row, heads, language }: TaxLineProps) {
  const { gloss, ...name } = row.name;
  return (
    <tr>
      <th scope="row">
        <Legal words={name} language={language} />
        {row.law === undefined ? null : <span class="law">{row.law}</span>}
        {gloss === undefined ? null : <small class="gloss">{gloss}</small>}
      </th>
      {row.cells.map((cell, index) => (
        <td data-head={cell === "" ? "" : heads[index]}>{cell}</td>
      ))}
    </tr>
  );
}

interface LegalProps {
  readonly words: Words;
  /** That of the page: words in another are marked as such. */
  readonly language: Language;
}

/** Words that the law requires in Spanish; readers of English get the English after them in small type. */
export function Legal({ words, language }: LegalProps) {
  const { text, gloss } = words;
  return (
    <>
      {words.language === language ? (
        <Whole text={text} />
      ) : (
        <span lang={words.language}>
          <Whole text={text} />
        </span>
      )}
      {gloss === undefined ? null : (
        <small class="gloss">
          {" "}
          <Whole text={gloss} />
        </small>
      )}
    </>
  );
}

/** Another party's text: it keeps its own direction. */
export function Foreign({ text }: { readonly text: string }) {
  return <bdi>{text}</bdi>;
}

const NUMBER = /(\S*\d\S*-\S*\w)/;

/** A sentence with its invoice numbers kept on one line if they fit. */
export function Whole({ text }: { readonly text: string }) {
  return (
    <>
      {text.split(NUMBER).map((part, index) => (index % 2 === 1 ? <span class="whole">{part}</span> : part))}
    </>
  );
}
