import { Skeleton } from "@mantine/core";
import { useEffect, useState } from "react";
import { useWords } from "../words/words.tsx";

const QUIET_MS = 300;
const SLOW_MS = 5_000;

/** Empty at first, then a skeleton, then a sentence. */
export function Loading({ rows = 3 }: { readonly rows?: number }) {
  const say = useWords();
  const waited = useWaited();
  if (waited < QUIET_MS) return null;
  return (
    <div className="stack" role="status" aria-label={say("loading")} style={{ padding: 20 }}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows without anything in them
        <Skeleton key={row} height={18} width={`${90 - 12 * (row % 4)}%`} animate={false} />
      ))}
      {waited >= SLOW_MS && <p className="muted">{say("slow")}</p>}
    </div>
  );
}

function useWaited(): number {
  const [waited, setWaited] = useState(0);
  useEffect(() => {
    const timers = [QUIET_MS, SLOW_MS].map((delay) => setTimeout(() => setWaited(delay), delay));
    return () => timers.forEach(clearTimeout);
  }, []);
  return waited;
}
