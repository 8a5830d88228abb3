import { fieldName, Select } from "../../parts/fields.tsx";
import { useWords } from "../../words/words.tsx";
import type { useAddress } from "./address.ts";
import { usePlaces } from "./queries.ts";

interface ConnectionFilterProps {
  readonly address: ReturnType<typeof useAddress>;
  readonly isLabelled?: boolean;
}

/** Shown to a company with several connections. */
export function ConnectionFilter({ address, isLabelled = false }: ConnectionFilterProps) {
  const say = useWords();
  const { data: places } = usePlaces();
  if (!places || places.connections.length < 2) return null;
  return (
    <Select
      {...fieldName(say("orders.filter.connection"), isLabelled)}
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
