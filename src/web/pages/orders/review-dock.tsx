import { Button, Card } from "@mantine/core";
import { useState } from "react";
import { useCompany } from "../../app/session.tsx";
import partStyles from "../../parts/parts.module.css";
import { type Say, useWords } from "../../words/words.tsx";
import { DismissDialog } from "./dismiss-dialog.tsx";
import own from "./order.module.css";
import type { Order, Preview } from "./queries.ts";
import { goToFirstOpen, isOpen } from "./reason-list.tsx";
import { nameOf } from "./shown.ts";

interface ReviewDockProps {
  readonly order: Order;
  readonly preview: Preview;
  /** True if typed answers can be saved while other reasons are open. */
  readonly canSave: boolean;
  readonly isBusy: boolean;
  readonly issue: () => void;
  readonly save: () => void;
  readonly dismiss: (why: string) => void;
}

/**
 * Two buttons: dismiss and the main action. The main one is never disabled: with open reasons it leads to the
 * first.
 */
export function ReviewDock(props: ReviewDockProps) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  const [isDismissing, setDismissing] = useState(false);
  const { order, preview, canSave, isBusy, issue, save, dismiss } = props;
  const left = preview.reasons.filter(isOpen).length;
  if (isReadOnly) {
    return (
      <Card>
        <p className={`${partStyles.dock} muted`}>{say("error.readonly")}</p>
      </Card>
    );
  }
  return (
    <Card>
      <div className={partStyles.dock}>
        <Button
          {...(own.quiet ? { className: own.quiet } : {})}
          variant="subtle"
          color="gray"
          onClick={() => setDismissing(true)}
        >
          {say(order.documents.length > 0 ? "review.dismiss.after" : "review.dismiss")}
        </Button>
        <div className={`end ${own.first}`}>
          {left > 0 && <span className="muted small">{say("review.pending", { n: left })}</span>}
          {left > 0 && canSave && (
            <Button variant="default" loading={isBusy} onClick={save}>
              {say("review.issue.save")}
            </Button>
          )}
          <Button loading={isBusy} onClick={left > 0 ? goToFirstOpen : issue}>
            {verbOf(props, say)}
          </Button>
        </div>
      </div>
      <DismissDialog
        title={say("review.dismiss.title", { order: nameOf({ orderId: order.orderId, ...order.facts }) })}
        isOpen={isDismissing}
        isBusy={isBusy}
        close={() => setDismissing(false)}
        dismiss={dismiss}
      />
    </Card>
  );
}

function verbOf({ order, preview }: ReviewDockProps, say: Say): string {
  const [annulled] = preview.annulled;
  if (annulled !== undefined) return say("review.issue.annul", { number: annulled });
  if (preview.drafts.some(({ kind }) => kind === "rectification")) return say("review.issue.rectify");
  if (preview.drafts.length > 0) return say("review.issue");
  const isFirst = order.documents.length === 0;
  return say(isFirst && preview.state === "held" ? "review.issue" : "review.issue.settle");
}
