import { Link } from "react-router";
import { paths } from "../../app/paths.ts";
import { useMe } from "../../app/session.tsx";
import { ErrorCard } from "../../parts/error-card.tsx";
import { Loading } from "../../parts/loading.tsx";
import { useWords } from "../../words/words.tsx";
import { SignInFrame } from "../sign-in/frame.tsx";
import styles from "../sign-in/sign-in.module.css";
import { DeleteLogin } from "./delete-login.tsx";
import { EmailChange } from "./email-change.tsx";
import { OwnActivity } from "./own-activity.tsx";
import { Passkeys } from "./passkeys.tsx";
import { PasswordChange } from "./password-change.tsx";
import { Sessions } from "./sessions.tsx";

/** The person's sign-in methods and sessions. */
export function SecurityPage() {
  const say = useWords();
  const me = useMe();
  if (me.isPending) return <Loading />;
  if (me.isLoadingError) return <ErrorCard error={me.error} retry={() => void me.refetch()} />;
  const { email } = me.data.user;
  return (
    <SignInFrame title={say("security.title")} isWide>
      <PasswordChange />
      <Passkeys />
      <Sessions />
      <EmailChange email={email} />
      <OwnActivity />
      <DeleteLogin email={email} />
      <div className={styles.links}>
        <Link to={paths.home}>{say("error.home")}</Link>
      </div>
    </SignInFrame>
  );
}
