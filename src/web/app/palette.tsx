import { Loader, Modal, useMantineColorScheme } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { answer, api } from "../api/client.ts";
import { ErrorCard } from "../parts/states.tsx";
import { askToLeave } from "../parts/unsaved.tsx";
import { date, money } from "../words/format.ts";
import { type Say, useWords } from "../words/words.tsx";
import { currentLanguage, keepLanguage } from "./language.ts";
import { PLACES } from "./navigation.tsx";
import styles from "./palette.module.css";
import { paths } from "./paths.ts";
import { useCompany } from "./session.tsx";
import { takeTyped } from "./typed-ahead.ts";

interface Entry {
  readonly key: string;
  readonly name: string;
  /** Beside the name. */
  readonly detail?: string;
  /** Came with the answer of the search. */
  readonly isFound?: boolean;
  readonly choose: () => void;
}

interface Group {
  readonly title: string;
  readonly entries: readonly Entry[];
}

/** One letter would find half of the books. */
const SHORTEST = 2;
const TYPING_MS = 200;

/**
 * Pages, acts, and from two letters on invoices, orders and customers. A combobox: the field keeps the focus,
 * the arrow keys move through the list.
 */
export function Palette({ close }: { readonly close: () => void }) {
  const say = useWords();
  const [typed, setTyped] = useState("");
  function leave() {
    takeTyped();
    close();
  }
  return (
    <Modal
      opened
      onClose={leave}
      title={say("palette.title")}
      size={560}
      yOffset="10vh"
      closeButtonProps={{ "aria-label": say("close") }}
    >
      <Chooser typed={typed} setTyped={setTyped} close={close} />
    </Modal>
  );
}

interface ChooserProps {
  readonly typed: string;
  readonly setTyped: (text: string) => void;
  readonly close: () => void;
}

function Chooser({ typed, setTyped, close }: ChooserProps) {
  const say = useWords();
  const id = useId();
  const [marked, setMarked] = useState(0);
  const found = useFound(typed);
  const groups = useGroups(typed, found.data).filter(({ entries }) => entries.length > 0);
  const entries = groups.flatMap((group) => group.entries);
  const current = Math.min(marked, entries.length - 1);
  function choose(entry: Entry | undefined) {
    if (!entry) return;
    close();
    entry.choose();
  }
  const [isEntered, setEntered] = useState(false);
  function takeOver() {
    const { text, end } = takeTyped();
    if (end === "Escape") return close();
    if (text !== "") setTyped(`${typed}${text}`);
    if (end === "Enter") setEntered(true);
  }
  /** Opens nothing while the last keys are still searched: the shown results are of an earlier text. */
  function enter(): boolean {
    const entry = entries[current];
    if (found.isBehind && entry?.isFound) return false;
    choose(entry);
    return entry !== undefined;
  }
  useEffect(() => {
    if (isEntered && (enter() || !found.isBehind)) setEntered(false);
  });
  function onKeyDown(event: KeyboardEvent) {
    const to = { ArrowDown: current + 1, ArrowUp: current - 1 }[event.key];
    if (to !== undefined && entries.length > 0) {
      event.preventDefault();
      setMarked((to + entries.length) % entries.length);
    }
    if (event.key === "Enter") {
      event.preventDefault();
      enter();
    }
  }
  return (
    <>
      <div className={styles.field}>
        <IconSearch size={18} aria-hidden />
        <input
          data-autofocus
          type="text"
          role="combobox"
          aria-label={say("palette.open")}
          aria-expanded={entries.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          {...(entries.length > 0 ? { "aria-activedescendant": `${id}-${current}` } : {})}
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          placeholder={say("palette.open")}
          value={typed}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setMarked(0);
          }}
          onFocus={takeOver}
          onKeyDown={onKeyDown}
        />
        {found.isBehind && <Loader size={16} aria-hidden />}
      </div>
      {found.error && (
        <div className={styles.failed}>
          <ErrorCard error={found.error} retry={found.retry} />
        </div>
      )}
      <p className="hidden" role="status">
        {!found.isBehind && typed.trim() !== "" && say("palette.found", { n: entries.length })}
      </p>
      {entries.length === 0 && !found.isBehind && !found.error && (
        <p className={styles.none}>{say("palette.none", { q: typed.trim() })}</p>
      )}
      <Results {...{ id, groups, entries, current, choose }} mark={setMarked} />
    </>
  );
}

interface ResultsProps {
  readonly id: string;
  readonly groups: readonly Group[];
  readonly entries: readonly Entry[];
  readonly current: number;
  readonly choose: (entry: Entry) => void;
  readonly mark: (place: number) => void;
}

