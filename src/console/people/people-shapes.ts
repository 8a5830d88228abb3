import * as z from "zod";
import { sentText, text } from "../../api/wire/values.ts";
import { ROLES } from "../../db/people/member-store.ts";

export const emailText = sentText(254).pipe(z.email().max(254));
export const role = z.enum(ROLES);

export const invitationBody = z.strictObject({ email: emailText, role });
export const roleBody = z.strictObject({ role });
export const acceptBody = z.strictObject({ token: text(64) });
