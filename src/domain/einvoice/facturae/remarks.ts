/** XSD limits of texts, in characters. */
export const LONGEST = { short: 20, name: 40, town: 50, address: 80, literal: 250, text: 2500 } as const;

/**
 * What an element could not hold, whole, for InvoiceAdditionalInformation. One object serves one file and is
 * filled while the file is written.
 */
export class Remarks {
  readonly #lines: string[] = [];

  add(label: string, text: string | undefined): void {
    if (text === undefined || text.trim() === "") return;
    const line = `${label}: ${text}`;
    if (!this.#lines.includes(line)) this.#lines.push(line);
  }

  /** The text up to the limit; the whole of a longer one becomes a remark. */
  cut(label: string, text: string, limit: number): string {
    const short = firstCharacters(text, limit);
    if (short !== text) this.add(label, text);
    return short;
  }

  /** One line each, up to the limit of the element. */
  get text(): string {
    return firstCharacters(this.#lines.join("\n"), LONGEST.text);
  }
}

/** Counted as XSD counts: a character outside the basic plane is one. */
export function firstCharacters(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const characters = [...text];
  return characters.length <= limit ? text : characters.slice(0, limit).join("").trimEnd();
}