function Results({ id, groups, entries, current, choose, mark }: ResultsProps) {
  const say = useWords();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector(`[data-place="${current}"]`)?.scrollIntoView({ block: "nearest" });
  }, [current]);
  return (
    <div
      ref={list}
      id={`${id}-list`}
      role="listbox"
      aria-label={say("palette.title")}
      className={styles.list}
    >
      {groups.map(({ title, entries: ofGroup }) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options has no element of its own
        <div key={title} role="group" aria-label={title}>
          <p className={styles.title} aria-hidden>
            {title}
          </p>
          {ofGroup.map((entry) => {
            const place = entries.indexOf(entry);
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and its keys
              <div
                key={entry.key}
                id={`${id}-${place}`}
                data-place={place}
                role="option"
                tabIndex={-1}
                aria-selected={place === current}
                className={styles.entry}
                onClick={() => choose(entry)}
                onMouseMove={() => mark(place)}
              >
                <span className={styles.name}>{entry.name}</span>
                {entry.detail && <span className={styles.detail}>{entry.detail}</span>}
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}

type Found = Awaited<ReturnType<typeof askFor>>;

function askFor(account: string, q: string) {
  return answer(api.accounts[":account"].find.$get({ param: { account }, query: { q } }));
}

function useFound(typed: string) {
  const { account } = useCompany();
  const wanted = typed.trim();
  const [q] = useDebouncedValue(wanted, TYPING_MS);
  const isAsked = [...q].length >= SHORTEST;
  const found = useQuery({
    queryKey: [account.id, "find", q],
    queryFn: () => askFor(account.id, q),
    enabled: isAsked,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
  const isSearch = [...wanted].length >= SHORTEST;
  return {
    data: isSearch && isAsked ? found.data : undefined,
    error: isSearch && isAsked ? found.error : null,
    retry: () => void found.refetch(),
    isBehind: isSearch && (q !== wanted || found.isFetching),
  };
}

function useGroups(typed: string, found: Found | undefined): readonly Group[] {
  const say = useWords();
  const navigate = useNavigate();
  const { account } = useCompany();
  const go = (to: string) => () => void navigate(to);
  const matches = matcher(typed);
  const pages = usePages(go).filter(({ name }) => matches(name));
  const acts = useActs(go).filter(({ name }) => matches(name));
  const { invoices = [], orders = [], customers = [] } = found ?? {};
  return [
    { title: say("palette.group.pages"), entries: pages },
    {
      title: say("palette.group.invoices"),
      entries: invoices.map(({ id, fullNumber, customer, issueDate, totalEur }) => ({
        ...{ key: id, name: fullNumber, isFound: true, choose: go(paths.invoice(account.id, id)) },
        detail: [customer, date(issueDate), money(totalEur)].filter(Boolean).join(" · "),
      })),
    },
    {
      title: say("palette.group.orders"),
      entries: orders.map(({ connectionId, orderId, reference, customer, total, currency }) => ({
        ...{ key: `${connectionId} ${orderId}`, name: reference ?? orderId, isFound: true },
        choose: go(paths.order(account.id, connectionId, orderId)),
        detail: [customer, money(total, currency)].filter(Boolean).join(" · "),
      })),
    },
    {
      title: say("palette.group.customers"),
      entries: customers.map(({ name, taxNumber }) => ({
        ...{ key: `customer ${taxNumber ?? name}`, name, isFound: true },
        ...(taxNumber ? { detail: taxNumber } : {}),
        choose: go(`${paths.invoices(account.id)}?q=${encodeURIComponent(taxNumber ?? name)}`),
      })),
    },
    { title: say("palette.group.acts"), entries: acts },
  ];
}

/** Every typed word begins a word of the name, without accents and case. */
function matcher(typed: string): (name: string) => boolean {
  const folded = (text: string) =>
    text
      .normalize("NFKD")
      .replace(/\p{M}+/gu, "")
      .toLowerCase();
  const wanted = folded(typed).split(/\s+/u).filter(Boolean);
  return (name) => {
    const words = folded(name).split(/[^\p{L}\p{N}]+/u);
    return wanted.every((one) => words.some((word) => word.startsWith(one)));
  };
}

type Go = (to: string) => () => void;

function usePages(go: Go): readonly Entry[] {
  const say = useWords();
  const { account } = useCompany();
  const others: readonly (readonly [name: string, to: string])[] = [
    [say("palette.page.drafts"), paths.drafts(account.id)],
    [say("palette.page.contact"), paths.company(account.id, "cobro")],
    [say("palette.page.look"), paths.company(account.id, "aspecto")],
    [say("palette.page.verification"), paths.company(account.id, "verificacion")],
    [say("palette.page.people"), paths.company(account.id, "personas")],
    [say("palette.page.representation"), paths.company(account.id, "representacion")],
    [say("palette.page.authorisations"), paths.company(account.id, "autorizaciones")],
    [say("user.security"), paths.security],
    [say("nav.declaration"), paths.declaration],
  ];
  return [...PLACES.map(({ name, to }) => [say(name), to(account.id)] as const), ...others].map(
    ([name, to]) => ({ key: to, name, choose: go(to) }),
  );
}

function useActs(go: Go): readonly Entry[] {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  const { setColorScheme, colorScheme } = useMantineColorScheme();
  const scheme = colorScheme === "dark" ? "light" : "dark";
  const language = currentLanguage() === "es" ? "en" : "es";
  const ofOwners: readonly Entry[] = [
    { key: "invoice", name: say("palette.act.invoice"), choose: go(paths.newInvoice(account.id)) },
    { key: "connect", name: say("palette.act.connect"), choose: go(paths.connect(account.id)) },
    { key: "invite", name: say("palette.act.invite"), choose: go(paths.company(account.id, "personas")) },
  ];
  return [
    ...(isReadOnly ? [] : ofOwners),
    { key: "company", name: say("issuer.add"), choose: go(paths.newCompany) },
    { key: "scheme", name: say(`palette.act.${scheme}`), choose: () => setColorScheme(scheme) },
    {
      key: "language",
      name: say("palette.act.language"),
      choose: () =>
        askToLeave(() => {
          keepLanguage(language);
          window.location.reload();
        }),
    },
    { key: "sign out", name: say("user.signout"), choose: () => askToLeave(() => void signOut(say)) },
  ];
}

async function signOut(say: Say): Promise<void> {
  try {
    await (await import("./auth.ts")).signOut();
  } catch (error) {
    const { showFailure } = await import("../parts/save.ts");
    showFailure(error, say);
  }
}
