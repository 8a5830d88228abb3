import { Button } from "@mantine/core";
import { useState } from "react";
import { answer } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { Section } from "../../parts/page-head.tsx";
import { useSave } from "../../parts/save.ts";
import { countryName, date, percent } from "../../words/format.ts";
import { isWord, type Say, useWords } from "../../words/words.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { type CompanySettings, companyKey, ofAccount, useCompanySettings } from "./queries.ts";
import styles from "./settings.module.css";

type OssRate = CompanySettings["ossRates"][number];

/** Rates of other countries that the owner has kept; nothing is shown while there is none. */
export function OssRates() {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  const company = useCompanySettings(account.id);
  const [leaving, setLeaving] = useState<OssRate>();
  const rates = company.data?.ossRates ?? [];
  if (rates.length === 0) return null;
  return (
    <Section title={say("oss_rates.title")} flush>
      <p className={`${styles.pad} muted`}>{say("oss_rates.lead")}</p>
      <ul className={styles.rows}>
        {rates.map((one) => (
          <OssRateRow
            key={`${one.area} ${one.rate}`}
            kept={one}
            withdraw={isReadOnly ? undefined : () => setLeaving(one)}
          />
        ))}
      </ul>
      {leaving && <WithdrawDialog kept={leaving} close={() => setLeaving(undefined)} />}
    </Section>
  );
}

interface OssRateRowProps {
  readonly kept: OssRate;
  readonly withdraw: (() => void) | undefined;
}

function OssRateRow({ kept, withdraw }: OssRateRowProps) {
  const say = useWords();
  const { account } = useCompany();
  const { area, rate, from, keptAt } = kept;
  return (
    <li>
      <div className={styles.grow}>
        <b>
          {areaName(area, say)}, {percent(rate)}
        </b>{" "}
        · {say("oss_rates.from", { date: date(from) })}
        <br />
        <span className="muted small">{say("oss_rates.kept", { date: date(keptAt, account.timeZone) })}</span>
      </div>
      {withdraw && (
        <Button variant="default" size="xs" aria-label={titleOf(kept, say)} onClick={withdraw}>
          {say("oss_rates.withdraw")}
        </Button>
      )}
    </li>
  );
}

function WithdrawDialog({ kept, close }: { readonly kept: OssRate; readonly close: () => void }) {
  const say = useWords();
  const { account } = useCompany();
  const { area, rate } = kept;
  const end = useSave({
    send: () =>
      answer(
        ofAccount.company["oss-rates"].$delete({ param: { account: account.id }, query: { area, rate } }),
      ),
    refresh: [companyKey(account.id), [account.id, "orders"]],
    onSaved: close,
  });
  return (
    <ConfirmDialog
      title={titleOf(kept, say)}
      isOpen
      close={close}
      act={say("oss_rates.withdraw")}
      isBusy={end.isPending}
      confirm={() => end.mutate(undefined)}
    >
      <p>{say("oss_rates.withdraw.body")}</p>
    </ConfirmDialog>
  );
}

function titleOf({ area, rate }: OssRate, say: Say): string {
  return say("oss_rates.withdraw.of", { rate: percent(rate), place: areaName(area, say) });
}

/** `FR:corsica` is Francia (Córcega). */
function areaName(area: OssRate["area"], say: Say): string {
  const [state = "", region] = area.split(":");
  if (state === "XI") return say("oss_rates.northern_ireland");
  const id = `oss_rates.${region}`;
  return region && isWord(id) ? `${countryName(state)} (${say(id)})` : countryName(state);
}
