/** A D1 binding that counts its statements, for jobs with a query budget. */
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
  // Every statement is bound first and runs once.
  return counted as unknown as D1Database;
}
