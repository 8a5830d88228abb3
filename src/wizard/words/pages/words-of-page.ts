/** Words that come with the page that needs them, not with the first load: each key in both languages. */
export interface PageWords<Id extends string> {
  readonly es: Readonly<Record<Id, string>>;
  readonly en: Readonly<Record<Id, string>>;
}
