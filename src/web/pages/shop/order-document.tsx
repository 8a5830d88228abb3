import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { answer } from "../../api/client.ts";
import { ApiError } from "../../api/errors.ts";
import { useCompany } from "../../app/session.tsx";
import { CopyIcon } from "../../parts/copy-text.tsx";
import { indented } from "../../parts/indented.ts";
import { Section } from "../../parts/page-head.tsx";
import { useSave } from "../../parts/save.ts";
import { StateMark } from "../../parts/state-mark.tsx";
import { ErrorCard, Loading } from "../../parts/states.tsx";
import { shortMoment } from "../../words/format.ts";
import { isWord, type Say, useWords } from "../../words/words.tsx";
import { ORDERS, type OrderPlace } from "../orders/queries.ts";
import { failureText } from "./access-values.ts";
import { MissingList } from "./missing.tsx";
import { directPlatform, platformName } from "./platform.ts";
import { ofShop, useShop } from "./queries.ts";
import styles from "./shop.module.css";

const WAITING_EVERY_MS = 2_000;

/** Undefined data: the order has no document of a shop. */
function useShopDocument({ connection, order }: OrderPlace) {
  const { account } = useCompany();
  return useQuery({
    queryKey: [account.id, ORDERS, "document", connection, order],
    queryFn: async () => {
      try {
        const param = { account: account.id, connection, order };
        return await answer(ofShop.orders[":order"].document.$get({ param }));
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
    refetchInterval: ({ state }) => (state.data?.fetch ? WAITING_EVERY_MS : false),
  });
}

type ShopDocument = NonNullable<ReturnType<typeof useShopDocument>["data"]>;

interface ShopDocumentCardProps {
  readonly place: OrderPlace;
  /** Of the order, for the figures. */
  readonly currency: string;
}

/** The order as its shop wrote it; nothing is shown for one that came another way. */
export function ShopDocumentCard({ place, currency }: ShopDocumentCardProps) {
  const say = useWords();
  const document = useShopDocument(place);
  useReadOrderAgain(document.data?.receivedAt);
  if (document.data === null) return null;
  return (
    <Section title={say("shop.document")} aside={document.data && <SourceOf document={document.data} />}>
      {document.isPending && <Loading />}
      {document.isLoadingError && <ErrorCard error={document.error} retry={() => void document.refetch()} />}
      {document.data && <Document document={document.data} place={place} currency={currency} />}
    </Section>
  );
}

/** A newer document may have decided the order otherwise. */
function useReadOrderAgain(receivedAt: string | undefined): void {
  const client = useQueryClient();
  const { account } = useCompany();
  const seen = useRef(receivedAt);
  useEffect(() => {
    if (seen.current !== undefined && receivedAt !== undefined && seen.current !== receivedAt) {
      void client.invalidateQueries({ queryKey: [account.id, ORDERS] });
    }
    seen.current = receivedAt;
  }, [receivedAt, client, account.id]);
}

function SourceOf({ document }: { readonly document: ShopDocument }) {
  const say = useWords();
  const word = document.source === "posted" ? "shop.document.posted" : "shop.document.fetched";
  return say(word, { platform: nameIn(document, say) });
}

/** Of a shop that is disconnected nobody knows the platform any more. */
function nameIn({ platform }: Pick<ShopDocument, "platform">, say: Say): string {
  const known = directPlatform(platform ?? undefined);
  return known ? platformName(known) : say("shop.document.shop");
}

interface DocumentProps extends ShopDocumentCardProps {
  readonly document: ShopDocument;
}

function Document({ document, place, currency }: DocumentProps) {
  const say = useWords();
  const { account } = useCompany();
  const { status, receivedAt, modifiedAt, missing, text } = document;
  const when = (at: string) => shortMoment(at, account.timeZone);
  const shown = indented(text);
  return (
    <div className="stack">
      <dl className="facts">
        <dt>{say("shop.document.received")}</dt>
        <dd>{when(receivedAt)}</dd>
        {modifiedAt !== null && (
          <>
            <dt>{say("shop.document.modified")}</dt>
            <dd>{when(modifiedAt)}</dd>
          </>
        )}
        {status !== null && (
          <>
            <dt>{say("shop.document.status")}</dt>
            <dd>{statusText(status, say)}</dd>
          </>
        )}
      </dl>
      {missing.length > 0 && (
        <div>
          <h3 className={styles.sub}>{say("shop.document.missing")}</h3>
          <MissingList missing={missing} currency={currency} />
        </div>
      )}
      <FetchAgain document={document} place={place} />
      <details className={styles.own}>
        <summary>{say("shop.document.show")}</summary>
        <div className="stack">
          <div className="row">
            <span className="muted small">{say("shop.document.hint")}</span>
            <CopyIcon text={shown} what={say("shop.document")} />
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
          <pre className={styles.raw} tabIndex={0}>
            {shown}
          </pre>
        </div>
      </details>
    </div>
  );
}

function statusText(status: string, say: Say): string {
  const id = `shop.status.${status}`;
  return isWord(id) ? `${say(id)} (${status})` : status;
}

/** The shop is asked again; until it has answered, the page looks every other second. */
function FetchAgain({ document, place }: Pick<DocumentProps, "document" | "place">) {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  const shop = useShop({ account: account.id, connection: place.connection }, !isReadOnly);
  const ask = useSave({
    send: () =>
      answer(
        ofShop.orders[":order"].fetch.$post({
          param: { account: account.id, connection: place.connection, order: place.order },
        }),
      ),
    refresh: [[account.id, ORDERS, "document", place.connection, place.order]],
  });
  const { fetch } = document;
  if (fetch) {
    const cause = fetch.failure === null ? "" : failureText(fetch.failure, nameIn(document, say), say);
    return (
      <p role="status">
        <StateMark tone="waiting">{say("shop.document.fetching")}</StateMark>
        {cause && <span className="muted small"> {cause}</span>}
      </p>
    );
  }
  if (isReadOnly || !shop.data?.shop?.canFetch) return null;
  return (
    <div>
      <Button variant="default" loading={ask.isPending} onClick={() => ask.mutate(undefined)}>
        {say("shop.document.fetch")}
      </Button>
    </div>
  );
}
