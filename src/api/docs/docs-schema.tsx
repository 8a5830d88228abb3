import { isSchema, type Schema, whenPresent } from "../openapi/schema.ts";
import { DocsTable } from "./docs-table.tsx";
import { Marked } from "./marked.tsx";

interface Member {
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly meaning: string;
}

/** One table for a schema: its members, and theirs, one below the other. */
export function SchemaTable({ name, schema }: { readonly name: string; readonly schema: Schema }) {
  return (
    <section aria-labelledby={`schema-${name}`}>
      <h3 id={`schema-${name}`}>{name}</h3>
      {schema.enum ? <p>{meaningOf(schema)}</p> : <MemberTable schema={schema} />}
    </section>
  );
}

function MemberTable({ schema }: { readonly schema: Schema }) {
  return (
    <DocsTable columns={["Member", "Type", "Meaning"]}>
      {membersOf(schema, "").map(({ path, type, isRequired, meaning }) => (
        <tr>
          <td>
            <code>{path}</code>
          </td>
          <td class="nb">
            {type}
            {isRequired ? ", required" : ""}
          </td>
          <td>
            <Marked text={meaning} />
          </td>
        </tr>
      ))}
    </DocsTable>
  );
}

/** Members of a schema that a version of the contract brought: their description says so. */
export function broughtIn(schema: Schema, version: string): string[] {
  const brought = membersOf(schema, "").filter(({ meaning }) => meaning.includes(`Contract ${version}.`));
  return brought.map(({ path }) => path);
}

function membersOf(schema: Schema, prefix: string): Member[] {
  const branches = schema.anyOf ?? [];
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, published]) => {
    if (!isSchema(published)) return [];
    const member = whenPresent(published);
    const path = prefix + name;
    const isRequired = schema.required?.includes(name) ?? false;
    return [{ path, type: typeOf(member), isRequired, meaning: meaningOf(member) }, ...within(member, path)];
  });
  return [...own, ...branches.flatMap((branch) => membersOf(branch, prefix))];
}

function within(member: Schema, path: string): Member[] {
  if (isSchema(member.items)) return membersOf(member.items, `${path}[].`);
  return membersOf(member, `${path}.`);
}

function typeOf(schema: Schema): string {
  if (schema.format === "date") return "date";
  const types = [schema.type ?? (schema.const === undefined ? "any" : typeof schema.const)].flat();
  return types.filter((type) => type !== "null").join(" or ");
}

function meaningOf(schema: Schema): string {
  const items = isSchema(schema.items) ? schema.items : undefined;
  const values = [schema.enum ?? items?.enum ?? []].flat().filter((value) => value !== null && value !== "");
  const parts = [
    schema.description,
    values.length > 0 ? `One of ${values.join(", ")}.` : undefined,
    limitsOf(schema),
  ];
  return parts.filter((part) => part !== undefined).join(" ");
}

function limitsOf({
  minLength,
  maxLength,
  minItems,
  maxItems,
  minimum,
  maximum,
  exclusiveMinimum,
  not,
}: Schema): string | undefined {
  if (maxLength !== undefined) return `${minLength ?? 0} to ${maxLength} characters.`;
  if (maxItems !== undefined) return `${minItems ?? 0} to ${maxItems} entries.`;
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}.`;
  if (exclusiveMinimum === 0) return "More than 0.";
  return not === undefined ? undefined : "Not 0.";
}
