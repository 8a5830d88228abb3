import { ActionIcon, CopyButton, Tooltip } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useWords } from "../words/words.tsx";
import styles from "./parts.module.css";

const SHOWN = 8;

/** A text with a button that copies it. */
export function CopyIcon({ text, what }: { readonly text: string; readonly what: string }) {
  const say = useWords();
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Tooltip label={say(copied ? "copied" : "copy")}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            onClick={copy}
            aria-label={`${say("copy")}: ${what}`}
          >
            {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}

/** First and last characters; the whole is copied. */
export function Hash({ value, what }: { readonly value: string; readonly what: string }) {
  const short = value.length > 2 * SHOWN + 1 ? `${value.slice(0, SHOWN)}…${value.slice(-SHOWN)}` : value;
  return (
    <span className={styles.hash}>
      <span title={value}>{short}</span>
      <CopyIcon text={value} what={what} />
    </span>
  );
}

/** A command to run, with a button that copies it. */
export function Command({ text }: { readonly text: string }) {
  return (
    <div className={styles.command}>
      <code>{text}</code>
      <CopyIcon text={text} what="curl" />
    </div>
  );
}

const ADDRESS = /(https?:\/\/[^\s,;]+[^\s,;.])/;

/** A sentence whose addresses are links. */
export function Linked({ text }: { readonly text: string }) {
  return text.split(ADDRESS).map((part) =>
    ADDRESS.test(part) ? (
      <a key={part} href={part} target="_blank" rel="noreferrer">
        {part}
      </a>
    ) : (
      part
    ),
  );
}
