import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { answer, api } from "../../api/client.ts";

export const ofAccount = api.accounts[":account"];

type Sent = Parameters<typeof ofAccount.drafts.$post>[0]["json"]["content"];
/** The API also takes drafts of pages that do not know the newest members. */
type Whole<Members> = { [Name in keyof Members]-?: Exclude<Members[Name], undefined> };
type Line = Whole<Sent["lines"][number]>;
export type Content = Whole<Omit<Sent, "lines">> & { lines: Line[] };
/** As the API gives it. */
export type ReadContent = Omit<Content, "lines"> & { readonly lines: readonly Line[] };

/** The choices of the form, an empty draft, and the connection that issues. */
export function useDraftForm(account: string) {
  return useQuery({
    queryKey: ["draft-form", account],
    queryFn: () => answer(ofAccount.drafts.form.$get({ param: { account } })),
  });
}

export type DraftForm = NonNullable<ReturnType<typeof useDraftForm>["data"]>;

export function draftKey(account: string, draft: string) {
  return ["draft", account, draft] as const;
}

export function useDraft(account: string, draft: string | undefined) {
  return useQuery({
    queryKey: draftKey(account, draft ?? ""),
    queryFn: () => answer(ofAccount.drafts[":draft"].$get({ param: { account, draft: draft ?? "" } })),
    enabled: draft !== undefined,
    // The form has the newest values: it reads when it is opened, and never in between.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

export type ReadDraft = NonNullable<ReturnType<typeof useDraft>["data"]>;

/** The saved draft as it would be issued now. */
export function usePreview(account: string, draft: string | undefined, version: number) {
  return useQuery({
    queryKey: ["draft-preview", account, draft, version],
    queryFn: () =>
      answer(ofAccount.drafts[":draft"].preview.$post({ param: { account, draft: draft ?? "" } })),
    enabled: draft !== undefined && version > 0,
    select: ({ problems, ...rest }) => ({ ...rest, problems: problems.filter((one) => !isOfLines(one)) }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
}

/** The description is that of the lines where none is typed: what it lacks, a line lacks, which says so. */
function isOfLines({ path, code }: { readonly path: string; readonly code: string }): boolean {
  return path === "description" && code === "required";
}

export type Previewed = NonNullable<ReturnType<typeof usePreview>["data"]>;
export type Problem = Previewed["problems"][number];

export function draftsKey(account: string) {
  return ["drafts", account] as const;
}

export function useDrafts(account: string, cursor: string | null) {
  return useQuery({
    queryKey: [...draftsKey(account), cursor],
    queryFn: () => answer(ofAccount.drafts.$get({ param: { account }, query: cursor ? { cursor } : {} })),
    placeholderData: keepPreviousData,
  });
}
