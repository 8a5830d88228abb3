import { IconClock, IconFileSearch, IconInfoCircle } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { GroupTable } from "../../parts/group-table.tsx";
import { OssDoubts, ossTaxWord } from "../../parts/oss.tsx";
import { Section } from "../../parts/page-head.tsx";
import shared from "../../parts/preview.module.css";
import { date, longDate, money, percent } from "../../words/format.ts";
import { type Say, useWords } from "../../words/words.tsx";
import own from "./order.module.css";
import type { Draft, Order, Preview } from "./queries.ts";
import { isOpen } from "./reason-list.tsx";
import { SheetDialog } from "./sheet-dialog.tsx";
import { stateWord, wordOf } from "./shown.ts";

interface WouldBeProps {
  readonly order: Order;
  readonly preview: Preview;
  /** The figures are of before: the next are on their way. */
  readonly isFading: boolean;
}

/** La factura que saldría: recalculated at each answer, by the decision itself. */
export function WouldBe({ order, preview, isFading }: WouldBeProps) {
  const say = useWords();
  const isFirst = order.documents.length === 0;
  return (
    <div className={isFading ? shared.fading : undefined} aria-busy={isFading}>
      <Section
        title={say(isFirst ? "review.would" : "review.would.correction")}
        aside={say("review.would.note")}
        flush
      >
        {isFirst ? <FirstInvoice order={order} preview={preview} /> : <Corrections preview={preview} />}
      </Section>
    </div>
  );
}

/** Whole, or so far as it is known. */
function FirstInvoice({ order, preview }: Omit<WouldBeProps, "isFading">) {
  const say = useWords();
  const [draft] = preview.drafts;
  const { outlook, state } = preview;
  if (!draft && state !== "held") {
    return (
      <p className={shared.note}>
        {say("review.would.stored", { state: stateWord(state, say).toLowerCase() })}
      </p>
    );
  }
  const groups = draft?.groups ?? outlook?.groups ?? [];
  const totals = draft?.totals ?? outlook?.totals;
  const currency = draft?.currency ?? outlook?.currency ?? order.facts.currency;
  const totalEur = draft?.totalEur ?? outlook?.totalEur ?? "";
  return (
    <>
      <Head order={order} preview={preview} />
      {groups.length > 0 && totals ? (
        <Groups groups={groups} totals={totals} currency={currency} />
      ) : (
        <p className={shared.note}>
          <IconInfoCircle size={16} aria-hidden />
          <span>{say("review.would.none")}</span>
        </p>
      )}
      {currency !== "EUR" && totalEur !== "" && (
        <p className={shared.note}>
          <IconInfoCircle size={16} aria-hidden />
          <span>
            {say("review.would.total_eur")}: {money(totalEur)}
          </span>
        </p>
      )}
      <Notes preview={preview} currency={currency} />
      {draft && <Open draft={draft} />}
    </>
  );
}

