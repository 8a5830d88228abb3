import { Button, Modal } from "@mantine/core";
import { useState } from "react";
import { Radio } from "../../parts/choices.tsx";
import { TextInput } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import partStyles from "../../parts/parts.module.css";
import shared from "../../parts/preview.module.css";
import { useWords } from "../../words/words.tsx";

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
  const [why, setWhy] = useState<Why>();
  const [other, setOther] = useState("");
  const [isTold, setTold] = useState(false);
  const text = why === "other" ? other.trim() : why ? say(`review.dismiss.${why}`) : "";
  function submit() {
    setTold(true);
    if (text !== "") dismiss(text);
  }
  function leave() {
    setTold(false);
    close();
  }
  return (
    <Modal
      opened={isOpen}
      onClose={leave}
      closeButtonProps={{ "aria-label": say("close") }}
      title={title}
      centered
    >
      <Form className="stack" onSubmit={submit}>
        <Radio.Group
          label={say("review.dismiss.body")}
          value={why ?? ""}
          error={isTold && !why && say("choice.missing")}
          onChange={(value) => setWhy(WHYS.find((one) => one === value))}
        >
          <div className="stack">
            {WHYS.map((one) => (
              <Radio.One key={one} value={one} label={say(`review.dismiss.${one}`)} />
            ))}
          </div>
        </Radio.Group>
        {why === "other" && (
          <TextInput
            label={say("review.dismiss.why")}
            maxLength={500}
            value={other}
            onChange={({ currentTarget: { value } }) => setOther(value)}
            error={isTold && text === "" && say("form.required", { field: say("review.why_note.the") })}
          />
        )}
        <div className={partStyles.dock} style={{ padding: 0 }}>
          <Button variant="default" onClick={leave}>
            {say("cancel")}
          </Button>
          <span className="end">
            <Button {...(shared.danger ? { className: shared.danger } : {})} type="submit" loading={isBusy}>
              {say("review.dismiss.button")}
            </Button>
          </span>
        </div>
      </Form>
    </Modal>
  );
}
