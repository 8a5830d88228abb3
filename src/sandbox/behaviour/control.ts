/** The settings of the sandbox, as JSON: its behaviour, and the lists it assumes. */
import * as z from "zod";
import { isMessageCode, isRecordCode } from "../soap/error-texts.ts";

const FAULTS = [
  ...["none", "timeout", "slow", "http_error", "html", "redirect", "empty", "truncated", "closed"],
  "soap_fault",
] as const;

const misbehaviourFields = {
  fault: z.enum(FAULTS),
  when: z.enum(["before_storing", "after_storing"]).optional(),
  delay_ms: z.int().min(0).max(600_000).optional(),
  status: z.int().min(400).max(599).optional(),
  code: z.int().refine(isMessageCode, "no code that refuses a whole message").optional(),
};

const misbehaviour = z
  .strictObject(misbehaviourFields)
  .refine(({ fault, code }) => fault !== "soap_fault" || code !== undefined, "soap_fault needs a code")
  .refine(
    ({ fault, when }) => fault !== "truncated" || when !== "before_storing",
    "truncated answers are answers to what was stored",
  );

export type Misbehaviour = z.infer<typeof misbehaviour>;

const recordRule = z.strictObject({
  code: z.int().refine(isRecordCode, "no code of a record"),
  every: z.int().min(1).optional(),
  number: z.string().max(60).optional(),
  share: z.number().min(0).max(1).optional(),
  operation: z.enum(["alta", "subsanacion", "anulacion"]).optional(),
  times: z.int().min(1).optional(),
});

export type RecordRule = z.infer<typeof recordRule>;

const names = z.array(z.string().max(20)).max(10_000).default([]);

export const controlSchema = z.strictObject({
  /** TiempoEsperaEnvio; null sends it empty. */
  wait_seconds: z.int().min(0).max(9_999).nullable().default(60),
  clock_offset_seconds: z.int().min(-4e9).max(4e9).default(0),
  /** HTTP status of SOAP faults: sources disagree about the real service. */
  fault_status: z.union([z.literal(200), z.literal(500)]).default(500),
  /**
   * If true, a broken chain is reported (2003); the real service checks only the form of the previous hash.
   */
  strict_chain: z.boolean().default(false),
  query_page_size: z.int().min(1).max(10_000).default(10_000),
  not_in_census: names,
  not_in_vies: names,
  no_agreement: names,
  /** One per following message; "none" means normal behaviour. */
  queue: z.array(misbehaviour).max(10_000).default([]),
  /** For every message, once the queue is empty. */
  always: misbehaviour.optional(),
  seed: z.int().min(0).max(0xffff_ffff).default(1),
  random: z
    .array(z.strictObject({ ...misbehaviourFields, share: z.number().min(0).max(1) }))
    .max(100)
    .refine((all) => all.reduce((sum, { share }) => sum + share, 0) <= 1, "the shares exceed 1")
    .default([]),
  records: z.array(recordRule).max(100).default([]),
});

export type Control = z.infer<typeof controlSchema>;
