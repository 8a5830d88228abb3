import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { answer } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { MoreOfList } from "../../parts/more-of-list.tsx";
import { Section } from "../../parts/page-head.tsx";
import partStyles from "../../parts/parts.module.css";
import { useSave } from "../../parts/save.ts";
import { ErrorCard, Loading } from "../../parts/states.tsx";
import { count, date, percent } from "../../words/format.ts";
import { isWord, type Say, useWords } from "../../words/words.tsx";
import { questionTitle } from "../orders/question-title.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { ofAccount, sellingKey } from "./queries.ts";
import styles from "./settings.module.css";

function rememberedKey(account: string) {
  return [...sellingKey(account), "remembered"] as const;
}

function useRemembered(account: string) {
  return useInfiniteQuery({
    queryKey: rememberedKey(account),
    queryFn: ({ pageParam }) =>
      answer(
        ofAccount.remembered.$get({
          param: { account },
          query: pageParam === "" ? {} : { cursor: pageParam },
        }),
      ),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });
}

type Remembered = NonNullable<ReturnType<typeof useRemembered>["data"]>["pages"][number]["items"][number];

/** Answers that decide later orders, each with its question, its person and its uses. */
export function RememberedAnswers() {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  const listed = useRemembered(account.id);
  const [leaving, setLeaving] = useState<Remembered>();
  if (listed.isLoadingError) {
    return <ErrorCard error={listed.error} retry={() => void listed.refetch()} />;
  }
  if (!listed.data) return <Loading rows={2} />;
  const answers = listed.data.pages.flatMap(({ items }) => items);
  const isNone = answers.length === 0;
  return (
    <Section title={say("remembered.title")} flush>
      <p className={`${styles.pad} muted text-column`}>
        {say(isNone ? "remembered.empty" : "remembered.lead")}
      </p>
      {!isNone && <Answers answers={answers} forget={isReadOnly ? undefined : setLeaving} />}
      <MoreOfList list={listed} label={say("remembered.more")} className={styles.foot} />
      {leaving && <ForgetDialog one={leaving} close={() => setLeaving(undefined)} />}
    </Section>
  );
}

interface AnswersProps {
  readonly answers: readonly Remembered[];
  /** Undefined for those who may only read. */
  readonly forget: ((one: Remembered) => void) | undefined;
}

function Answers({ answers, forget }: AnswersProps) {
  const say = useWords();
  return (
    <>
      <div className={partStyles.folds}>
        <table className={partStyles.table}>
          <caption className="hidden">{say("remembered.title")}</caption>
          <thead>
            <tr>
              <th scope="col">{say("remembered.question")}</th>
              <th scope="col">{say("remembered.answer")}</th>
              <th scope="col">{say("remembered.who")}</th>
              <th scope="col">{say("remembered.used")}</th>
              {forget && (
                <th scope="col">
                  <span className="hidden">{say("remembered.forget")}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {answers.map((one) => (
              <Row key={keyOf(one)} one={one} forget={forget} />
            ))}
          </tbody>
        </table>
      </div>
      <ul className={partStyles.list}>
        {answers.map((one) => (
          <Item key={keyOf(one)} one={one} forget={forget} />
        ))}
      </ul>
    </>
  );
}

interface AnswerProps extends Pick<AnswersProps, "forget"> {
  readonly one: Remembered;
}

function Row({ one, forget }: AnswerProps) {
  const say = useWords();
  const { account } = useCompany();
  return (
    <tr>
      <td>
        {titleOf(one, say)}
        <span className={partStyles.second}>{salesOf(one, say)}</span>
      </td>
      <td>{answerOf(one, say)}</td>
      <td>
        {one.rememberedBy ?? say("remembered.nobody")}
        <span className={partStyles.second}>{date(one.rememberedAt, account.timeZone)}</span>
      </td>
      <td className="nowrap">{usesOf(one, say)}</td>
      {forget && (
        <td className="num">
          <Forget one={one} forget={forget} />
        </td>
      )}
    </tr>
  );
}

function Item({ one, forget }: AnswerProps) {
  const say = useWords();
  const { account } = useCompany();
  const by = {
    name: one.rememberedBy ?? say("remembered.nobody"),
    date: date(one.rememberedAt, account.timeZone),
  };
  return (
    <li>
      <span>
        <b>{titleOf(one, say)}</b>
        <span className={partStyles.second}>{salesOf(one, say)}</span>
      </span>
      <span>{answerOf(one, say)}</span>
      <span className={partStyles.line}>
        <span className="small muted">
          {say("remembered.by", by)} · {usesOf(one, say)}
        </span>
        {forget && (
          <span className={partStyles.fixed}>
            <Forget one={one} forget={forget} />
          </span>
        )}
      </span>
    </li>
  );
}

function Forget({ one, forget }: Required<AnswerProps>) {
  const say = useWords();
  return (
    <Button
      variant="default"
      size="xs"
      aria-label={say("remembered.forget.of", { question: titleOf(one, say) })}
      onClick={() => forget?.(one)}
    >
      {say("remembered.forget")}
    </Button>
  );
}

function ForgetDialog({ one, close }: { readonly one: Remembered; readonly close: () => void }) {
  const say = useWords();
  const { account } = useCompany();
  const { connectionId: connection, profile, setting, version } = one;
  const forget = useSave({
    send: () =>
      answer(
        ofAccount.remembered.$delete({
          param: { account: account.id },
          query: { connection, setting, version, ...(profile ? { profile: profile.id } : {}) },
        }),
      ),
    refresh: [sellingKey(account.id), [account.id, "orders"]],
    onSaved: close,
  });
  return (
    <ConfirmDialog
      title={say("remembered.forget.title")}
      isOpen
      close={close}
      act={say("remembered.forget")}
      isBusy={forget.isPending}
      confirm={() => forget.mutate(undefined)}
    >
      <p>
        <b>{titleOf(one, say)}</b>
        <br />
        {answerOf(one, say)}
      </p>
      <p>{say("remembered.forget.body")}</p>
    </ConfirmDialog>
  );
}

function keyOf({ connectionId, profile, setting }: Remembered): string {
  return JSON.stringify([connectionId, profile?.id, setting]);
}

/** Its reason's title speaks of one order; the question is about all of them. */
function titleOf({ code, about, title, names }: Remembered, say: Say): string {
  const id = `remembered.${code}`;
  return code !== null && isWord(id)
    ? say(id)
    : questionTitle({ code: code ?? "", about, title, names }, say);
}

function salesOf({ connection, profile }: Remembered, say: Say): string {
  return profile ? say("remembered.of_profile", { connection, profile: profile.name }) : connection;
}

function usesOf({ uses }: Remembered, say: Say): string {
  return say("remembered.uses", { n: uses, count: count(uses) });
}

const FAMILIES: Readonly<Record<string, string>> = {
  treatments: "treat",
  discounts: "treat",
  destinations: "review.foreign",
  zeroRateBasis: "zero",
  customerCredit: "credit",
  article42: "art42",
};

function answerOf({ setting, value: { as, rate } }: Remembered, say: Say): string {
  const [member = ""] = setting.split(" ");
  const id = `${FAMILIES[member]}.${as}`;
  const text = isWord(id) ? say(id) : as;
  return rate === null ? text : `${text}, ${percent(rate)}`;
}
