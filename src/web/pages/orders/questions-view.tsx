import { Button, Card } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "react-router";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { useRefusedParams } from "../../parts/filters/known-params.ts";
import { Pager } from "../../parts/pager.tsx";
import { Empty, ErrorCard, Loading } from "../../parts/states.tsx";
import { dayOfMonth } from "../../words/format.ts";
import { type Say, useWords } from "../../words/words.tsx";
import { type useAddress, withoutEmpty } from "./address.ts";
import { REVIEW_PARAMS } from "./queries.ts";
import { type Question, useQuestionJob, useQuestions } from "./question-calls.ts";
import { QuestionCard } from "./question-card.tsx";
import { QuestionOutcomes } from "./question-outcomes.tsx";
import { questionTitle } from "./question-title.ts";
import own from "./questions.module.css";

type Filter = Parameters<typeof useQuestions>[0];

/** Equal questions: one card each, open to be answered for all of its orders. */
export function QuestionsView({ address }: { readonly address: ReturnType<typeof useAddress> }) {
  const say = useWords();
  const filter = withoutEmpty({
    reason: address.value("reason"),
    connection: address.value("connection"),
    cursor: address.value("cursor"),
  });
  // The API checks the values in the address.
  const questions = useQuestions(filter as Filter);
  const [opened, setOpened] = useState<string>();
  const [begun, setBegun] = useState<{ readonly question: Question; readonly id: string }>();
  const job = useQuestionJob(begun?.question, begun?.id);
  if (useRefusedParams(questions.error, REVIEW_PARAMS)) return <Loading rows={6} />;
  if (questions.isLoadingError) {
    return <ErrorCard error={questions.error} retry={() => void questions.refetch()} />;
  }
  if (!questions.data) return <Loading rows={6} />;
  const { items, next } = questions.data;
  const first = items.find(({ orders }) => orders > 1);
  const shown = opened ?? (first ? keyOf(first) : "");
  const folded = items.filter((question) => keyOf(question) !== shown);
  const open = items.find((question) => keyOf(question) === shown);
  return (
    <div className="stack">
      {job.data && (
        <Card>
          <QuestionOutcomes job={job.data} />
        </Card>
      )}
      {items.length === 0 && (
        <Card>
          <Empty text={say("review.empty")} />
        </Card>
      )}
      {open && (
        <QuestionCard
          key={shown}
          question={open}
          title={titleOf(open, say)}
          isRunning={job.data?.endedAt === null}
          begun={(id) => setBegun({ question: open, id })}
        />
      )}
      {folded.length > 0 && (
        <Card>
          <ol className={own.folded}>
            {folded.map((question) => (
              <Folded key={keyOf(question)} question={question} open={() => setOpened(keyOf(question))} />
            ))}
          </ol>
          <Pager previous={null} next={next} go={address.go} />
        </Card>
      )}
    </div>
  );
}

function Folded({ question, open }: { readonly question: Question; readonly open: () => void }) {
  const say = useWords();
  const { account } = useCompany();
  const { orders, connection, dueDate, connectionId, orderId } = question;
  const isOne = orders === 1;
  const facts = { n: orders, connection, date: dayOfMonth(dueDate) };
  return (
    <li>
      <IconAlertTriangle size={20} aria-hidden className={own.warn} />
      <div>
        <h2>{titleOf(question, say)}</h2>
        <p>{say(isOne ? "review.q.one" : "review.q.orders", facts)}</p>
      </div>
      {isOne ? (
        <Button
          component={Link}
          size="xs"
          variant="default"
          to={paths.reviewOne(account.id, connectionId, orderId)}
        >
          {say("review.q.see")}
        </Button>
      ) : (
        <Button size="xs" variant="default" onClick={open}>
          {say("review.q.open")}
        </Button>
      )}
    </li>
  );
}

function keyOf({ connectionId, text }: Question): string {
  return `${connectionId} ${text}`;
}

function titleOf({ reason, about }: Question, say: Say): string {
  const { code, title, facts } = reason;
  return questionTitle({ code, about, title, names: facts }, say);
}
