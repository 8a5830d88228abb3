type AbsentKeys<T> = { [K in keyof T]: undefined extends T[K] ? K : never }[keyof T];

/** The same members, with those that may be undefined made optional. */
type Present<T> = { [K in Exclude<keyof T, AbsentKeys<T>>]: T[K] } & {
  [K in AbsentKeys<T>]?: Exclude<T[K], undefined>;
};

/** Omits undefined members: canonical JSON and types distinguish absent from undefined. */
export function present<T extends object>(members: T): Present<T> {
  return asPresent<T>(Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)));
}

/** `fromEntries` forgets the names of the members; only undefined ones were left out. */
function asPresent<T extends object>(members: object): Present<T> {
  return members as Present<T>;
}

/** Undefined for an object without members: it means the same as its absence. */
export function filled<Members extends object>(members: Members): Members | undefined {
  return Object.keys(members).length > 0 ? members : undefined;
}
