import { APIError } from "better-auth/api";
import { isGuessable } from "../domain/connection/password.ts";
import { hasInk, isPlainText, normalizeText } from "../domain/shared/text.ts";

const LONGEST_NAME = 120;
const LONGEST_EMAIL = 254;

/** What signing up takes: a name that may stand in the mails and pages of others, and nothing besides. */
export function signUpBody(body: unknown): Readonly<Record<string, string>> {
  refuseGuessable(body, "password");
  const name = normalizeText(textOf(body, "name"));
  if (!isPlainText(name) || !hasInk(name) || [...name].length > LONGEST_NAME) {
    throw new APIError("BAD_REQUEST", {
      code: "NAME_INVALID",
      message: "Give a name of 120 characters at most.",
    });
  }
  return { name, email: emailOf(body), password: textOf(body, "password") };
}

/** The address as it is stored; what cannot be one is refused before anything is counted. */
export function emailOf(body: unknown): string {
  const email = textOf(body, "email").trim().toLowerCase();
  if (!email.includes("@") || email.length > LONGEST_EMAIL) {
    throw new APIError("BAD_REQUEST", { code: "INVALID_EMAIL", message: "Give an e-mail address." });
  }
  return email;
}

/** Where a password is chosen, under the member that it comes in. */
export function refuseGuessable(body: unknown, member: "password" | "newPassword"): void {
  if (isGuessable(textOf(body, member), [textOf(body, "email"), textOf(body, "name")])) {
    throw new APIError("BAD_REQUEST", { code: "PASSWORD_GUESSABLE", message: "Choose a longer phrase." });
  }
}

function textOf(body: unknown, member: string): string {
  const value: unknown = typeof body === "object" && body !== null ? Reflect.get(body, member) : undefined;
  return typeof value === "string" ? value : "";
}
