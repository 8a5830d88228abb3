import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { InferRequestType } from "hono/client";
import { answer, api } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { type AnswerBody, ORDERS } from "./queries.ts";

const { questions } = api.accounts[":account"].review;

type QuestionsFilter =
  InferRequestType<typeof questions.$get> extends { readonly query: infer Asked } ? Asked : never;

/** The questions of held orders; those that most orders ask come first. */
export function useQuestions(filter: QuestionsFilter, { isOn } = { isOn: true }) {
  const { account: company } = useCompany();
  return useQuery({
    queryKey: [company.id, ORDERS, "questions", filter],
    queryFn: () => answer(questions.$get({ param: { account: company.id }, query: filter })),
    placeholderData: keepPreviousData,
    enabled: isOn,
  });
}

export type Question = NonNullable<ReturnType<typeof useQuestions>["data"]>["items"][number];

function asked({ connectionId, text }: QuestionPlace) {
  return { connection: connectionId, text };
}

type QuestionPlace = Pick<Question, "connectionId" | "text">;

/** The orders of a question; with an answer, what it would do to each. */
export function useQuestionPreview(
  question: QuestionPlace,
  given: AnswerBody | undefined,
  except: readonly string[],
  { isOn } = { isOn: true },
) {
  const { account: company } = useCompany();
  const json = {
    question: asked(question),
    except: [...except],
    ...(given === undefined ? {} : { answer: given }),
  };
  return useQuery({
    queryKey: [company.id, ORDERS, "question", json],
    queryFn: () => answer(questions.preview.$post({ param: { account: company.id }, json })),
    placeholderData: keepPreviousData,
    staleTime: 0,
    enabled: isOn,
  });
}

export type QuestionPreview = NonNullable<ReturnType<typeof useQuestionPreview>["data"]>;
export type QuestionOrder = QuestionPreview["items"][number];

interface Given {
  readonly key: string;
  readonly answer: AnswerBody;
  readonly except: readonly string[];
  readonly remember: boolean;
  readonly asOf: number | null;
}

export function sendQuestionAnswer(company: string, question: QuestionPlace, given: Given) {
  const { key, except, remember, asOf } = given;
  return answer(
    questions.answers.$post({
      param: { account: company },
      json: {
        ...{ idempotency_key: key, question: asked(question), answer: given.answer },
        ...{ except: [...except], remember },
        ...(asOf === null ? {} : { as_of: asOf }),
      },
    }),
  );
}

const REMEMBERED: readonly AnswerBody["answer"][] = [
  "declare_treatment",
  "declare_discount",
  "declare_sales",
];

/** Settings that can be taken back; the kind of a voucher and the like have a setting of their own. */
export function canBeRemembered(given: AnswerBody): boolean {
  if (!REMEMBERED.includes(given.answer)) return false;
  if (given.answer !== "declare_sales") return true;
  const { voucher_kind, under_authorisation, discounts_included } = given.sales;
  return [voucher_kind, under_authorisation, discounts_included].every((one) => one === undefined);
}

const POLL_MS = 1_000;

/** The progress of an answer, read again each second until every order has its outcome. */
export function useQuestionJob(question: Pick<Question, "connectionId"> | undefined, id: string | undefined) {
  const { account: company } = useCompany();
  return useQuery({
    queryKey: [company.id, "question-job", id],
    queryFn: () =>
      answer(
        questions.answers.$get({
          param: { account: company.id },
          query: { connection: question?.connectionId ?? "", id: id ?? "" },
        }),
      ),
    enabled: id !== undefined,
    refetchInterval: ({ state: { data } }) => (data && data.endedAt !== null ? false : POLL_MS),
  });
}

export type QuestionJob = NonNullable<ReturnType<typeof useQuestionJob>["data"]>;
