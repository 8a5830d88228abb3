import { Modal } from "@mantine/core";
import { IconCode } from "@tabler/icons-react";
import { useState } from "react";
import { CopyIcon } from "../../parts/copy-text.tsx";
import { ErrorCard, Loading } from "../../parts/states.tsx";
import { useWords } from "../../words/words.tsx";
import own from "./order.module.css";
import { type OrderPlace, useSent } from "./queries.ts";

/** The shop's last body, loaded on demand. */
export function RawData({ place }: { readonly place: OrderPlace }) {
  const say = useWords();
  const [isOpen, setOpen] = useState(false);
  return (
    <p className={own.note}>
      <IconCode size={16} aria-hidden />
      <button type="button" onClick={() => setOpen(true)}>
        {say("raw")}
      </button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        closeButtonProps={{ "aria-label": say("close") }}
        size={840}
        title={say("order.raw")}
      >
        <SentBody place={place} />
      </Modal>
    </p>
  );
}

function SentBody({ place }: { readonly place: OrderPlace }) {
  const say = useWords();
  const sent = useSent(place, true);
  if (sent.isLoadingError) return <ErrorCard error={sent.error} retry={() => void sent.refetch()} />;
  if (!sent.data) return <Loading />;
  const text = indented(sent.data.sent);
  return (
    <div className="stack">
      <div className="row">
        <span className="muted">{say("order.raw.hint")}</span>
        <CopyIcon text={text} what={say("order.raw")} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <pre className={own.raw} tabIndex={0}>
        {text}
      </pre>
    </div>
  );
}

function indented(sent: string): string {
  try {
    return JSON.stringify(JSON.parse(sent), null, 2);
  } catch {
    return sent;
  }
}
