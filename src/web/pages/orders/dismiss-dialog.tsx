import { Button, Modal, Radio, TextInput } from "@mantine/core";
import { useState } from "react";
import partStyles from "../../parts/parts.module.css";
import { useWords } from "../../words/words.tsx";
import own from "./order.module.css";

const WHYS = ["test", "duplicate", "elsewhere", "other"] as const;
type Why = (typeof WHYS)[number];

interface DismissDialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly isBusy: boolean;
  readonly close: () => void;
  readonly dismiss: (why: string) => void;
}

/** Dismisses without an invoice; the reason is stored as typed. */
export function DismissDialog({ title, isOpen, isBusy, close, dismiss }: DismissDialogProps) {
  const say = useWords();
  const [why, setWhy] = useState<Why>("test");
  const [other, setOther] = useState("");
  const [isMissing, setMissing] = useState(false);
  function submit() {
    const text = why === "other" ? other.trim() : say(`review.dismiss.${why}`);
    setMissing(text === "");
    if (text !== "") dismiss(text);
  }
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      closeButtonProps={{ "aria-label": say("close") }}
      title={title}
      centered
    >
      <div className="stack">
        <p>{say("review.dismiss.body")}</p>
        <Radio.Group value={why} onChange={(value) => setWhy(WHYS.find((one) => one === value) ?? "test")}>
          <div className="stack">
            {WHYS.map((one) => (
              <Radio key={one} value={one} label={say(`review.dismiss.${one}`)} />
            ))}
          </div>
        </Radio.Group>
        {why === "other" && (
          <TextInput
            label={say("review.dismiss.why")}
            maxLength={500}
            value={other}
            onChange={({ currentTarget: { value } }) => setOther(value)}
            error={isMissing && say("form.required", { field: say("review.why_note.the") })}
          />
        )}
        <div className={partStyles.dock} style={{ padding: 0 }}>
          <Button variant="default" onClick={close}>
            {say("cancel")}
          </Button>
          <span className="end">
            <Button {...(own.danger ? { className: own.danger } : {})} loading={isBusy} onClick={submit}>
              {say("review.dismiss.button")}
            </Button>
          </span>
        </div>
      </div>
    </Modal>
  );
}
