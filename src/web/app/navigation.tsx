import { Drawer } from "@mantine/core";
import {
  IconAdjustmentsHorizontal,
  IconBuilding,
  IconDots,
  IconFileInvoice,
  IconHistory,
  IconInbox,
  IconLayoutDashboard,
  IconPlugConnected,
  IconSend,
  IconShoppingBag,
} from "@tabler/icons-react";
import { useState } from "react";
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

const TABS = DAILY.slice(0, 3);
const BEHIND_MORE = [...DAILY.slice(3), ...SETUP];

interface Counted {
  readonly toReview: number | undefined;
}

export function SideNavigation({ toReview }: Counted) {
  const say = useWords();
  return (
    <nav className={styles.nav} aria-label={say("nav.main")}>
      <PlaceList places={DAILY} toReview={toReview} />
      <p className={styles.navTitle}>{say("nav.group.setup")}</p>
      <PlaceList places={SETUP} toReview={undefined} />
    </nav>
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
export function BottomTabs({ toReview }: Counted) {
  const say = useWords();
  const { account } = useCompany();
  const [isOpen, setOpen] = useState(false);
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
        type="button"
        onClick={() => setOpen(true)}
        aria-expanded={isOpen}
        data-current={isBehind || undefined}
      >
        <IconDots size={22} stroke={1.75} aria-hidden />
        <span>{say("nav.more")}</span>
      </button>
      <Drawer
        opened={isOpen}
        onClose={() => setOpen(false)}
        position="bottom"
        title={say("nav.more")}
        closeButtonProps={{ "aria-label": say("close") }}
        size="auto"
      >
        <div className={styles.nav}>
          <PlaceList places={BEHIND_MORE} toReview={undefined} onLeave={() => setOpen(false)} />
          <ul>
            <li>
              <Link to={paths.declaration} onClick={() => setOpen(false)}>
                {say("nav.declaration")}
              </Link>
            </li>
          </ul>
        </div>
      </Drawer>
    </nav>
  );
}