function Head({ order, preview }: Omit<WouldBeProps, "isFading">) {
  const say = useWords();
  const [draft] = preview.drafts;
  const { outlook, choices } = preview;
  const type = draft?.invoiceType ?? outlook?.invoiceType ?? "";
  const regime = draft?.documentaryRegime ?? outlook?.documentaryRegime ?? "";
  const number = draft?.fullNumber ?? outlook?.fullNumber ?? "";
  const operation = draft?.operationDate ?? outlook?.operationDate;
  return (
    <dl className={`facts ${shared.facts}`}>
      <Fact name={say("review.would.type")}>{typeText(type, regime, say)}</Fact>
      <Fact name={say("review.would.number.label")}>
        {number === "" ? <Missing /> : say("review.would.number", { number })}
      </Fact>
      {outlook?.profile && <Fact name={say("review.would.profile")}>{outlook.profile}</Fact>}
      <Fact name={say("review.would.date")}>{date(draft?.issueDate ?? choices.today)}</Fact>
      {operation && operation !== (draft?.issueDate ?? choices.today) && (
        <Fact name={say("review.would.operation")}>{date(operation)}</Fact>
      )}
      <Fact name={say("review.would.customer")}>
        <Customer order={order} preview={preview} />
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

const TYPES = ["F1", "F2", "F3", "R1", "R5"];

function typeText(type: string, regime: string, say: Say): ReactNode {
  // Full, though it names no recipient: article 6.1.d.
  if (type === "F2" && regime === "art6_full") return say("review.would.unnamed");
  const word = wordOf("review.would.type", type, TYPES);
  return word ? say(word) : type || <Missing />;
}

function Missing() {
  const say = useWords();
  return <span className={own.missing}>{say("review.would.open_point")}</span>;
}

const ABOUT_CUSTOMER = ["recipient_incomplete", "tax_identifier_invalid"];

/** The recipient; missing data are marked. */
function Customer({ order, preview }: Omit<WouldBeProps, "isFading">) {
  const say = useWords();
  const [draft] = preview.drafts;
  const { client } = preview.choices;
  const typed = client.company || [client.firstName, client.lastName].filter(Boolean).join(" ");
  const name = draft?.recipient?.company ?? typed;
  const identifier = draft ? draft.recipient?.vatNumber : client.vatNumber;
  const open = preview.reasons.find((reason) => isOpen(reason) && ABOUT_CUSTOMER.includes(reason.code));
  const said = [name, identifier].filter(Boolean).join(", ");
  const unknown = draft ? say("orders.unidentified") : (order.customer.company ?? say("orders.unidentified"));
  return (
    <>
      {said || unknown}
      {open && (
        <>
          {" "}
          <span className={own.missing}>{say("review.would.missing")}</span>
        </>
      )}
    </>
  );
}

interface GroupsProps {
  readonly groups: Draft["groups"];
  readonly totals: Draft["totals"];
  readonly currency: string;
}

function Groups({ groups, totals, currency }: GroupsProps) {
  const say = useWords();
  return (
    <GroupTable
      caption={say("review.would")}
      heads={[
        ...([say("review.would.tax"), say("review.would.base")] as const),
        ...([say("review.would.amount"), say("facts.total")] as const),
      ]}
      groups={groups.map((group) => ({
        ...group,
        key: `${group.taxCode} ${group.qualification} ${group.rate} ${group.surchargeRate}`,
        name: rateText(group, say),
      }))}
      totals={totals}
      currency={currency}
    />
  );
}

type Group = Draft["groups"][number];

function rateText({ regime, country, qualification, rate, surchargeRate }: Group, say: Say): string {
  const there = ossTaxWord({ regime, rate, country }, say);
  if (there !== undefined) return there;
  if (!qualification.startsWith("S")) return say("review.would.exempt");
  return surchargeRate === "" ? percent(rate) : `${percent(rate)} + ${percent(surchargeRate)}`;
}

/** Explanations of the figures. */
function Notes({ preview, currency }: { readonly preview: Preview; readonly currency: string }) {
  const say = useWords();
  const { outlook } = preview;
  const [draft] = preview.drafts;
  const discounts = outlook?.discounts ?? [];
  const shares = discounts.map(({ rate, taken }) =>
    say("review.spread.share", { amount: money(taken, currency), rate: percent(rate) }),
  );
  return (
    <>
      <OssDoubts doubts={draft?.ossDoubts ?? outlook?.ossDoubts ?? []} />
      {shares.length > 1 && (
        <p className={shared.note}>
          <IconInfoCircle size={16} aria-hidden />
          <span>{say("review.spread", { shares: shares.join(", ") })}</span>
        </p>
      )}
      {(outlook?.payments ?? []).map(({ name, amount: paid }) => (
        <p key={name} className={shared.note}>
          <IconInfoCircle size={16} aria-hidden />
          <span>{say("review.payment", { name, amount: money(paid, currency) })}</span>
        </p>
      ))}
      {draft && draft.lateAfter !== "" && (
        <p className={shared.note}>
          <IconClock size={16} aria-hidden className={shared.warn} />
          <span>{say("review.late", { date: longDate(draft.lateAfter) })}</span>
        </p>
      )}
    </>
  );
}

function Open({ draft }: { readonly draft: Draft }) {
  const say = useWords();
  const [isOpened, setOpened] = useState(false);
  return (
    <p className={shared.note}>
      <IconFileSearch size={16} aria-hidden />
      <button type="button" onClick={() => setOpened(true)}>
        {say("review.would.open")}
      </button>
      <SheetDialog draft={draft} isOpen={isOpened} close={() => setOpened(false)} />
    </p>
  );
}

/** After the invoice: its possible corrections. */
function Corrections({ preview }: { readonly preview: Preview }) {
  const say = useWords();
  const { drafts, annulled } = preview;
  if (drafts.length + annulled.length === 0) {
    const isOpenYet = preview.reasons.some(isOpen);
    const text = say(isOpenYet ? "review.would.none" : "review.would.nothing");
    return (
      <p className={shared.note}>
        <IconInfoCircle size={16} aria-hidden />
        <span>{text}</span>
      </p>
    );
  }
  return (
    <>
      {drafts.map((draft) => (
        <div key={draft.fullNumber}>
          <dl className={`facts ${shared.facts}`}>
            <Fact name={say("review.would.type")}>
              {typeText(draft.invoiceType, draft.documentaryRegime, say)}
            </Fact>
            <Fact name={say("review.would.number.label")}>
              {say("review.would.number", { number: draft.fullNumber })}
            </Fact>
            <Fact name={say("review.would.date")}>{date(draft.issueDate)}</Fact>
          </dl>
          <Groups groups={draft.groups} totals={draft.totals} currency={draft.currency} />
          <Open draft={draft} />
        </div>
      ))}
      {annulled.map((number) => (
        <p key={number} className={shared.note}>
          <IconInfoCircle size={16} aria-hidden />
          <span>{say("review.would.annul", { number })}</span>
        </p>
      ))}
    </>
  );
}
