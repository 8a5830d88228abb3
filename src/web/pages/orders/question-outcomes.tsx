import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useCompany } from "../../app/session.tsx";
import { count } from "../../words/format.ts";
import { type Say, useWords } from "../../words/words.tsx";
import { ORDERS } from "./queries.ts";
import type { QuestionJob } from "./question-calls.ts";
import own from "./questions.module.css";

/** How far the answer has come, and what became of each order. */
export function QuestionOutcomes({ job }: { readonly job: QuestionJob | undefined }) {
  const say = useWords();
  const client = useQueryClient();
  const { account } = useCompany();
  const isDone = job !== undefined && job.endedAt !== null;
  useEffect(() => {
    if (isDone) void client.invalidateQueries({ queryKey: [account.id, ORDERS] });
  }, [isDone, client, account.id]);
  if (!job) return null;
  const total = count(job.orders);
  return (
    <div className={own.outcomes} role="status">
      <p>
        {isDone
          ? say("review.q.done", { total, issued: job.issued })
          : say("review.q.running", { done: count(job.done), total })}
      </p>
      <ul>
        {job.outcomes.map((one) => (
          <li key={one.orderId}>
            {one.reference ?? one.orderId}: {outcomeText(one, say)}
          </li>
        ))}
      </ul>
    </div>
  );
}

function outcomeText({ outcome, detail }: QuestionJob["outcomes"][number], say: Say): string {
  if (outcome === null) return "…";
  return outcome === "issued" ? (detail ?? "✓") : say(`review.q.out.${outcome}`);
}
