import { Button } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useNavigate } from "react-router";
import { paths } from "../../app/paths.ts";
import { useWords } from "../../words/words.tsx";
import { useConnectionPlace } from "../setup/setup.ts";
import type { ProfileForm } from "./profile-form.ts";
import { changesIn } from "./profile-words.ts";
import type { Selling } from "./queries.ts";
import styles from "./settings.module.css";

interface ProfileDockProps {
  readonly form: UseFormReturnType<ProfileForm>;
  readonly selling: Selling;
  readonly saved: ProfileForm;
  readonly isNew: boolean;
  readonly isBusy: boolean;
}

/** The unsaved changes, before and after, with the save button. */
export function ProfileDock({ form, selling, saved, isNew, isBusy }: ProfileDockProps) {
  const say = useWords();
  const place = useConnectionPlace();
  const navigate = useNavigate();
  const storeName = (id: string) => selling.stores.find((store) => store.id === id)?.name ?? id;
  const changes = isNew ? [] : changesIn(saved, form.values, { say, storeName });
  return (
    <div className={styles.dock}>
      {changes.length > 0 && (
        <ul className={styles.changes} aria-label={say("profile.changes")}>
          {changes.map(({ what, before, after }) => (
            <li key={what}>
              {what}: <del>{before}</del> → <ins>{after}</ins>
            </li>
          ))}
        </ul>
      )}
      {isNew && selling.profiles.length === 0 && <p className="small">{say("profiles.first.warn")}</p>}
      <div className={styles.dockActs}>
        <Button
          variant="subtle"
          color="gray"
          onClick={() => (isNew ? void navigate(paths.profiles(place.account)) : form.setValues(saved))}
        >
          {say(isNew ? "cancel" : "profile.undo")}
        </Button>
        <Button type="submit" loading={isBusy}>
          {say(isNew ? "profile.create" : "save")}
        </Button>
      </div>
    </div>
  );
}
