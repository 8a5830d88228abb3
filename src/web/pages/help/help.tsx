import { Accordion, Button, Drawer } from "@mantine/core";
import { IconMail, IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { useLocation } from "react-router";
import { useCompany } from "../../app/session.tsx";
import { TextInput } from "../../parts/fields.tsx";
import { useWords, type WordId } from "../../words/words.tsx";
import { ANSWERS, type HelpPage, helpPageOf } from "./answers.ts";
import styles from "./help.module.css";

/** Ayuda: the answers of the open page, a search in all of them, and a way to write. */
export function Help({ close }: { readonly close: () => void }) {
  const say = useWords();
  const { me } = useCompany();
  return (
    <Drawer
      opened
      onClose={close}
      title={say("help.title")}
      position="right"
      size={400}
      closeButtonProps={{ "aria-label": say("close") }}
      classNames={{ content: styles.panel }}
    >
      <Answers />
      {me.supportEmail !== null && (
        <Button
          component="a"
          href={`mailto:${me.supportEmail}`}
          variant="default"
          fullWidth
          mt={20}
          leftSection={<IconMail size={18} aria-hidden />}
        >
          {say("help.write")}
        </Button>
      )}
    </Drawer>
  );
}

interface Shown {
  readonly id: string;
  readonly question: string;
  readonly answer: string;
}

function Answers() {
  const say = useWords();
  const { account } = useCompany();
  const { pathname } = useLocation();
  const [typed, setTyped] = useState("");
  const shownOf = (page: HelpPage): readonly Shown[] =>
    ANSWERS[page].map((name) => {
      const id = `help.${page}.${name}`;
      // Both words of each name are there: the type of ANSWERS comes from them.
      return { id, question: say(`${id}.q` as WordId), answer: say(`${id}.a` as WordId) };
    });
  const wanted = folded(typed.trim()).split(/\s+/u).filter(Boolean);
  const isFound = ({ question, answer }: Shown) => {
    const text = folded(`${question} ${answer}`);
    return wanted.every((word) => text.includes(word));
  };
  const pages = Object.keys(ANSWERS) as readonly HelpPage[];
  const shown =
    wanted.length === 0 ? shownOf(helpPageOf(pathname, account.id)) : pages.flatMap(shownOf).filter(isFound);
  return (
    <>
      <TextInput
        type="search"
        aria-label={say("help.search")}
        placeholder={say("help.search")}
        leftSection={<IconSearch size={18} aria-hidden />}
        maxLength={100}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        data-autofocus
      />
      <p className={wanted.length === 0 ? styles.title : "hidden"} role="status">
        {wanted.length === 0 ? say("help.here") : say("help.found", { n: shown.length })}
      </p>
      {shown.length === 0 && <p className="muted">{say("help.none", { q: typed.trim() })}</p>}
      <Accordion order={3} variant="default" chevronSize={16} className={styles.answers}>
        {shown.map(({ id, question, answer }) => (
          <Accordion.Item key={id} value={id}>
            <Accordion.Control>{question}</Accordion.Control>
            <Accordion.Panel>{answer}</Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </>
  );
}

function folded(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
}
