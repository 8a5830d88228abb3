import { Button } from "@mantine/core";
import { useState } from "react";
import { Link, useLocation, useSearchParams } from "react-router";
import { answer, api, isSignedOut } from "../../api/client.ts";
import { paths } from "../../app/paths.ts";
import { useMe } from "../../app/session.tsx";
import { useSave } from "../../parts/save.ts";
import { ErrorCard, errorText, Loading } from "../../parts/states.tsx";
import { useWords } from "../../words/words.tsx";
import { SignInFrame } from "./frame.tsx";
import styles from "./sign-in.module.css";

/** The holder of the link joins the company once, with the signed-in account. */
export function InvitationPage() {
  const say = useWords();
  const me = useMe();
  const [search] = useSearchParams();
  const [refused, setRefused] = useState("");
  const accept = useSave({
    send: (token: string) => answer(api.invitations.accept.$post({ json: { token } })),
    onSaved: ({ account }) => window.location.assign(paths.overview(account)),
    onRefused: (error) => setRefused(errorText(error, say)),
  });
  if (isSignedOut(me.error)) return <SignedOut />;
  if (me.isLoadingError) return <ErrorCard error={me.error} retry={() => void me.refetch()} />;
  if (!me.data) return <Loading />;
  return (
    <SignInFrame title={say("invite.title")} lead={say("invite.lead", { email: me.data.user.email })}>
      {refused && (
        <p className={styles.refused} role="alert">
          {refused}
        </p>
      )}
      <Button loading={accept.isPending} onClick={() => accept.mutate(search.get("token") ?? "")}>
        {say("invite.button")}
      </Button>
      <div className={styles.links}>
        <Link to={paths.home}>{say("error.home")}</Link>
      </div>
    </SignInFrame>
  );
}

/** Both ways lead back to the invitation. */
function SignedOut() {
  const say = useWords();
  const { pathname, search } = useLocation();
  const back = `?volver=${encodeURIComponent(`${pathname}${search}`)}`;
  return (
    <SignInFrame title={say("invite.title")} lead={say("invite.signed_out")}>
      <Button component={Link} to={`${paths.signIn}${back}`}>
        {say("signin.button")}
      </Button>
      <Button component={Link} to={`${paths.signUp}${back}`} variant="default">
        {say("signup.button")}
      </Button>
    </SignInFrame>
  );
}
