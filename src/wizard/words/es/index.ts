import { common } from "./common.ts";
import { shell } from "./shell.ts";
import { signIn } from "./sign-in.ts";
import { states } from "./states.ts";

export const es = { ...common, ...shell, ...signIn, ...states } as const;
