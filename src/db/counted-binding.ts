/** A D1 database whose statements are counted, for who may ask only so many. */
export function countedBinding(binding: D1Database, count: () => void): D1Database {
  const counted = {
    prepare(sql: string) {
      const prepared = binding.prepare(sql);
      return {
        bind(...values: unknown[]) {
          count();
          return prepared.bind(...values);
        },
      };
    },
    batch: (statements: D1PreparedStatement[]) => binding.batch(statements),
  };
  // Whatever is asked is bound first, and asked once.
  return counted as unknown as D1Database;
}
