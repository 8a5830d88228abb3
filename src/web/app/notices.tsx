import { IconAlertTriangle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { answer, api } from "../api/client.ts";
import { date, dayOfMonth, time } from "../words/format.ts";
import { type Say, useWords } from "../words/words.tsx";
import { paths } from "./paths.ts";
import { useCompany } from "./session.tsx";
import styles from "./shell.module.css";

const AGAIN_MS = 30_000;

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

/** «las 11:36» of today, «el 26 de noviembre a las 11:36» of another day. */
function sinceText(since: string, timeZone: string, say: Say): string {
  const at = time(since, timeZone);
  const hour = { article: at.startsWith("01:") ? "la" : "las", time: at.replace(/^0/, "") };
  const isToday = date(since, timeZone) === date(new Date().toISOString(), timeZone);
  return isToday
    ? say("unsent.since.today", hour)
    : say("unsent.since.day", { ...hour, day: dayOfMonth(since, timeZone) });
}
