import { Button, Modal } from "@mantine/core";
import { useState } from "react";
import { Section } from "../../parts/page-head.tsx";
import shared from "../../parts/preview.module.css";
import { ErrorCard } from "../../parts/states.tsx";
import { money } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import { Sheet } from "../invoices/sheet.tsx";
import styles from "./by-hand.module.css";
import type { Previewed, usePreview } from "./draft-queries.ts";
import { isOfField, problemText } from "./problems.ts";

interface PreviewCardProps {
  readonly preview: ReturnType<typeof usePreview>;
  /** The problems are told. */
  readonly isTold: boolean;
}

/** The invoice as it would be issued, on the sheet of its customer. */
export function PreviewCard({ preview, isTold }: PreviewCardProps) {
  const say = useWords();
  const shown = preview.data?.preview;
  const others = isTold ? (preview.data?.problems ?? []).filter((problem) => !isOfField(problem)) : [];
  return (
    <div className={shared.preview}>
      <Section title={say("hand.would")} aside={say("hand.draft.mark")}>
        <div className="stack">
          <p className="hidden" aria-live="polite">
            {shown ? money(shown.total, shown.currency) : ""}
          </p>
          {preview.isError && <ErrorCard error={preview.error} retry={() => void preview.refetch()} />}
          {others.length > 0 && (
            <ul className={styles.others} role="alert">
              {others.map((problem) => (
                <li key={`${problem.path} ${problem.code}`}>{problemText(problem, say)}</li>
              ))}
            </ul>
          )}
          {shown ? <Sheet {...shown.sheet} /> : <p className="muted">{say("hand.would.none")}</p>}
        </div>
      </Section>
    </div>
  );
}

/** The sheet in full width. */
export function WholeSheet({ shown }: { readonly shown: NonNullable<Previewed["preview"]> }) {
  const say = useWords();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {say("hand.would.whole")}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={say("hand.would")}
        size="xl"
        closeButtonProps={{ "aria-label": say("close") }}
      >
        <Sheet {...shown.sheet} />
      </Modal>
    </>
  );
}
