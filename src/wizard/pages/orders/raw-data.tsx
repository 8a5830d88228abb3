import { Button } from "@mantine/core";
import { IconCode } from "@tabler/icons-react";
import { useState } from "react";
import { CopyIcon } from "../../parts/copy-text.tsx";
import { ErrorCard } from "../../parts/error-card.tsx";
import { Section } from "../../parts/section.tsx";
import { useWords } from "../../words/words.tsx";
import own from "./order.module.css";
import { type OrderPlace, useSent } from "./queries.ts";

/** The last body of the shop, read where somebody asks for it. */
export function RawData({ place }: { readonly place: OrderPlace }) {
  const say = useWords();
  const [isOpen, setOpen] = useState(false);
  const sent = useSent(place, isOpen);
  const text = sent.data ? indented(sent.data.sent) : "";
  return (
    <Section
      title={say("order.raw")}
      aside={text === "" ? undefined : <CopyIcon text={text} what={say("order.raw")} />}
    >
      {sent.isError && <ErrorCard error={sent.error} retry={() => void sent.refetch()} />}
      {text === "" ? (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconCode size={16} aria-hidden />}
          loading={sent.isFetching}
          onClick={() => setOpen(true)}
        >
          {say("raw")}
        </Button>
      ) : (
        <>
          <p className="small muted">{say("order.raw.hint")}</p>
          {/* It scrolls by itself, so the keyboard must reach it. */}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by the keyboard */}
          <pre className={own.raw} tabIndex={0}>
            {text}
          </pre>
        </>
      )}
    </Section>
  );
}

function indented(sent: string): string {
  try {
    return JSON.stringify(JSON.parse(sent), null, 2);
  } catch {
    return sent;
  }
}
