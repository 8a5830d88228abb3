import * as z from "zod";
import { emailText } from "../people/people-shapes.ts";

/** Long enough for whatever was an address; an unknown one is answered like a known one. */
const typedEmail = z.string().min(1).max(254);
/** The policy says how long one may be; the body is bounded already. */
const password = z.string().min(1).max(4_096);
const token = z.string().min(1).max(128);

/** Whatever else is sent along, such as a password, is not looked at. */
export const signUpBody = z.object({ name: z.string().max(500), email: typedEmail });
export const signInBody = z.object({ email: typedEmail, password });
export const askForPasswordBody = z.object({ email: typedEmail });
export const choosePasswordBody = z.object({ token, newPassword: password });
export const changePasswordBody = z.object({ currentPassword: password, newPassword: password });
export const linkBody = z.object({ token });
export const newEmailBody = z.strictObject({ email: emailText });
export const deletionBody = z.strictObject({ email: typedEmail });
/** What browsers make of a passkey; the library reads it closer. */
export const passkeyBody = z.object({
  response: z.looseObject({ id: z.string().min(1).max(1_500) }),
  name: z.string().max(120).optional(),
});
export const passkeyIdBody = z.object({ id: z.string().min(1).max(128) });
export const ownActivityQuery = z.object({ before: z.string().max(30).pipe(z.iso.datetime()).optional() });
