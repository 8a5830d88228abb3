import { type NotificationData, notifications } from "@mantine/notifications";
import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { ApiError } from "../api/errors.ts";
import { type Say, useWords } from "../words/words.tsx";
import { errorText } from "./states.tsx";

interface SaveOptions<Given, Data> {
  readonly send: (given: Given) => Promise<Data>;
  /** The queries to read again afterwards. */
  readonly refresh?: readonly QueryKey[];
  readonly onSaved?: (data: Data, given: Given) => void;
  /** Shows a refusal at its fields; without it, a toast shows it. */
  readonly onRefused?: (error: unknown) => void;
  /** The text of a toast, if the changed object is not visible. */
  readonly said?: string;
}

/** One change: sent once, its result shown in place, and affected queries read again. */
export function useSave<Given, Data>(options: SaveOptions<Given, Data>) {
  const client = useQueryClient();
  const say = useWords();
  const isUnderWay = useRef(false);
  const mutation = useMutation({
    mutationFn: options.send,
    onSuccess: async (data, given) => {
      await Promise.all((options.refresh ?? []).map((queryKey) => client.invalidateQueries({ queryKey })));
      if (options.said) showNotice(options.said, say);
      options.onSaved?.(data, given);
    },
    onError: (error) => {
      if (options.onRefused) options.onRefused(error);
      else showFailure(error, say);
    },
    onSettled: () => {
      isUnderWay.current = false;
    },
  });
  // Two clicks may both come before the button shows that it is busy.
  const mutate: typeof mutation.mutate = (...given) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    mutation.mutate(...given);
  };
  return { ...mutation, mutate };
}

/** A toast: what was done, if the page does not show it. */
export function showNotice(message: string, say: Say): void {
  showToast({ message, color: "tinta" }, say);
}

export function showFailure(error: unknown, say: Say): void {
  showToast({ message: errorText(error, say), color: "red", autoClose: 12_000 }, say);
}

/** Mantine gives its button to close a toast no name. */
function showToast(toast: NotificationData, say: Say): void {
  notifications.show({ ...toast, closeButtonProps: { "aria-label": say("close") } });
}

/** The problems that the API found, by the name that the field has in the form; the rest under "". */
export function problemsByField(error: unknown, say: Say): Readonly<Record<string, string>> {
  if (!(error instanceof ApiError) || error.details.length === 0) return { "": errorText(error, say) };
  return Object.fromEntries(error.details.map(({ path, message }) => [path, message]));
}
