import {
  IconAlertOctagon,
  IconAlertTriangle,
  IconArrowBackUp,
  IconBan,
  IconCircleCheck,
  IconClock,
  IconMinus,
  IconSend,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import styles from "./parts.module.css";

/** Only states that need the owner are filled. */
const TONES = {
  done: { icon: IconCircleCheck, look: styles.ok },
  waiting: { icon: IconClock, look: undefined },
  sent: { icon: IconSend, look: undefined },
  decide: { icon: IconAlertTriangle, look: styles.warn },
  declined: { icon: IconAlertOctagon, look: styles.bad },
  cancelled: { icon: IconBan, look: styles.off },
  none: { icon: IconMinus, look: styles.off },
  refunded: { icon: IconArrowBackUp, look: undefined },
} as const;

export type Tone = keyof typeof TONES;

/** Always icon and word. */
export function StateMark({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  const { icon: Icon, look } = TONES[tone];
  return (
    <span className={`${styles.state} ${look ?? ""}`}>
      <Icon size={16} stroke={1.75} aria-hidden />
      <span>{children}</span>
    </span>
  );
}

const RECORD_TONES: Readonly<Record<string, Tone>> = {
  pending_submission: "waiting",
  submitted: "sent",
  accepted: "done",
  accepted_with_errors: "decide",
  rejected: "declined",
  not_submitted: "none",
  representation_pending: "decide",
};

export function recordTone(state: string): Tone {
  return RECORD_TONES[state] ?? "waiting";
}

const ORDER_TONES: Readonly<Record<string, Tone>> = {
  stored: "none",
  deferred: "waiting",
  before_cutoff: "none",
  store_not_selected: "none",
  held: "decide",
  invoiced: "done",
  partially_rectified: "refunded",
  rectified: "refunded",
  cancelled: "cancelled",
};

export function orderTone(state: string): Tone {
  return ORDER_TONES[state] ?? "none";
}
