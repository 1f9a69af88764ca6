/** The words of a text, as literal types. */
type WordOf<Text extends string> = Text extends `${infer First} ${infer Rest}`
  ? First | WordOf<Rest>
  : Text;

/** The words of some texts, in their order: a list of names that takes no line for each. */
export function wordsIn<const Text extends string>(...texts: readonly Text[]): WordOf<Text>[] {
  return texts.flatMap((text) => text.split(' ')) as WordOf<Text>[];
}

/** Whether a text is one of those that a pattern describes. */
export function looksLike(pattern: RegExp): (text: string) => boolean {
  return (text) => pattern.test(text);
}
