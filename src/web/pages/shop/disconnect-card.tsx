import { Button } from "@mantine/core";
import { useState } from "react";
import { answer } from "../../api/client.ts";
import { Section } from "../../parts/page-head.tsx";
import { useSave } from "../../parts/save.ts";
import { useWords } from "../../words/words.tsx";
import { ConfirmDialog } from "../settings/confirm-dialog.tsx";
import { useConnectionPlace } from "../setup/setup.ts";
import { ofShop, shopKey } from "./queries.ts";
import styles from "./shop.module.css";

/** The end of the connection, with everything that goes and everything that stays. */
export function DisconnectCard() {
  const say = useWords();
  const place = useConnectionPlace();
  const [isAsked, setAsked] = useState(false);
  const disconnect = useSave({
    send: () => answer(ofShop.$delete({ param: place })),
    refresh: [shopKey(place), ["connections", place.account]],
    onSaved: () => setAsked(false),
  });
  return (
    <Section title={say("shop.disconnect")}>
      <p className={styles.lead}>{say("shop.disconnect.lead")}</p>
      <div className={styles.acts}>
        <Button variant="default" onClick={() => setAsked(true)}>
          {say("shop.disconnect.button")}
        </Button>
      </div>
      <ConfirmDialog
        title={say("shop.disconnect.title")}
        isOpen={isAsked}
        close={() => setAsked(false)}
        act={say("shop.disconnect")}
        isBusy={disconnect.isPending}
        confirm={() => disconnect.mutate(undefined)}
      >
        <p>{say("shop.disconnect.lead")}</p>
        <ul className={styles.points}>
          {([1, 2, 3, 4] as const).map((point) => (
            <li key={point}>{say(`shop.disconnect.${point}`)}</li>
          ))}
        </ul>
      </ConfirmDialog>
    </Section>
  );
}
