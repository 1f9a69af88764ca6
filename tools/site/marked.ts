/** A part of a Markdown text, as `marked` makes it: the members that the site reads. */
export interface Token {
  readonly type: string;
  readonly text?: string;
  readonly tokens?: readonly Token[];
  /** Of a heading. */
  readonly depth?: number;
  /** Of a link and an image. */
  readonly href?: string;
  /** Of code. */
  readonly lang?: string;
  readonly items?: readonly Token[];
  readonly header?: readonly Token[];
  readonly rows?: readonly (readonly Token[])[];
}

/** Writes a token as HTML; `this.parser` writes the tokens inside it. */
export type Renderer = (
  this: { readonly parser: { parseInline(tokens: readonly Token[]): string } },
  token: Token,
) => string;

interface Markdown {
  lexer(text: string): readonly Token[];
  parser(tokens: readonly Token[]): string;
}

/** Named, and not imported: the type check of the project does without the package. */
const packageName: string = 'marked';

/** A parser of Markdown as GitHub has it, with other renderers for some types of tokens. */
export async function makeMarkdown(
  renderer: Readonly<Record<string, Renderer>> = {},
): Promise<Markdown> {
  const { Marked } = (await import(packageName)) as {
    Marked: new (options: { renderer: object }) => Markdown;
  };
  const marked = new Marked({ renderer });
  return {
    lexer: (text) => marked.lexer(text),
    parser: (tokens) => marked.parser(tokens),
  };
}
