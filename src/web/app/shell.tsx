import { Menu, Tooltip, UnstyledButton, useMantineColorScheme } from "@mantine/core";
import {
  IconAlertTriangle,
  IconCheck,
  IconKey,
  IconLogout,
  IconPlus,
  IconSelector,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { Link, Outlet } from "react-router";
import { answer, api } from "../api/client.ts";
import { dialog, useLazyDialog } from "../parts/lazy-dialog.tsx";
import { askToLeave } from "../parts/unsaved.tsx";
import { sinceText } from "../words/since.ts";
import { type Say, useWords } from "../words/words.tsx";
import { currentLanguage, keepLanguage, LANGUAGES, type Language } from "./language.ts";
import { BottomTabs, SideNavigation } from "./navigation.tsx";
import { paths } from "./paths.ts";
import { CompanyProvider, useCompany } from "./session.tsx";
import styles from "./shell.module.css";
import { PRODUCT, Sign } from "./sign.tsx";
import { keepTyped, takeTyped } from "./typed-ahead.ts";

/** The frame of every page of a company. */
export function Shell() {
  return (
    <CompanyProvider>
      <Frame />
    </CompanyProvider>
  );
}

/** Both are loaded when they are first opened, with their words. */
const loadPalette = dialog(["palette", "shell"], async () => (await import("./palette.tsx")).Palette);
const palette = async () => {
  keepTyped();
  try {
    return await loadPalette();
  } catch (error) {
    takeTyped();
    throw error;
  }
};
const help = dialog(["help"], async () => (await import("../pages/help/help.tsx")).Help);

function Frame() {
  const say = useWords();
  const toReview = useReviewCount();
  const search = useLazyDialog(palette);
  const answers = useLazyDialog(help);
  const { open } = search;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isAsked = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
      if (!isAsked || event.altKey || event.shiftKey) return;
      event.preventDefault();
      open();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [open]);
  const dialogs = { search: search.open, help: answers.open };
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content">
        {say("skip")}
      </a>
      <aside className={styles.side}>
        <div className={styles.sideIn}>
          <div className={styles.mark}>
            <Sign />
            <span>{PRODUCT}</span>
          </div>
          <div className={styles.sideCompany}>
            <CompanyMenu />
          </div>
          <SideNavigation toReview={toReview} {...dialogs} />
          <div className={styles.sideFoot}>
            <UserMenu isWide />
          </div>
        </div>
      </aside>
      <header className={styles.top}>
        <span className={styles.topSign}>
          <Sign />
        </span>
        <CompanyMenu isSmall />
        <span className={styles.topUser}>
          <UserMenu />
        </span>
      </header>
      <div className={styles.column}>
        <Notices />
        <main id="content" className={styles.main} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <BottomTabs toReview={toReview} {...dialogs} />
      {search.shown}
      {answers.shown}
    </div>
  );
}

