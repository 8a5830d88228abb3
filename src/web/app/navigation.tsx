import { Drawer } from "@mantine/core";
import {
  IconAdjustmentsHorizontal,
  IconBuilding,
  IconDots,
  IconFileInvoice,
  IconHelp,
  IconHistory,
  IconInbox,
  IconLayoutDashboard,
  IconPlugConnected,
  IconSearch,
  IconSend,
  IconShoppingBag,
} from "@tabler/icons-react";
import { useRef, useState } from "react";
import { Link, NavLink, useLocation } from "react-router";
import { useWords, type WordId } from "../words/words.tsx";
import { paths } from "./paths.ts";
import { useCompany } from "./session.tsx";
import styles from "./shell.module.css";

type Icon = typeof IconInbox;

interface Place {
  readonly name: WordId;
  readonly icon: Icon;
  readonly to: (account: string) => string;
  /** The overview is above all others: only itself is it. */
  readonly isExact?: boolean;
  /** Where its pages begin, if it leads to one of them. */
  readonly under?: (account: string) => string;
  readonly counts?: boolean;
}

const DAILY: readonly Place[] = [
  { name: "nav.overview", icon: IconLayoutDashboard, to: paths.overview, isExact: true },
  { name: "nav.review", icon: IconInbox, to: paths.review, counts: true },
  { name: "nav.invoices", icon: IconFileInvoice, to: paths.invoices },
  { name: "nav.orders", icon: IconShoppingBag, to: paths.orders },
  { name: "nav.submission", icon: IconSend, to: paths.submission },
];

const SETUP: readonly Place[] = [
  { name: "nav.connections", icon: IconPlugConnected, to: paths.connections },
  { name: "nav.profiles", icon: IconAdjustmentsHorizontal, to: paths.profiles },
  {
    name: "nav.company",
    icon: IconBuilding,
    to: (account) => paths.company(account),
    under: paths.companyPages,
  },
  { name: "nav.activity", icon: IconHistory, to: paths.activity },
];

/** Every place of the menu. */
export const PLACES = [...DAILY, ...SETUP];
const TABS = DAILY.slice(0, 3);
const BEHIND_MORE = [...DAILY.slice(3), ...SETUP];

interface Counted {
  readonly toReview: number | undefined;
}

/** Opens a dialog; the element gets the focus back when it is closed. */
type Open = (opener?: HTMLElement | null) => void;

interface MenuProps extends Counted {
  readonly search: Open;
  readonly help: Open;
}

export function SideNavigation({ toReview, search, help }: MenuProps) {
  const say = useWords();
  return (
    <nav className={`${styles.nav} ${styles.sideNav}`} aria-label={say("nav.main")}>
      <DialogButton name="palette.open" icon={IconSearch} open={search} keys="Control+K" />
      <PlaceList places={DAILY} toReview={toReview} />
      <p className={styles.navTitle}>{say("nav.group.setup")}</p>
      <PlaceList places={SETUP} toReview={undefined} />
      <div className={styles.navHelp}>
        <DialogButton name="nav.help" icon={IconHelp} open={help} />
      </div>
    </nav>
  );
}

interface DialogButtonProps {
  readonly name: "palette.open" | "nav.help";
  readonly icon: Icon;
  readonly open: () => void;
  readonly keys?: string;
}

function DialogButton({ name, icon: ButtonIcon, open, keys }: DialogButtonProps) {
  const say = useWords();
  return (
    <button type="button" title={say(name)} onClick={() => open()} aria-keyshortcuts={keys}>
      <ButtonIcon size={18} stroke={1.75} aria-hidden />
      <span className={styles.navName}>{say(name)}</span>
    </button>
  );
}

interface PlaceListProps extends Counted {
  readonly places: readonly Place[];
  readonly onLeave?: () => void;
}

function PlaceList({ places, toReview, onLeave }: PlaceListProps) {
  const say = useWords();
  const { account } = useCompany();
  const { pathname } = useLocation();
  return (
    <ul>
      {places.map(({ name, icon: PlaceIcon, to, under = to, isExact = false, counts = false }) => (
        <li key={name}>
          <Link
            to={to(account.id)}
            {...(isAt(pathname, under(account.id), isExact) ? { "aria-current": "page" } : {})}
            title={say(name)}
            {...(onLeave ? { onClick: onLeave } : {})}
          >
            <PlaceIcon size={18} stroke={1.75} aria-hidden />
            <span className={styles.navName}>{say(name)}</span>
            {counts && toReview ? <span className={styles.count}>{toReview}</span> : null}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** A link of react-router knows only its own address, and the company's leads to one of several pages. */
function isAt(pathname: string, place: string, isExact: boolean): boolean {
  return isExact ? pathname.replace(/\/$/, "") === place : isUnder(pathname, place);
}

function isUnder(pathname: string, place: string): boolean {
  return pathname === place || pathname.startsWith(`${place}/`);
}

/** At the foot of a phone: the three places of every day, and the rest in a sheet. */
export function BottomTabs({ toReview, search, help }: MenuProps) {
  const say = useWords();
  const { account } = useCompany();
  const [isOpen, setOpen] = useState(false);
  const more = useRef<HTMLButtonElement>(null);
  // A dialog opened from the sheet takes the focus, and gives it back to the button of the sheet.
  const [isReturning, setReturning] = useState(true);
  const instead = (open: Open) => () => {
    setReturning(false);
    setOpen(false);
    open(more.current);
  };
  const { pathname } = useLocation();
  const isBehind = BEHIND_MORE.some(({ to, under = to }) => isUnder(pathname, under(account.id)));
  return (
    <nav className={styles.tabs} aria-label={say("nav.main")}>
      {TABS.map(({ name, icon: PlaceIcon, to, isExact = false, counts = false }) => (
        <NavLink key={name} to={to(account.id)} end={isExact}>
          <PlaceIcon size={22} stroke={1.75} aria-hidden />
          <span>{say(name)}</span>
          {counts && toReview ? <span className={styles.tabCount}>{toReview}</span> : null}
        </NavLink>
      ))}
      <button
        ref={more}
        type="button"
        onClick={() => {
          setReturning(true);
          setOpen(true);
        }}
        aria-expanded={isOpen}
        data-current={isBehind || undefined}
      >
        <IconDots size={22} stroke={1.75} aria-hidden />
        <span>{say("nav.more")}</span>
      </button>
      <Drawer
        opened={isOpen}
        onClose={() => setOpen(false)}
        returnFocus={isReturning}
        position="bottom"
        title={say("nav.more")}
        closeButtonProps={{ "aria-label": say("close") }}
        size="auto"
      >
        <div className={styles.nav}>
          <DialogButton name="palette.open" icon={IconSearch} open={instead(search)} />
          <PlaceList places={BEHIND_MORE} toReview={undefined} onLeave={() => setOpen(false)} />
          <ul>
            <li>
              <Link to={paths.declaration} onClick={() => setOpen(false)}>
                {say("nav.declaration")}
              </Link>
            </li>
          </ul>
          <DialogButton name="nav.help" icon={IconHelp} open={instead(help)} />
        </div>
      </Drawer>
    </nav>
  );
}
