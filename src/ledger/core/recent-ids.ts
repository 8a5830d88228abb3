/** The ids that were added last; beyond so many the oldest is forgotten. */
export interface RecentIds {
  add(id: string): void;
  has(id: string): boolean;
}

export function recentIds(count: number): RecentIds {
  const ids = new Set<string>();
  return {
    has: (id) => ids.has(id),
    add(id) {
      // Again the youngest: a Set keeps the order in which its members came.
      ids.delete(id);
      ids.add(id);
      const [oldest] = ids;
      if (ids.size > count && oldest !== undefined) ids.delete(oldest);
    },
  };
}
