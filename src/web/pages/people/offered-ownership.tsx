import { Button } from "@mantine/core";
import { answer, api } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { useSave } from "../../parts/save.ts";
import { Section } from "../../parts/section.tsx";
import { useWords } from "../../words/words.tsx";

/** An offer of ownership to the signed-in person, who alone can take it. */
export function OfferedOwnership() {
  const say = useWords();
  const { account } = useCompany();
  const param = { account: account.id };
  const refresh = [["me"], ["people", account.id]];
  const take = useSave({ send: () => answer(api.me.ownership[":account"].$post({ param })), refresh });
  const decline = useSave({ send: () => answer(api.me.ownership[":account"].$delete({ param })), refresh });
  if (!account.isOwnershipOffered) return null;
  return (
    <Section title={say("people.offer.title")}>
      <div className="stack">
        <p className="text-column">{say("people.offer.body", { legal_name: account.legalName })}</p>
        <div className="row">
          <Button loading={take.isPending} onClick={() => take.mutate(undefined)}>
            {say("people.offer.take")}
          </Button>
          <Button variant="default" loading={decline.isPending} onClick={() => decline.mutate(undefined)}>
            {say("people.offer.decline")}
          </Button>
        </div>
      </div>
    </Section>
  );
}
