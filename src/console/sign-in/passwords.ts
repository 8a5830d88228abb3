import { judgePassword, lengthRefusal } from "../../domain/identity/password.ts";
import type { Passwords } from "./deps.ts";
import { isListed } from "./listed-passwords.ts";
import { hashPassword, isPasswordOf } from "./password-hash.ts";

/** The single policy for all places where a password is chosen. */
export const passwords: Passwords = {
  async refusalOf(password, known) {
    const refused = lengthRefusal(password);
    if (refused) return refused;
    const judged = judgePassword(password, known, isListed);
    return judged.ok ? undefined : judged.error;
  },
  hash: hashPassword,
  matches: isPasswordOf,
};
