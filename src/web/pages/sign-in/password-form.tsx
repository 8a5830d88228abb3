import { Button, PasswordInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { type ReactNode, useState } from "react";
import { useSave } from "../../parts/save.ts";
import { useWords } from "../../words/words.tsx";
import { whenFresh } from "../security/fresh.ts";
import { NewPassword } from "./new-password.tsx";
import { checksOf, refusedBy } from "./refusals.ts";
import styles from "./sign-in.module.css";
import { Refused } from "./told.tsx";

export interface PasswordsTyped {
  /** Empty where it is not asked for. */
  readonly current: string;
  readonly password: string;
}

interface PasswordFormProps<Saved>
  extends Pick<Parameters<typeof useSave<PasswordsTyped, Saved>>[0], "send"> {
  /** Of the field for the password so far; without it that is not asked for. */
  readonly currentLabel?: string;
  readonly button: string;
  readonly variant?: "default";
  readonly refresh?: readonly (readonly string[])[];
  readonly onSaved: (saved: Saved) => void;
  /** What helps where the whole is refused. */
  readonly remedy?: ReactNode;
}

/** Chooses a password. What is refused of it stands at its field, and what is refused of all above. */
export function PasswordForm<Saved>(props: PasswordFormProps<Saved>) {
  const { currentLabel, button, variant = "filled", remedy, send, refresh = [] } = props;
  const say = useWords();
  const [refused, setRefused] = useState("");
  const checks = checksOf(say);
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { current: "", password: "" },
    validate: {
      current: currentLabel === undefined ? () => null : checks.password,
      password: checks.newPassword,
    },
    validateInputOnBlur: true,
  });
  const save = useSave({
    ...{ send, refresh },
    onSaved: (saved: Saved) => {
      form.reset();
      props.onSaved(saved);
    },
    onRefused: (error) =>
      void whenFresh(error, () => {
        const { "": whole, ...fields } = refusedBy(error, say);
        form.setErrors(fields);
        setRefused(whole ?? "");
      }),
  });
  return (
    <>
      <Refused>
        {refused && (
          <>
            {refused} {remedy}
          </>
        )}
      </Refused>
      <form
        className={styles.form}
        noValidate
        onSubmit={form.onSubmit((typed) => {
          setRefused("");
          save.mutate(typed);
        })}
      >
        {currentLabel !== undefined && (
          <PasswordInput
            label={currentLabel}
            autoComplete="current-password"
            visibilityToggleButtonProps={{ "aria-label": say("show") }}
            key={form.key("current")}
            {...form.getInputProps("current")}
          />
        )}
        <NewPassword key={form.key("password")} {...form.getInputProps("password")} />
        <Button type="submit" variant={variant} loading={save.isPending}>
          {button}
        </Button>
      </form>
    </>
  );
}