/** The current company, always visible; a menu if there are several. */
export function CompanyMenu({ isSmall = false }: { readonly isSmall?: boolean }) {
  const say = useWords();
  const { account, me } = useCompany();
  const { legalName, nif } = account;
  const label = say("issuer.label", { legal_name: legalName, nif });
  return (
    <Menu width={260} position="bottom-start">
      <Menu.Target>
        <UnstyledButton className={isSmall ? styles.companySmall : styles.company} title={label}>
          <span className={styles.companyName}>
            <b>{legalName}</b>
            <span>
              NIF {nif}
              {me.environment === "test" && <TestMark />}
            </span>
          </span>
          {!isSmall && <IconSelector size={16} aria-hidden />}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <MenuGroup
          {...(me.accounts.length > 1
            ? { label: say("issuer.several", { n: me.accounts.length, legal_name: legalName }) }
            : {})}
        >
          {me.accounts.map((one) => (
            <Menu.Item
              key={one.id}
              component={Link}
              to={paths.overview(one.id)}
              aria-current={one.id === account.id}
            >
              {one.legalName}
            </Menu.Item>
          ))}
        </MenuGroup>
        <Menu.Divider />
        <Menu.Item component={Link} to={paths.newCompany} leftSection={<IconPlus size={16} aria-hidden />}>
          {say("issuer.add")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Items with what they have in common; a menu itself holds only items and their groups. */
function MenuGroup({ label, children }: { readonly label?: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of items has no element of its own
    <div role="group" {...(label === undefined ? {} : { "aria-label": label })}>
      {label !== undefined && <Menu.Label aria-hidden>{label}</Menu.Label>}
      {children}
    </div>
  );
}

function TestMark() {
  const say = useWords();
  return (
    <Tooltip label={say("env.test.hint")} multiline w={240}>
      <span className={styles.testMark}>{say("env.test")}</span>
    </Tooltip>
  );
}

const EVERY_MS = 15_000;

/** The number of orders waiting for the owner; undefined until known. */
export function useReviewCount(): number | undefined {
  const { account } = useCompany();
  const { data } = useQuery({
    // The key of the pages of orders: a change of an order also updates the badge.
    queryKey: [account.id, "orders", "count"],
    queryFn: () => answer(api.accounts[":account"].review.count.$get({ param: { account: account.id } })),
    refetchInterval: EVERY_MS,
  });
  return data?.waiting;
}

const AGAIN_MS = 15_000;

function useNotice(account: string) {
  return useQuery({
    queryKey: ["notice", account],
    queryFn: () => answer(api.accounts[":account"].notice.$get({ param: { account } })),
    refetchInterval: AGAIN_MS,
  });
}

/** Bands at the top of every page while their cause lasts: the regulation asks for it. */
export function Notices() {
  const say = useWords();
  const { account } = useCompany();
  const notice = useNotice(account.id).data?.notice;
  return (
    <div role="status">
      {account.verification !== "verified" && (
        <Band
          title={say(`verification.${account.verification}.title`)}
          body={say(`verification.${account.verification}.body`)}
          link={say(account.verification === "unverified" ? "verification.action" : "verification.link")}
          to={paths.company(account.id, "verificacion")}
        />
      )}
      {account.isOwnershipOffered && (
        <Band
          title={say("offer.title", { legal_name: account.legalName })}
          body={say("offer.body")}
          link={say("offer.link")}
          to={paths.company(account.id, "personas")}
        />
      )}
      {notice?.notice === "unsent" && (
        <Band
          title={say("unsent.title", {
            since: sinceText(notice.since, account.timeZone, say),
            n: notice.unsent,
          })}
          body={say("unsent.body")}
          link={say("unsent.link")}
          to={paths.submission(account.id)}
        />
      )}
      {notice?.notice === "representation" && (
        <Band
          title={say("representation.title")}
          body={say("representation.body", { n: notice.unsent })}
          link={say("representation.action")}
          to={paths.company(account.id, "representacion")}
        />
      )}
    </div>
  );
}

interface BandProps {
  readonly title: string;
  readonly body: string;
  readonly link: string;
  readonly to: string;
}

function Band({ title, body, link, to }: BandProps) {
  return (
    <div className={styles.notice}>
      <IconAlertTriangle size={18} stroke={1.75} aria-hidden />
      <div>
        <strong>{title}</strong> {body}
      </div>
      <Link to={to}>{link}</Link>
    </div>
  );
}

const NAMES: Readonly<Record<Language, string>> = { es: "Español", en: "English" };
const SCHEMES = ["light", "dark", "auto"] as const;

/** The sign-in library is loaded on demand: most visits need none of it. */
async function leave(how: "signOut" | "signOutEverywhere", say: Say): Promise<void> {
  try {
    const auth = await import("./auth.ts");
    await auth[how]();
  } catch (error) {
    const { showFailure } = await import("../parts/save.ts");
    showFailure(error, say);
  }
}

/** The signed-in person's menu: language, appearance, signing out. */
export function UserMenu({ isWide = false }: { readonly isWide?: boolean }) {
  const say = useWords();
  const { me, account } = useCompany();
  return (
    <Menu width={260} position="top-start">
      <Menu.Target>
        <UnstyledButton
          className={styles.user}
          {...(isWide ? {} : { "aria-label": `${initials(me.user.name)}: ${say("user.menu")}` })}
        >
          <span className={styles.initials} aria-hidden>
            {initials(me.user.name)}
          </span>
          {isWide && (
            <span className={styles.userName}>
              <span>{me.user.name}</span>
              <span className="muted">
                {say(account.role === "owner" ? "role.owner" : "role.accountant")}
              </span>
            </span>
          )}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <LanguageItems say={say} />
        <Menu.Divider />
        <SchemeItems say={say} />
        <Menu.Divider />
        <Menu.Item component={Link} to={paths.security} leftSection={<IconKey size={16} aria-hidden />}>
          {say("user.security")}
        </Menu.Item>
        <Menu.Item component={Link} to={paths.declaration}>
          {say("nav.declaration")}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconLogout size={16} aria-hidden />}
          onClick={() => askToLeave(() => void leave("signOut", say))}
        >
          {say("user.signout")}
        </Menu.Item>
        <Menu.Item onClick={() => askToLeave(() => void leave("signOutEverywhere", say))}>
          {say("user.signout_all")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function LanguageItems({ say }: { readonly say: Say }) {
  const chosen = currentLanguage();
  function choose(language: Language) {
    askToLeave(() => {
      keepLanguage(language);
      window.location.reload();
    });
  }
  return (
    <MenuGroup label={say("user.language")}>
      {LANGUAGES.map((language) => (
        <Menu.Item
          key={language}
          onClick={() => choose(language)}
          aria-current={language === chosen}
          rightSection={language === chosen && <IconCheck size={16} aria-hidden />}
          lang={language}
        >
          {NAMES[language]}
        </Menu.Item>
      ))}
    </MenuGroup>
  );
}

function SchemeItems({ say }: { readonly say: Say }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <MenuGroup label={say("user.theme")}>
      {SCHEMES.map((scheme) => (
        <Menu.Item
          key={scheme}
          onClick={() => setColorScheme(scheme)}
          aria-current={scheme === colorScheme}
          rightSection={scheme === colorScheme && <IconCheck size={16} aria-hidden />}
        >
          {say(`theme.${scheme}`)}
        </Menu.Item>
      ))}
    </MenuGroup>
  );
}

function initials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? "")
    .join("");
}
