import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { useWords } from "../../words/words.tsx";

export function NewPassword(props: PasswordInputProps) {
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
