import { activity } from "./activity.ts";
import { common } from "./common.ts";
import { company } from "./company.ts";
import { connections } from "./connections.ts";
import { invoices } from "./invoices.ts";
import { orders } from "./orders.ts";
import { overview } from "./overview.ts";
import { people } from "./people.ts";
import { profiles } from "./profiles.ts";
import { review } from "./review.ts";
import { shell } from "./shell.ts";
import { signIn } from "./sign-in.ts";
import { states } from "./states.ts";
import { submission } from "./submission.ts";
import { wizard } from "./wizard.ts";

export const es = {
  ...activity,
  ...common,
  ...company,
  ...connections,
  ...invoices,
  ...orders,
  ...overview,
  ...people,
  ...profiles,
  ...review,
  ...shell,
  ...states,
  ...submission,
  ...wizard,
  ...signIn,
} as const;
