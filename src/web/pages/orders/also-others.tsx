import { useState } from "react";
import { ApiError } from "../../api/errors.ts";
import { useCompany } from "../../app/session.tsx";
import { Checkbox } from "../../parts/choices.tsx";
import { useWords } from "../../words/words.tsx";
import own from "./order.module.css";
import type { AnswerBody, Order, OrderPlace } from "./queries.ts";
import {
  canBeRemembered,
  type QuestionPreview,
  sendQuestionAnswer,
  useQuestionPreview,
} from "./question-calls.ts";
import { Consequence } from "./question-consequence.tsx";
import { keyOfReason, type TypedByReason } from "./typed-answers.ts";

const APPROVAL: AnswerBody = { answer: "approve" };

/** The other orders that ask what this one asks, and the answer that they get with it. */
export interface AlsoOthers {
  /** The reason next to which they are offered; undefined until an answer is typed that several can get. */
  readonly key: string | undefined;
  readonly offered: Offered | undefined;
  /** Gives the answer to the others; undefined unless the owner has asked for it. */
  readonly send: (() => Promise<{ readonly id: string } | undefined>) | undefined;
}

interface Offered {
  readonly others: number;
  readonly isTicked: boolean;
  readonly tick: (isTicked: boolean) => void;
  readonly canRemember: boolean;
  readonly isRemembered: boolean;
  readonly remember: (isRemembered: boolean) => void;
  readonly preview: QuestionPreview | undefined;
}

const NOBODY: AlsoOthers = { key: undefined, offered: undefined, send: undefined };

/** The question is that of the order as it is stored: typed answers do not change it. */
export function useAlsoOthers(
  { asks, orderId }: Order,
  { connection }: OrderPlace,
  typed: TypedByReason,
): AlsoOthers {
  const { account, isReadOnly } = useCompany();
  // An amount of one code is mostly the same kind of charge in every order, so the box starts ticked.
  const [isTicked, setTicked] = useState(asks?.code === "untreated_total");
  const [isRemembered, setRemembered] = useState(true);
  const key = asks ? keyOfReason(asks) : "";
  const typedHere = asks?.answers.includes("approve") ? APPROVAL : typed[key]?.answer;
  const given = typedHere && asks?.answers.includes(typedHere.answer) ? typedHere : undefined;
  const question = { connectionId: connection, text: asks?.text ?? "" };
  const preview = useQuestionPreview(question, isTicked ? given : undefined, [orderId], {
    isOn: asks !== null && !isReadOnly,
  });
  const others = (preview.data?.orders ?? 0) - 1;
  // An answer that names this order is none for the others; it keeps its own box for all of them.
  if (!asks || isReadOnly || others < 1 || !given) return NOBODY;
  const canRemember = canBeRemembered(given);
  const answer = { answer: given, except: [], remember: canRemember && isRemembered };
  const asOf = preview.data?.asOf ?? null;
  return {
    key,
    offered: {
      ...{ others, isTicked, canRemember, isRemembered },
      tick: setTicked,
      remember: setRemembered,
      preview: preview.data,
    },
    send: isTicked
      ? () =>
          sendQuestionAnswer(account.id, question, { ...answer, asOf, key: crypto.randomUUID() }).catch(
            unlessSettled,
          )
      : undefined,
  };
}

/** Somebody else has answered the others meanwhile. */
function unlessSettled(error: unknown): undefined {
  if (error instanceof ApiError && error.code === "question_settled") return undefined;
  throw error;
}

/** A box below the answer; ticked, it says what would become of the others. */
export function AlsoOthersBox({ offered }: { readonly offered: Offered }) {
  const say = useWords();
  const { others, isTicked, tick, canRemember, isRemembered, remember, preview } = offered;
  const below = own.below ? { className: own.below } : {};
  return (
    <>
      <Checkbox
        {...below}
        label={say("review.apply_all", { n: others })}
        checked={isTicked}
        onChange={({ currentTarget: { checked } }) => tick(checked)}
      />
      {isTicked && canRemember && (
        <Checkbox
          {...below}
          label={say("review.remember")}
          checked={isRemembered}
          onChange={({ currentTarget: { checked } }) => remember(checked)}
        />
      )}
      {isTicked && preview && <Consequence preview={preview} isPlain />}
    </>
  );
}
