import { Outlet } from "react-router";
import { useWords } from "../words/words.tsx";
import { CompanyMenu } from "./company-menu.tsx";
import { useReviewCount } from "./counts.ts";
import { BottomTabs, SideNavigation } from "./navigation.tsx";
import { Notices } from "./notices.tsx";
import { CompanyProvider } from "./session.tsx";
import styles from "./shell.module.css";
import { PRODUCT, Sign } from "./sign.tsx";
import { UserMenu } from "./user-menu.tsx";

/** The frame of every page of a company. */
export function Shell() {
  return (
    <CompanyProvider>
      <Frame />
    </CompanyProvider>
  );
}

function Frame() {
  const say = useWords();
  const toReview = useReviewCount();
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
          <SideNavigation toReview={toReview} />
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
      <BottomTabs toReview={toReview} />
    </div>
  );
}
