export interface WrongField {
  /** The element that takes the focus, by its id. */
  readonly id: string;
  readonly message: string;
}

/** The wrong fields of a form, in the order of the page, as the form shows them. */
export function wrongFieldsIn(place: HTMLElement): WrongField[] {
  const own = place.closest("form");
  return [...place.querySelectorAll<HTMLElement>("[data-problem]")].flatMap((problem) => {
    // A form within the page's own steps has its errors for itself.
    if (problem.closest("form") !== own) return [];
    const message = problem.textContent.trim();
    const error = problem.closest<HTMLElement>("[id]");
    const field = error && place.querySelector<HTMLElement>(`[aria-describedby~="${CSS.escape(error.id)}"]`);
    const target = field && focusable(field);
    return target?.id ? [{ id: target.id, message }] : [];
  });
}

/** Of a group the chosen field, else the first. */
function focusable(field: HTMLElement): HTMLElement | null {
  if (field.matches("input, select, textarea, button, [tabindex]")) return field;
  return (
    field.querySelector<HTMLElement>("input:checked, [role=radio][aria-checked=true]") ??
    field.querySelector<HTMLElement>("input, select, textarea, button")
  );
}
