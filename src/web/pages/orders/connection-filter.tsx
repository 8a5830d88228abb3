import { Select } from "../../parts/fields.tsx";
import { useWords } from "../../words/words.tsx";
import type { useAddress } from "./address.ts";
import { usePlaces } from "./queries.ts";

/** Shown to a company with several connections. */
export function ConnectionFilter({ address }: { readonly address: ReturnType<typeof useAddress> }) {
  const say = useWords();
  const { data: places } = usePlaces();
  if (!places || places.connections.length < 2) return null;
  return (
    <Select
      aria-label={say("orders.filter.connection")}
      data={[
        { value: "", label: say("orders.all.connections") },
        ...places.connections.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      value={address.value("connection")}
      allowDeselect={false}
      onChange={(value) => address.filter("connection", value ?? "")}
    />
  );
}
