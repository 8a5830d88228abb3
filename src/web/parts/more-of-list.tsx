import { Button } from "@mantine/core";

interface MoreOfListProps {
  /** A query of pages, as far as its next one is concerned. */
  readonly list: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
  readonly label: string;
  readonly className?: string | undefined;
}

/** The foot of a list: a button that reads its next page; nothing where there is none. */
export function MoreOfList({ list, label, className }: MoreOfListProps) {
  if (!list.hasNextPage) return null;
  return (
    <div className={className}>
      <Button
        variant="default"
        size="xs"
        loading={list.isFetchingNextPage}
        onClick={() => void list.fetchNextPage()}
      >
        {label}
      </Button>
    </div>
  );
}
