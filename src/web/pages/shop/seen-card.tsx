import { Link } from "react-router";
import { paths } from "../../app/paths.ts";
import { AmountTable } from "../../parts/amount-table.tsx";
import { Section } from "../../parts/page-head.tsx";
import parts from "../../parts/parts.module.css";
import { StateMark } from "../../parts/state-mark.tsx";
import { Empty, ErrorCard, Loading } from "../../parts/states.tsx";
import { count, money, percent } from "../../words/format.ts";
import { type Say, useWords } from "../../words/words.tsx";
import { WITHOUT_PROFILE } from "../settings/profile-form.ts";
import { type ConnectionPlace, useConnectionPlace } from "../setup/setup.ts";
import { type Seen, useSeen } from "./queries.ts";
import styles from "./shop.module.css";

/** Rates and amounts of the newest orders, so that nothing undeclared is found order by order. */
export function SeenCard() {
  const say = useWords();
  const place = useConnectionPlace();
  const seen = useSeen(place);
  return (
    <Section
      title={say("shop.seen")}
      aside={seen.data && seen.data.orders > 0 && say("shop.seen.of", { n: seen.data.orders })}
      flush
    >
      {seen.isPending && <Loading />}
      {seen.isLoadingError && <ErrorCard error={seen.error} retry={() => void seen.refetch()} />}
      {seen.data && <SeenTables seen={seen.data} place={place} />}
    </Section>
  );
}

function SeenTables({ seen, place }: { readonly seen: Seen; readonly place: ConnectionPlace }) {
  const say = useWords();
  if (seen.orders === 0) return <Empty text={say("shop.seen.empty")} />;
  return (
    <>
      <AmountTable
        caption={say("shop.seen.rates")}
        heads={[say("shop.seen.rate"), say("shop.seen.lines"), say("shop.seen.orders")]}
        rows={seen.rates.map(({ rate, surcharge, lines, orders }) => (
          <tr key={`${rate} ${surcharge}`}>
            <td>{rateText(rate, surcharge, say)}</td>
            <td className="num">{count(lines)}</td>
            <td className="num">{count(orders)}</td>
          </tr>
        ))}
      />
      {seen.unmapped.length === 0 ? (
        <p className={`${styles.note} muted small`}>{say("shop.seen.no_amounts")}</p>
      ) : (
        <AmountTable
          caption={say("shop.seen.amounts")}
          heads={[say("shop.seen.amount"), say("shop.seen.sum"), say("shop.seen.orders")]}
          rows={seen.unmapped.map((amount) => (
            <AmountRow
              key={`${amount.profileId} ${amount.code} ${amount.currency}`}
              amount={amount}
              place={place}
            />
          ))}
        />
      )}
    </>
  );
}

function rateText(rate: string, surcharge: string | null, say: Say): string {
  if (surcharge === null) return percent(rate);
  return say("shop.seen.surcharge", { rate: percent(rate), surcharge: percent(surcharge) });
}

interface AmountRowProps {
  readonly amount: Seen["unmapped"][number];
  readonly place: ConnectionPlace;
}

/** An amount outside the lines, with what its profile says that it is. */
function AmountRow({ amount, place }: AmountRowProps) {
  const say = useWords();
  const { code, title, currency, total, orders, profileId, profile, treatment } = amount;
  const to = paths.profile(place.account, place.connection, profileId ?? WITHOUT_PROFILE);
  const rate = treatment?.rate ?? null;
  const as = treatment && say(`treat.${treatment.as}`);
  return (
    <tr>
      <td>
        {title ?? code}
        {profile !== null && <span className={parts.second}>{profile}</span>}
        <span className={parts.second}>
          {as === null ? (
            <>
              <StateMark tone="decide">{say("shop.seen.undeclared")}</StateMark>{" "}
              <Link to={to}>{say("shop.seen.declare")}</Link>
            </>
          ) : (
            <Link to={to}>{rate === null ? as : `${as}, ${percent(rate)}`}</Link>
          )}
        </span>
      </td>
      <td className="num">{money(total, currency)}</td>
      <td className="num">{count(orders)}</td>
    </tr>
  );
}
