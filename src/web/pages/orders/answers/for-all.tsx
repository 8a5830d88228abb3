import { createContext, useContext } from "react";
import { Checkbox } from "../../../parts/choices.tsx";
import { useWords } from "../../../words/words.tsx";
import own from "../order.module.css";
import { type ShownReason, useSimilar } from "../queries.ts";
import type { AnswerProps } from "../typed-answers.ts";

/** True where one answer is given to several orders: what is remembered is asked once, next to the button. */
export const Together = createContext(false);

/** Declared once: for waiting orders with the same reason, and for later ones. */
export function ForAll(props: ForAllProps) {
  return useContext(Together) ? null : <ForSimilar {...props} />;
}

function ForSimilar({ reason, place, choices, typed, change, isForAll }: ForAllProps) {
  const say = useWords();
  const alike = useSimilar(place, { code: reason.code, about: aboutOf(reason), profile: choices.profileId });
  const orders = alike.data?.orders ?? 0;
  const label = orders > 0 ? say("review.apply_all", { n: orders }) : say("review.apply_coming");
  return <ForAllBox typed={typed} change={change} isForAll={isForAll} label={label} />;
}

interface ForAllProps extends AnswerProps {
  readonly isForAll: boolean;
}

/** Settles other orders with this reason too; the label says which ones. */
export function ForAllBox({
  typed,
  change,
  isForAll,
  label,
}: Pick<ForAllProps, "typed" | "change" | "isForAll"> & { readonly label: string }) {
  if (useContext(Together)) return null;
  return (
    <Checkbox
      {...(own.below ? { className: own.below } : {})}
      checked={isForAll}
      onChange={({ currentTarget: { checked } }) =>
        change({ answer: typed?.answer, buyer: typed?.buyer, isForAll: checked })
      }
      label={label}
    />
  );
}

/** Codes distinguish the amounts; the rest is declared for all sales. */
function aboutOf({ code, about }: ShownReason): string {
  return code === "untreated_total" || code === "treatment_sign" ? about : "";
}
