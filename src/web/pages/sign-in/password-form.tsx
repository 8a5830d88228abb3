import { Button, PasswordInput, type PasswordInputProps } from "@mantine/core";
import { useForm } from "@mantine/form";
import { type ReactNode, useState } from "react";
import { useSave } from "../../parts/save.ts";
import { useWords } from "../../words/words.tsx";
import { whenFresh } from "../security/fresh.ts";
import { Refused } from "./frame.tsx";
import { checksOf, refusedBy } from "./refusals.ts";
import styles from "./sign-in.module.css";

interface PasswordsTyped {
  /** Empty where it is not asked for. */
  readonly current: string;
  readonly password: string;
}

interface PasswordFormProps<Saved>
  extends Pick<Parameters<typeof useSave<PasswordsTyped, Saved>>[0], "send"> {
  /** The label of the field for the current password; without it there is no such field. */
  readonly currentLabel?: string;
  readonly button: string;
  readonly variant?: "default";
  readonly refresh?: readonly (readonly string[])[];
  readonly onSaved: (saved: Saved) => void;
  /** Help shown if the whole form is refused. */
  readonly remedy?: ReactNode;
}

/** Chooses a password. A refusal of the password is shown at its field, any other above. */
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

function NewPassword(props: PasswordInputProps) {
  const say = useWords();
  return (
    <PasswordInput
      label={say("reset.password")}
      description={say("signup.password_hint")}
      inputWrapperOrder={["label", "input", "error", "description"]}
      autoComplete="new-password"
      visibilityToggleButtonProps={{ "aria-label": say("show") }}
      {...props}
    />
  );
}
