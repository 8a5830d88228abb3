import type { ChainSubmission } from "../../domain/verifactu/submission/chain.ts";

/** Columns of `chain_submission` and its open attempt, nullable by the left join. */
export interface ChainColumns {
  readonly waitSeconds: number | null;
  readonly dueAt: number | null;
  readonly failures: number | null;
  readonly affectedTo: number | null;
  readonly incidentSince: number | null;
  readonly answeredAt: number | null;
  readonly stopped: string | null;
  readonly isolation: string | null;
  readonly owner: string | null;
  readonly from: number | null;
  readonly to: number | null;
  readonly incident: boolean | null;
  readonly resend: boolean | null;
  readonly sha256: string | null;
  readonly startedAt: number | null;
  readonly leaseUntil: number | null;
}

/** Undefined where there is no row. */
export function chainOf(row: ChainColumns): ChainSubmission | undefined {
  if (row.dueAt === null) return undefined;
  return {
    waitSeconds: row.waitSeconds ?? 0,
    dueAt: row.dueAt,
    failures: row.failures ?? 0,
    affectedTo: row.affectedTo ?? 0,
    ...(row.incidentSince === null ? {} : { incidentSince: row.incidentSince }),
    ...(row.answeredAt === null ? {} : { answeredAt: row.answeredAt }),
    ...(row.stopped === null ? {} : { stopped: JSON.parse(row.stopped) }),
    ...(row.isolation === null ? {} : { isolation: JSON.parse(row.isolation) }),
    ...attemptOf(row),
  };
}

function attemptOf(row: ChainColumns): Pick<ChainSubmission, "attempt"> {
  if (row.owner === null) return {};
  return {
    attempt: {
      owner: row.owner,
      from: row.from ?? 0,
      to: row.to ?? 0,
      incident: row.incident === true,
      resend: row.resend === true,
      sha256: row.sha256 ?? "",
      startedAt: row.startedAt ?? 0,
      leaseUntil: row.leaseUntil ?? 0,
    },
  };
}

/** The columns of a chain's state; its attempt is a separate row. */
export function chainColumns(chain: ChainSubmission) {
  const { waitSeconds, dueAt, failures, affectedTo, incidentSince, answeredAt, stopped, isolation } = chain;
  return {
    waitSeconds,
    dueAt,
    failures,
    affectedTo,
    incidentSince: incidentSince ?? null,
    answeredAt: answeredAt ?? null,
    stopped: stopped ? JSON.stringify(stopped) : null,
    isolation: isolation ? JSON.stringify(isolation) : null,
  };
}
