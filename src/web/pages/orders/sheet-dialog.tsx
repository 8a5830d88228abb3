import { Modal } from "@mantine/core";
import { useWords } from "../../words/words.tsx";
import { Sheet } from "../invoices/sheet.tsx";
import type { Draft } from "./queries.ts";
import { invoiceTypeWord } from "./shown.ts";

interface SheetDialogProps {
  readonly draft: Draft;
  readonly isOpen: boolean;
  readonly close: () => void;
}

/** The whole invoice as its customer would get it; without QR, because there is nothing to verify yet. */
export function SheetDialog({ draft, isOpen, close }: SheetDialogProps) {
  const say = useWords();
  const type = invoiceTypeWord(draft.invoiceType, say, draft.documentaryRegime === "art6_full");
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      closeButtonProps={{ "aria-label": say("close") }}
      size={840}
      title={`${type} · ${say("review.would.note")}`}
    >
      <Sheet {...draft.sheet} />
    </Modal>
  );
}
