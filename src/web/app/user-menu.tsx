import { Menu, UnstyledButton, useMantineColorScheme } from "@mantine/core";
import { IconKey, IconLogout } from "@tabler/icons-react";
import { Link } from "react-router";
import { type Say, useWords } from "../words/words.tsx";
import { currentLanguage, keepLanguage, LANGUAGES, type Language } from "./language.ts";
import { paths } from "./paths.ts";
import { useCompany } from "./session.tsx";
import styles from "./shell.module.css";

const NAMES: Readonly<Record<Language, string>> = { es: "Español", en: "English" };
const SCHEMES = ["light", "dark", "auto"] as const;

/** The sign-in library is loaded on demand: most visits need none of it. */
async function leave(how: "signOut" | "signOutEverywhere", say: Say): Promise<void> {
  try {
    const auth = await import("./auth.ts");
    await auth[how]();
  } catch (error) {
    const { tellFailure } = await import("../parts/save.ts");
    tellFailure(error, say);
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
          onClick={() => void leave("signOut", say)}
        >
          {say("user.signout")}
        </Menu.Item>
        <Menu.Item onClick={() => void leave("signOutEverywhere", say)}>{say("user.signout_all")}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function LanguageItems({ say }: { readonly say: Say }) {
  const chosen = currentLanguage();
  function choose(language: Language) {
    keepLanguage(language);
    window.location.reload();
  }
  return (
    <>
      <Menu.Label>{say("user.language")}</Menu.Label>
      {LANGUAGES.map((language) => (
        <Menu.Item
          key={language}
          onClick={() => choose(language)}
          aria-current={language === chosen}
          lang={language}
        >
          {NAMES[language]}
        </Menu.Item>
      ))}
    </>
  );
}

function SchemeItems({ say }: { readonly say: Say }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Menu.Label>{say("user.theme")}</Menu.Label>
      {SCHEMES.map((scheme) => (
        <Menu.Item key={scheme} onClick={() => setColorScheme(scheme)} aria-current={scheme === colorScheme}>
          {say(`theme.${scheme}`)}
        </Menu.Item>
      ))}
    </>
  );
}

function initials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toLocaleUpperCase("es") ?? "")
    .join("");
}
