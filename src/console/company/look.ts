import * as z from "zod";
import { sentText, text } from "../../api/wire/values.ts";
import type { BrandFiles } from "../../db/accounts/brand-files.ts";
import { accentOf } from "../../domain/brand/accent.ts";
import { type InvoiceLook, LONGEST_FOOTER } from "../../domain/brand/look.ts";
import { type Refusal, refuse } from "../../domain/invoice/refusal.ts";
import { versionOf } from "../../domain/shared/hash.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { filled } from "../../domain/shared/present.ts";
import { err, ok, type Result } from "../../domain/shared/result.ts";
import { version } from "../shapes.ts";
import { type CheckedLogo, checkLogo, type LogoRefusal } from "./logo.ts";
import { type CompanyStore, columnsOfLook, type LookSettings } from "./queries.ts";

const look = {
  /** `#RRGGBB`; the standard colour without one. */
  accent: sentText(7).nullish(),
  footer: text(LONGEST_FOOTER).nullish(),
};

export const lookBody = z.strictObject({ ...look, version });
/** A look while it is typed; the logo is the stored one. */
export const lookPreviewBody = z.strictObject(look);

type LookForm = z.output<typeof lookPreviewBody>;

/** Every member is present; null means that it is not set. */
export function lookView({ footer, look: chosen = {} }: LookSettings) {
  return {
    accent: chosen.accent ?? null,
    footer: footer ?? null,
    logo: chosen.logo ?? null,
    version: lookVersion({ ...(footer === undefined ? {} : { footer }), look: chosen }),
  };
}

/** Of the form, which has no logo: that is a change of its own. */
function lookVersion({ footer, look: chosen }: LookSettings): string {
  return versionOf({ footer, accent: chosen?.accent?.chosen });
}

export function typedLook(
  current: LookSettings,
  { accent, footer }: LookForm,
): Result<LookSettings, Refusal<"accent_invalid">> {
  const { logo } = current.look ?? {};
  const coloured = accent ? accentOf(accent) : undefined;
  if (coloured && !coloured.ok) return refuse("accent_invalid", {}, "accent");
  const chosen: InvoiceLook | undefined = filled({
    ...(coloured ? { accent: coloured.value } : {}),
    ...(logo ? { logo } : {}),
  });
  return ok({ ...(footer ? { footer } : {}), ...(chosen ? { look: chosen } : {}) });
}

interface LookChanging {
  readonly accountId: string;
  readonly current: LookSettings;
}

interface ChangeLookDeps {
  readonly company: Pick<CompanyStore, "change">;
  readonly brand: Pick<BrandFiles, "keep" | "remove">;
  /** The look as it is stored now. */
  readonly readAgain: () => Promise<LookSettings>;
  /** Id, user and instant of the audit line. */
  readonly line: { readonly id: string; readonly userId: string; readonly at: Instant };
}

export async function changeLook(
  { accountId, current }: LookChanging,
  { version: formVersion, ...form }: LookForm & { readonly version: string },
  deps: ChangeLookDeps,
): Promise<Result<void, Refusal<"accent_invalid" | "changed_meanwhile">>> {
  const typed = typedLook(current, form);
  if (!typed.ok) return typed;
  const isRecoloured = typed.value.look?.accent?.chosen !== current.look?.accent?.chosen;
  const isReworded = typed.value.footer !== current.footer;
  if (!isRecoloured && !isReworded) return ok(undefined);
  if (lookVersion(current) !== formVersion) return refuse("changed_meanwhile");
  const changed = [...(isRecoloured ? ["accent"] : []), ...(isReworded ? ["footer"] : [])];
  return write({ accountId, from: current, to: typed.value, changed }, deps);
}

/** Replaces the logo. Its files come before the row, and those of the one before go after it. */
export async function changeLogo(
  { accountId, current }: LookChanging,
  sent: Uint8Array,
  deps: ChangeLookDeps,
): Promise<Result<CheckedLogo["logo"], LogoRefusal | Refusal<"changed_meanwhile">>> {
  const checked = await checkLogo(accountId, sent);
  if (!checked.ok) return checked;
  const { logo, bytes } = checked.value;
  const before = current.look?.logo;
  if (before?.file === logo.file) return ok(logo);
  await deps.brand.keep(logo.file, bytes);
  const to = { ...current, look: { ...current.look, logo } };
  const written = await write({ accountId, from: current, to, changed: ["logo"] }, deps);
  const unused = written.ok ? before?.file : logo.file;
  if (unused !== undefined) await removeUnused(unused, deps);
  return written.ok ? ok(logo) : err(written.error);
}

/** The standard look has no logo. */
export async function removeLogo(
  { accountId, current }: LookChanging,
  deps: ChangeLookDeps,
): Promise<Result<void, Refusal<"changed_meanwhile">>> {
  const { logo, ...rest } = current.look ?? {};
  if (!logo) return ok(undefined);
  const { look: _, ...footer } = current;
  const left = filled(rest);
  const to = { ...footer, ...(left ? { look: left } : {}) };
  const written = await write({ accountId, from: current, to, changed: ["logo"] }, deps);
  if (written.ok) await removeUnused(logo.file, deps);
  return written;
}

/** Another owner may have chosen the same picture in the meantime. */
async function removeUnused(file: string, { brand, readAgain }: ChangeLookDeps): Promise<void> {
  const { look: chosen } = await readAgain();
  if (chosen?.logo?.file !== file) await brand.remove(file);
}

interface LookStep {
  readonly accountId: string;
  readonly from: LookSettings;
  readonly to: LookSettings;
  readonly changed: readonly string[];
}

async function write(
  { accountId, from, to, changed }: LookStep,
  { company, line }: ChangeLookDeps,
): Promise<Result<void, Refusal<"changed_meanwhile">>> {
  const facts = { changed: changed.join(", ") };
  const step = { from: columnsOfLook(from), to: columnsOfLook(to) };
  const done = await company.change(accountId, step, { ...line, verb: "change_look", facts });
  return done === "changed" ? ok(undefined) : refuse("changed_meanwhile");
}
