import { Button, Card } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useId, useState } from "react";
import { useCompany } from "../../app/session.tsx";
import { Checkbox } from "../../parts/choices.tsx";
import { Select } from "../../parts/fields.tsx";
import { OssDoubts } from "../../parts/oss.tsx";
import partStyles from "../../parts/parts.module.css";
import { useSave } from "../../parts/save.ts";
import { ErrorCard, Loading } from "../../parts/states.tsx";
import { dayOfMonth } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import { useAddress } from "./address.ts";
import { Together } from "./answers/for-all.tsx";
import { DismissDialog } from "./dismiss-dialog.tsx";
import { type AnswerBody, type ShownReason, useOrder, usePreview } from "./queries.ts";
import { canBeRemembered, type Question, sendQuestionAnswer, useQuestionPreview } from "./question-calls.ts";
import { Consequence } from "./question-consequence.tsx";
import { QuestionRows } from "./question-rows.tsx";
import own from "./questions.module.css";
import { ReasonAnswer } from "./reason-list.tsx";
import { keyOfReason, refusalsByReason, type Typed } from "./typed-answers.ts";

interface QuestionCardProps {
  readonly question: Question;
  readonly title: string;
  /** An answer is on its way to the orders. */
  readonly isRunning: boolean;
  readonly begun: (jobId: string) => void;
}

const TYPING_MS = 300;
/** One question with its fields, what the answer would do to each order, and one button for all. */
export function QuestionCard({ question, title, isRunning, begun }: QuestionCardProps) {
  const say = useWords();
  const id = useId();
  const { isReadOnly } = useCompany();
  const [typed, setTyped] = useState<Typed>();
  const [remember, setRemember] = useState(true);
  const [except, setExcept] = useState<readonly string[]>([]);
  const [debounced] = useDebouncedValue({ answer: typed?.answer, except }, TYPING_MS);
  const isApproval = question.reason.answers.includes("approve");
  const given = isApproval ? APPROVAL : debounced.answer;
  const preview = useQuestionPreview(question, given, debounced.except);
  const act = useAnswering(question, begun);
  const canRemember = given !== undefined && canBeRemembered(given);
  if (preview.isLoadingError) {
    return <ErrorCard error={preview.error} retry={() => void preview.refetch()} />;
  }
  if (!preview.data) return <Loading rows={6} />;
  const { data } = preview;
  const ticked = data.orders - except.length;
  const send = (answer: AnswerBody, isRemembered: boolean) =>
    act.send({ answer, except, remember: isRemembered, asOf: data.asOf });
  return (
    <Card component="section" aria-labelledby={id}>
      <div className={own.head}>
        <IconAlertTriangle size={20} aria-hidden className={own.warn} />
        <div>
          <h2 id={id}>{title}</h2>
          <p>
            {say("review.q.orders", {
              n: data.orders,
              connection: question.connection,
              date: dayOfMonth(question.dueDate),
            })}
          </p>
          <Fields question={question} typed={typed} change={setTyped} />
          {canRemember && !isReadOnly && (
            <Checkbox
              {...(own.below ? { className: own.below } : {})}
              label={say("review.remember")}
              checked={remember}
              onChange={({ currentTarget: { checked } }) => setRemember(checked)}
            />
          )}
        </div>
      </div>
      <Consequence preview={data} />
      <QuestionRows orders={data.items} except={except} setExcept={setExcept} />
      {!isReadOnly && (
        <Dock
          ticked={ticked}
          isBusy={isRunning || act.isBusy || preview.isFetching}
          answer={given === undefined ? undefined : () => send(given, canRemember && remember)}
          dismiss={(why) => send({ answer: "dismiss", why }, false)}
          reason={question.reason.code}
        />
      )}
    </Card>
  );
}

const APPROVAL: AnswerBody = { answer: "approve" };

interface FieldsProps {
  readonly question: Question;
  readonly typed: Typed | undefined;
  readonly change: (typed: Typed) => void;
}

