import { Button, Card } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "react-router";
import { answer } from "../../api/client.ts";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { Select, TextInput } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { PageHead, Section } from "../../parts/page-head.tsx";
import { problemsByField, useSave } from "../../parts/save.ts";
import { Empty, ErrorCard, Loading } from "../../parts/states.tsx";
import { useUnsaved } from "../../parts/unsaved.tsx";
import { countryName, date, percent } from "../../words/format.ts";
import { isWord, type Say, useWords } from "../../words/words.tsx";
import { ofConnection } from "../setup/setup.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { NEW_PROFILE, WITHOUT_PROFILE } from "./profile-form.ts";
import {
  type CompanySettings,
  companyKey,
  ofAccount,
  type ProfileShown,
  type Selling,
  sellingKey,
  useCompanySettings,
  useSellingList,
} from "./queries.ts";
import { RememberedAnswers } from "./remembered-answers.tsx";
import styles from "./settings.module.css";

/** The grouping, treatment and numbering of orders, by connection. */
export function ProfilesPage() {
  const say = useWords();
  const { account } = useCompany();
  const selling = useSellingList(account.id);
  const ofOrders = (selling.data ?? []).filter(({ takesOrders }) => takesOrders);
  return (
    <>
      <PageHead title={say("nav.profiles")} lead={say("profiles.lead")} />
      {selling.isPending && <Loading />}
      {selling.isError && <ErrorCard error={selling.error} retry={() => void selling.refetch()} />}
      {selling.data && ofOrders.length === 0 && (
        <Card>
          <Empty text={say("profiles.empty")}>
            <Button component={Link} to={paths.connections(account.id)}>
              {say("nav.connections")}
            </Button>
          </Empty>
        </Card>
      )}
      <div className="stack">
        {ofOrders.map((one) => (
          <SellingCard key={one.connection.id} selling={one} />
        ))}
        <RememberedAnswers />
        <OssRates />
      </div>
    </>
  );
}

function SellingCard({ selling }: { readonly selling: Selling }) {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  const { connection, profiles, orders } = selling;
  const to = (profile: string) => paths.profile(account.id, connection.id, profile);
  return (
    <Section title={connection.name} flush>
      {profiles.length === 0 ? (
        <p className={styles.pad}>
          {selling.direct && !selling.namesOrders
            ? say("profiles.direct", { stem: selling.direct.stem, series: codesOf(selling.direct.series) })
            : say("profiles.none", { series: codesOf(orders.series) })}
        </p>
      ) : (
        <ul className={styles.rows}>
          {profiles.map((profile) => (
            <li key={profile.id}>
              <ProfileSentence profile={profile} selling={selling} to={to(profile.id)} />
            </li>
          ))}
        </ul>
      )}
      <div className={styles.foot}>
        {profiles.length === 0 && (
          <Button component={Link} to={to(WITHOUT_PROFILE)} variant="default">
            {say("profiles.settings")}
          </Button>
        )}
        {!isReadOnly && (
          <Button
            component={Link}
            to={to(NEW_PROFILE)}
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
          >
            {say("profiles.add")}
          </Button>
        )}
      </div>
      <TagRules selling={selling} />
    </Section>
  );
}

function codesOf(series: Selling["orders"]["series"]): string {
  return series.map(({ code }) => code).join(", ");
}

interface ProfileSentenceProps {
  readonly profile: ProfileShown;
  readonly selling: Selling;
  readonly to: string;
}

/** «Profesionales» takes shop 3 and issues in B-2026. */
function ProfileSentence({ profile, selling, to }: ProfileSentenceProps) {
  const say = useWords();
  const { name, channel, storeId, series, sales } = profile;
  const store = selling.stores.find(({ id }) => id === storeId)?.name ?? storeId ?? "";
  const takes =
    channel !== null && storeId !== null
      ? say("profile.takes.both", { channel, store })
      : channel !== null
        ? say("profile.takes.channel", { channel })
        : say("profile.takes.store", { store });
  const code = series[0]?.code ?? profile.stem;
  return (
    <div className={styles.sentence}>
      <span>
        <Link to={to}>{name}</Link> {say("profile.sentence", { takes, series: code })}
      </span>
      <span className="muted small">{say(`mode.${sales.issuingMode}`)}</span>
    </div>
  );
}

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

const ACTIONS = ["hold", "ignore"] as const;

/** The effects of order tags. */
export function TagRules({ selling }: { readonly selling: Selling }) {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  const place = { account: account.id, connection: selling.connection.id };
  const remove = useSave({
    send: (tag: string) => answer(ofConnection.tags.$delete({ param: place, query: { tag } })),
    refresh: [sellingKey(account.id)],
  });
  const [isAdding, setAdding] = useState(false);
  const { tagRules } = selling;
  if (isReadOnly && tagRules.length === 0) return null;
  return (
    <div className={styles.hook}>
      <h3>{say("tags.title")}</h3>
      {tagRules.map(({ tag, action }) => (
        <div key={tag} className="row">
          <span className={styles.grow}>{say("tags.rule", { tag, action: say(`tags.${action}`) })}</span>
          {!isReadOnly && (
            <Button
              variant="subtle"
              size="xs"
              aria-label={`${say("delete")}: ${tag}`}
              onClick={() => remove.mutate(tag)}
            >
              {say("delete")}
            </Button>
          )}
        </div>
      ))}
      {!isReadOnly &&
        (isAdding ? (
          <AddTagRule connection={selling.connection.id} close={() => setAdding(false)} />
        ) : (
          <div>
            <Button variant="default" size="xs" onClick={() => setAdding(true)}>
              {say("tags.add")}
            </Button>
          </div>
        ))}
    </div>
  );
}

interface AddTagRuleProps {
  readonly connection: string;
  readonly close: () => void;
}

function AddTagRule({ connection, close }: AddTagRuleProps) {
  const say = useWords();
  const { account } = useCompany();
  const [tag, setTag] = useState("");
  const [action, setAction] = useState<(typeof ACTIONS)[number]>("hold");
  const [problem, setProblem] = useState("");
  const add = useSave({
    send: () =>
      answer(ofConnection.tags.$put({ param: { account: account.id, connection }, json: { tag, action } })),
    refresh: [sellingKey(account.id)],
    onSaved: close,
    onRefused: (error) => setProblem(Object.values(problemsByField(error, say))[0] ?? ""),
  });
  useUnsaved(tag !== "" && !add.isPending);
  return (
    <Form
      className={styles.tagForm}
      onSubmit={() => {
        if (tag.trim()) add.mutate(undefined);
        else setProblem(say("form.required", { field: say("tags.tag.the") }));
      }}
    >
      <TextInput
        label={say("tags.tag")}
        value={tag}
        error={problem || undefined}
        onChange={(event) => setTag(event.currentTarget.value)}
      />
      <Select
        label={say("tags.action")}
        allowDeselect={false}
        data={ACTIONS.map((value) => ({ value, label: say(`tags.${value}`) }))}
        value={action}
        onChange={(value) => setAction(value === "ignore" ? "ignore" : "hold")}
      />
      <Button type="submit" variant="default" loading={add.isPending}>
        {say("tags.add")}
      </Button>
    </Form>
  );
}
