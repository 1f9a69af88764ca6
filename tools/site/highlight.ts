/** Code as HTML with a class for each kind of word; undefined for a language that is not known. */
export type Highlight = (code: string, language: string | undefined) => string | undefined;

interface Library {
  getLanguage(name: string): object | undefined;
  highlight(code: string, options: { readonly language: string }): { readonly value: string };
}

/** Named, and not imported: its types would declare those of browsers for the whole project. */
const packageName: string = 'highlight.js/lib/common';

/** The highlighter for the languages of the documentation, such as `sh`, `yaml` and `js`. */
export async function makeHighlight(): Promise<Highlight> {
  const { default: library } = (await import(packageName)) as { default: Library };
  return (code, language) =>
    language === undefined || library.getLanguage(language) === undefined
      ? undefined
      : library.highlight(code, { language }).value;
}