/** The form of the oldest order's reason, which stands for all. */
function Fields({ question, typed, change }: FieldsProps) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  const place = { connection: question.connectionId, order: question.orderId };
  const order = useOrder(place);
  const answers = typed?.answer ? [typed.answer] : [];
  const preview = usePreview(place, answers);
  const { answers: kinds } = question.reason;
  if (isReadOnly) return null;
  if (kinds.length === 1) return <p className={own.below}>{say("review.q.only_dismiss")}</p>;
  if (question.reason.code === "recipient_incomplete") return <Article42 typed={typed} change={change} />;
  if (!order.data || !preview.data) return null;
  const reason: ShownReason = { ...question.reason, isSettled: false };
  const key = keyOfReason(reason);
  const refusals = typed?.answer
    ? refusalsByReason([{ key, answer: typed.answer, isForAll: false }], preview.data.refusals)
    : {};
  const { drafts, outlook } = preview.data;
  return (
    <Together value={true}>
      <ReasonAnswer
        reason={reason}
        order={order.data}
        place={place}
        choices={preview.data.choices}
        typed={typed}
        refusals={refusals[key] ?? {}}
        change={change}
      />
      <OssDoubts doubts={drafts[0]?.ossDoubts ?? outlook?.ossDoubts ?? []} />
    </Together>
  );
}

type Operation = NonNullable<
  Extract<AnswerBody, { readonly answer: "declare_sales" }>["sales"]["article_4_2"]
>;
const OPERATIONS: readonly Operation[] = [
  ...(["retail_sale", "itinerant_sale", "home_sale_or_service", "passenger_transport"] as const),
  ...(["hospitality", "dance_venue", "public_telephone", "hairdressing_beauty"] as const),
  ...(["sports_facility", "photography", "parking", "film_rental", "laundry", "toll_motorway"] as const),
];

/** Customers differ, but the kind of operation may allow all of these sales a simplified invoice. */
function Article42({ typed, change }: Pick<FieldsProps, "typed" | "change">) {
  const say = useWords();
  const said = typed?.answer?.answer === "declare_sales" ? typed.answer.sales.article_4_2 : undefined;
  return (
    <Select
      {...(own.below ? { className: own.below } : {})}
      label={say("art42.operation")}
      placeholder={say("review.choose")}
      data={OPERATIONS.map((value) => ({ value: value as string, label: say(`art42.${value}`) }))}
      value={said ?? null}
      onChange={(chosen) => {
        const article_4_2 = OPERATIONS.find((one) => one === chosen);
        if (article_4_2)
          change({ answer: { answer: "declare_sales", sales: { article_4_2 } }, isForAll: false });
      }}
    />
  );
}

interface DockProps {
  readonly ticked: number;
  readonly isBusy: boolean;
  readonly answer: (() => void) | undefined;
  readonly dismiss: (why: string) => void;
  readonly reason: string;
}

function Dock({ ticked, isBusy, answer, dismiss, reason }: DockProps) {
  const say = useWords();
  const address = useAddress();
  const [isDismissing, setDismissing] = useState(false);
  return (
    <div className={partStyles.dock}>
      <Button variant="subtle" color="gray" disabled={ticked === 0} onClick={() => setDismissing(true)}>
        {say("review.q.dismiss")}
      </Button>
      <span className="end">
        <Button variant="default" onClick={() => address.set({ by: "one", reason })}>
          {say("review.q.one_by_one")}
        </Button>
        {answer && (
          <Button loading={isBusy} disabled={ticked === 0} onClick={answer}>
            {say("review.answer_many", { n: ticked })}
          </Button>
        )}
      </span>
      <DismissDialog
        title={say("review.dismiss.title.many", { n: ticked })}
        isOpen={isDismissing}
        isBusy={isBusy}
        close={() => setDismissing(false)}
        dismiss={(why) => {
          dismiss(why);
          setDismissing(false);
        }}
      />
    </div>
  );
}

interface GivenAnswer {
  readonly answer: AnswerBody;
  readonly except: readonly string[];
  readonly remember: boolean;
  readonly asOf: number | null;
}

/** One key for each answer, so that a repeated request is no second answer. */
function useAnswering(question: Question, begun: (jobId: string) => void) {
  const { account } = useCompany();
  const save = useSave({
    send: (given: GivenAnswer) =>
      sendQuestionAnswer(account.id, question, { ...given, key: crypto.randomUUID() }),
    onSaved: ({ id }) => begun(id),
  });
  return { isBusy: save.isPending, send: (given: GivenAnswer) => save.mutate(given) };
}
