import { Button, Modal } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconCode, IconUser } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { AmountTable } from "../../parts/amount-table.tsx";
import { CopyIcon } from "../../parts/copy-text.tsx";
import { sumText } from "../../parts/exact-sum.ts";
import { indented } from "../../parts/indented.ts";
import styles from "../../parts/parts.module.css";
import shared from "../../parts/preview.module.css";
import { ErrorCard, Loading } from "../../parts/states.tsx";
import { amount, countryName, money, percent } from "../../words/format.ts";
import { type Say, useWords } from "../../words/words.tsx";
import own from "./order.module.css";
import { type Order, type OrderPlace, useSent } from "./queries.ts";
import { wordOf } from "./shown.ts";

type Facts = Order["facts"];

const FIRST_LINES = 20;

/** The sold lines as the shop sent them, with their sum. */
export function OrderFacts({ order, children }: { readonly order: Order; readonly children?: ReactNode }) {
  const say = useWords();
  const { facts } = order;
  return (
    <>
      <AmountTable
        caption={say("review.facts")}
        isTitled
        heads={[say("facts.item"), say("facts.base"), say("facts.tax"), say("facts.total")]}
        rows={
          <>
            <Lines facts={facts} />
            <AmountRows facts={facts} />
          </>
        }
        foot={
          <tr>
            <td colSpan={3}>{say("facts.sum")}</td>
            <td className="num">{money(facts.total, facts.currency)}</td>
          </tr>
        }
      />
      <SumNote isRight={order.addsUp} />
      <TaxTotals facts={facts} />
      <CustomerNote order={order} />
      {children}
    </>
  );
}

/** The first lines of many; the rest on demand. */
function Lines({ facts }: { readonly facts: Facts }) {
  const say = useWords();
  const [isWhole, setWhole] = useState(false);
  const { breakdown, currency } = facts;
  const lines = isWhole ? breakdown : breakdown.slice(0, FIRST_LINES);
  return (
    <>
      {lines.map((line, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of a shop have no other name, and do not move
        <tr key={place}>
          <td>
            {line.name ?? say("facts.unnamed")}
            <span className={styles.second}>
              {say("facts.line", { quantity: line.quantity, rate: percent(line.taxRate) })}
            </span>
          </td>
          <td className="num">{amount(line.base, currency)}</td>
          <td className="num">{amount(line.tax, currency)}</td>
          <td className="num">{amount(sumText(line.base, line.tax), currency)}</td>
        </tr>
      ))}
      {lines.length < breakdown.length && (
        <tr>
          <td colSpan={4}>
            <Button variant="subtle" size="xs" onClick={() => setWhole(true)}>
              {say("facts.more", { n: breakdown.length })}
            </Button>
          </td>
        </tr>
      )}
    </>
  );
}

/** Amounts outside the lines: discounts, and amounts that the shop sent separately. */
function AmountRows({ facts }: { readonly facts: Facts }) {
  const say = useWords();
  const { discounts, unmappedTotals, events, currency } = facts;
  return (
    <>
      {discounts.map((discount) => (
        <AmountRow
          key={`${discount.code}${discount.name}${discount.amount}`}
          name={discount.name ?? discount.code ?? say("facts.discount")}
          second={discountText(discount, say)}
          value={amount(discount.included ? "0" : `-${discount.amount}`, currency)}
        />
      ))}
      {unmappedTotals.map(({ code, title, value }) => (
        <AmountRow key={code} name={title ?? code} second={code} isCode value={amount(value, currency)} />
      ))}
      {events.map((event) => (
        <AmountRow
          key={`${event.id}${event.type}${event.amount ?? ""}`}
          name={say(`facts.event.${event.type}`)}
          second={event.id}
          isCode
          value={event.amount === undefined ? "" : amount(event.amount, currency)}
        />
      ))}
    </>
  );
}

interface AmountRowProps {
  readonly name: string;
  readonly second: string;
  readonly isCode?: boolean;
  readonly value: string;
}

function AmountRow({ name, second, isCode = false, value }: AmountRowProps) {
  return (
    <tr>
      <td>
        {name}
        <span className={`${styles.second} ${isCode ? "code" : ""}`}>{second}</span>
      </td>
      <td />
      <td />
      <td className="num">{value}</td>
    </tr>
  );
}

