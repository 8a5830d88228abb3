import type { Say } from "../../words/words.tsx";

export interface Refused {
  readonly code?: string | undefined;
  readonly status?: number;
  readonly seconds?: number;
}

/** What the sign-in library refused, in our words and at its field; "" is the form itself. */
export function refusedBy(error: Refused, say: Say): Readonly<Record<string, string>> {
  switch (error.code) {
    case "INVALID_EMAIL_OR_PASSWORD":
      return { "": say("signin.bad") };
    case "INVALID_PASSWORD":
      return { current: say("security.bad") };
    case "TOO_MANY_ATTEMPTS":
      return { "": say("signin.limited", { seconds: error.seconds ?? 60 }) };
    case "USER_ALREADY_EXISTS":
    case "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL":
      return { email: say("signup.taken") };
    case "NAME_INVALID":
      return { name: say("form.required", { field: say("signup.name.the") }) };
    case "PASSWORD_TOO_SHORT":
      return { password: say("signup.password_hint") };
    case "PASSWORD_TOO_LONG":
      return { password: say("signup.password_long") };
    case "PASSWORD_GUESSABLE":
      return { password: say("signup.password_weak") };
    case "INVALID_TOKEN":
      return { "": say("reset.expired") };
    case "INVALID_EMAIL":
    case "VALIDATION_ERROR":
      return { email: say("signup.email_bad") };
    default:
      return {
        "": say(error.status === 429 ? "signin.limited" : "error.server", { seconds: 60, request_id: "—" }),
      };
  }
}

export const SHORTEST_PASSWORD = 12;

/** Checked when a field is left; the server checks it again. */
export function checksOf(say: Say) {
  return {
    name: (value: string) => (value.trim() ? null : say("form.required", { field: say("signup.name.the") })),
    email: (value: string) => (/^\S+@\S+\.\S+$/.test(value.trim()) ? null : say("signup.email_bad")),
    newPassword: (value: string) =>
      [...value].length < SHORTEST_PASSWORD ? say("signup.password_hint") : null,
    password: (value: string) => (value ? null : say("form.required", { field: say("signin.password.the") })),
  };
}
