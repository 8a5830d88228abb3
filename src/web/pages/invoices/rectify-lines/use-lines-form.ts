import { useDebouncedValue } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useNavigate } from "react-router";
import { ApiError } from "../../../api/errors.ts";
import { paths } from "../../../app/paths.ts";
import { useCompany } from "../../../app/session.tsx";
import { problemsByField, useSave } from "../../../parts/save.ts";
import { useUnsaved } from "../../../parts/unsaved.tsx";
import { useWords } from "../../../words/words.tsx";
import { ORDERS } from "../../orders/queries.ts";
import { afterChange, type InvoiceDetail } from "../invoice-queries.ts";
import {
  type LinesAct,
  type LinesBody,
  type LinesPreview,
  previewsOf,
  rectifyLines,
  type SaleChange,
  useLinesPreview,
} from "./lines-queries.ts";
import {
  amountsFor,
  beginningWith,
  bodyOf,
  everythingOf,
  fieldOf,
  type LinesProblems,
  type LinesValues,
  problemOf,
  problemsIn,
  wrongLines,
} from "./lines-values.ts";

/** After so much quiet what was typed is asked about. */
const TYPING_MS = 300;

const NOTHING: LinesBody = { what: "refund", lines: [], cause: "" };

interface LinesFormOptions {
  readonly invoice: InvoiceDetail;
  readonly first: LinesPreview;
  readonly what: SaleChange;
}

/** What is typed, what would come of it, and the act. */
export function useLinesForm({ invoice, first, what }: LinesFormOptions) {
  const say = useWords();
  const [values, setValues] = useState(() => beginningWith(what, first.lines));
  const [problems, setProblems] = useState<LinesProblems>({});
  const [refused, setRefused] = useState("");
  const [isEdited, setEdited] = useState(false);
  const live = useLivePreview(invoice.id, values, first);
  const { preview } = live;
  const act = useRectification(invoice, ({ "": whole = "", ...inFields }) => {
    setProblems(inFields);
    setRefused(whole);
  });
  useUnsaved(isEdited && !act.isPending && !act.isSuccess);

  /** The fields are no longer wrong, so far as is known. */
  function change(next: Partial<LinesValues>, ...fields: readonly string[]) {
    setValues((before) => ({ ...before, ...next }));
    setProblems((before) => without(before, fields));
    setRefused("");
    setEdited(true);
  }
  function send() {
    if (act.unanswered?.values === values) return act.repeat(act.unanswered);
    const found = problemsIn(values, preview.lines, say);
    setProblems(found);
    setRefused("");
    if (Object.keys(found).length > 0) return;
    // The total that is confirmed is the one on the screen.
    if (!live.isCurrent) return setRefused(say("byLines.stale"));
    if (preview.total === null) return setRefused(preview.problem?.message ?? "");
    const expects = { total: preview.total, left: preview.left };
    act.mutate({ values, act: { ...bodyOf(values, preview.lines), expects } });
  }
  return {
    values,
    live,
    problems: { ...live.problems, ...problems },
    refused,
    isBusy: act.isPending,
    change,
    send,
    choose: (chosen: SaleChange) =>
      change({ what: chosen, amounts: amountsFor(chosen, preview.lines) }, ...Object.keys(problems)),
    setQuantity: (line: number, typed: string) =>
      change({ quantities: { ...values.quantities, [line]: typed } }, `quantities.${line}`, "lines"),
    setAmount: (line: number, typed: string) =>
      change({ amounts: { ...values.amounts, [line]: typed } }, `amounts.${line}`, "lines"),
    takeEverything: () =>
      change(everythingOf(preview.lines), ...Object.keys(problems).filter((name) => name !== "cause")),
  };
}

function without(problems: LinesProblems, fields: readonly string[]): LinesProblems {
  return Object.fromEntries(Object.entries(problems).filter(([name]) => !fields.includes(name)));
}

/** The preview of what is typed, 300 ms after it was typed. */
function useLivePreview(invoice: string, values: LinesValues, first: LinesPreview) {
  const say = useWords();
  const [settled] = useDebouncedValue(values, TYPING_MS);
  const [known, setKnown] = useState(first);
  const wrong = wrongLines(settled, known.lines, say);
  const isAsked = Object.keys(wrong).length === 0;
  const body = bodyOf(settled, known.lines);
  const query = useLinesPreview(invoice, body, isAsked);
  const answered = query.data ?? { asked: { ...NOTHING, what: settled.what }, preview: first };
  const { asked, preview } = answered;
  // Lines may have changed by another person's act: what is typed is read against the newest.
  if (preview !== known) setKnown(preview);
  // The cause is printed and changes no amount.
  const isCurrent =
    isAsked && settled.what === values.what && isSame(asked, bodyOf(values, preview.lines)) && !query.error;
  return {
    asked,
    preview,
    isCurrent,
    isLoading: isAsked && !isCurrent && !query.error,
    isUnknown: !isAsked,
    problems: { ...(isSame(asked, body) ? problemOf(preview, asked) : {}), ...wrong },
    error: query.error,
    retry: () => void query.refetch(),
  };
}

function isSame(one: LinesBody, other: LinesBody): boolean {
  return JSON.stringify([one.what, one.lines]) === JSON.stringify([other.what, other.lines]);
}

interface Sent {
  readonly values: LinesValues;
  readonly act: LinesAct;
}

/**
 * The id is the page's. An act without an answer may have been carried out: unless the form is edited, the
 * next try repeats it as it was, although the invoice may have changed by it, and so issues nothing twice.
 */
function useRectification({ id }: InvoiceDetail, onRefused: (problems: LinesProblems) => void) {
  const say = useWords();
  const { account } = useCompany();
  const client = useQueryClient();
  const go = useNavigate();
  const [requestId] = useState(() => crypto.randomUUID());
  const sent = useRef<LinesBody>(NOTHING);
  const [unanswered, setUnanswered] = useState<Sent>();
  const save = useSave({
    send: (next: Sent) => {
      sent.current = next.act;
      setUnanswered(next);
      return rectifyLines(account.id, id, { ...next.act, requestId });
    },
    refresh: [...afterChange(account.id), [account.id, ORDERS]],
    onSaved: (made) => void go(paths.invoice(account.id, made.id)),
    onRefused: async (error) => {
      if (error instanceof ApiError && error.status < 500) {
        setUnanswered(undefined);
        // Whatever was refused, the lines may be others by now.
        await client.invalidateQueries({ queryKey: previewsOf(account.id, id) });
      }
      const isStale = error instanceof ApiError && error.code === "preview_stale";
      const found = isStale ? { "": say("byLines.stale") } : problemsByField(error, say);
      const inFields = Object.entries(found).map(([path, text]) => [fieldOf(path, sent.current), text]);
      onRefused(Object.fromEntries(inFields));
    },
  });
  return { ...save, unanswered, repeat: (last: Sent) => save.mutate(last) };
}