const KINDS = ["promotional", "customer_credit", "gift_card", "loyalty", "unknown"];

function discountText({ kind, included, amount: taken }: Facts["discounts"][number], say: Say): string {
  const word = wordOf("facts.discount", kind, KINDS);
  const name = word ? say(word) : "";
  return included ? `${name}, ${amount(taken)}: ${say("facts.discount.included")}` : name;
}

function SumNote({ isRight }: { readonly isRight: boolean }) {
  const say = useWords();
  return (
    <p className={shared.note}>
      {isRight ? (
        <IconCircleCheck size={16} aria-hidden className={own.ok} />
      ) : (
        <IconAlertTriangle size={16} aria-hidden className={shared.warn} />
      )}
      <span>{say(isRight ? "review.facts.ok" : "review.facts.bad")}</span>
    </p>
  );
}

function CustomerNote({ order }: { readonly order: Order }) {
  const say = useWords();
  const text = customerText(order.customer, say);
  return (
    <p className={shared.note}>
      <IconUser size={16} aria-hidden />
      <span>{text}</span>
    </p>
  );
}

/** The customer on one line: name, place, identifier. */
function customerText(customer: Order["customer"], say: Say): string {
  const { company, firstName, lastName, vatNumber, address1, postcode, city, country } = customer;
  const name = company || [firstName, lastName].filter(Boolean).join(" ");
  const town = [postcode, city].filter(Boolean).join(" ");
  const parts = [name, address1, town].filter(Boolean).join(", ");
  const land = country ? countryName(country) : "";
  if (parts === "" && land === "") return say("facts.nobody");
  const where = parts === "" || land === "" ? parts || land : `${parts} (${land})`;
  return `${where}. ${vatNumber ? say("facts.id", { id: vatNumber }) : say("facts.no_id")}`;
}

/** The shop's tax per rate next to its lines; within rounding, the shop's amount counts. */
function TaxTotals({ facts }: Pick<Order, "facts">) {
  const say = useWords();
  const { taxTotals = [], currency } = facts;
  if (taxTotals.length === 0) return null;
  const hasSurcharge = taxTotals.some(({ surcharge }) => surcharge !== undefined);
  const amountText = (value: string | undefined) => (value === undefined ? "—" : amount(value, currency));
  return (
    <AmountTable
      caption={say("facts.by_rate")}
      heads={[
        ...([say("facts.by_rate.rate"), say("facts.base"), say("facts.tax")] as const),
        ...(hasSurcharge ? [say("facts.by_rate.surcharge")] : []),
      ]}
      rows={taxTotals.map(({ rate, base, tax, surchargeRate, surcharge }) => (
        <tr key={`${rate} ${surchargeRate ?? ""}`}>
          <td>
            {surchargeRate === undefined ? percent(rate) : `${percent(rate)} + ${percent(surchargeRate)}`}
          </td>
          <td className="num">{amountText(base)}</td>
          <td className="num">{amountText(tax)}</td>
          {hasSurcharge && <td className="num">{amountText(surcharge)}</td>}
        </tr>
      ))}
    />
  );
}

/** The shop's last body, loaded on demand. */
export function RawData({ place }: { readonly place: OrderPlace }) {
  const say = useWords();
  const [isOpen, setOpen] = useState(false);
  return (
    <p className={shared.note}>
      <IconCode size={16} aria-hidden />
      <button type="button" onClick={() => setOpen(true)}>
        {say("raw")}
      </button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        closeButtonProps={{ "aria-label": say("close") }}
        size={840}
        title={say("order.raw")}
      >
        <SentBody place={place} />
      </Modal>
    </p>
  );
}

function SentBody({ place }: { readonly place: OrderPlace }) {
  const say = useWords();
  const sent = useSent(place, true);
  if (sent.isLoadingError) return <ErrorCard error={sent.error} retry={() => void sent.refetch()} />;
  if (!sent.data) return <Loading />;
  const text = indented(sent.data.sent);
  return (
    <div className="stack">
      <div className="row">
        <span className="muted">{say("order.raw.hint")}</span>
        <CopyIcon text={text} what={say("order.raw")} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <pre className={own.raw} tabIndex={0}>
        {text}
      </pre>
    </div>
  );
}
