import { lexer, type Token, type Tokens } from 'marked';
import type { VNode } from 'preact';

/**
 * CommonMark as elements. HTML in it is not parsed: its tags are left out and its text stays, so
 * that a contract cannot run anything here. Links lead to web pages, mail and telephone.
 */
export function Markdown({ text, isWhole = false }: MarkdownProps): VNode {
  return (
    <>
      {lexer(text).map((token) =>
        isWhole && token.type === 'heading' ? <h2>{inlines(token.tokens)}</h2> : block(token),
      )}
    </>
  );
}

interface MarkdownProps {
  readonly text: string;
  /** Whether it stands right below the title of the page, so that its headings are of the page. */
  readonly isWhole?: boolean;
}

function blocks(tokens: readonly Token[]): (VNode | string)[] {
  return tokens.map((token) => block(token));
}

function block(token: Token): VNode | string {
  switch (token.type) {
    case 'heading':
      return (
        <p>
          <b>{inlines(token.tokens)}</b>
        </p>
      );
    case 'paragraph':
      return <p>{inlines(token.tokens)}</p>;
    case 'code':
      return <pre tabIndex={0}>{String(token['text'])}</pre>;
    case 'blockquote':
      return <blockquote>{blocks(token.tokens ?? [])}</blockquote>;
    case 'list':
      return <List list={token as Tokens.List} />;
    case 'table':
      return <Table table={token as Tokens.Table} />;
    case 'hr':
      return <hr />;
    case 'html':
      return <p>{textOf(token.raw)}</p>;
    case 'text':
      return <>{token.tokens === undefined ? textOf(token.raw) : inlines(token.tokens)}</>;
    default:
      return '';
  }
}

function List({ list }: { readonly list: Tokens.List }): VNode {
  const items = list.items.map((item) => <li>{blocks(item.tokens)}</li>);
  return list.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
}

function Table({ table }: { readonly table: Tokens.Table }): VNode {
  return (
    <table>
      <thead>
        <tr>
          {table.header.map((cell) => (
            <th>{inlines(cell.tokens)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map((row) => (
          <tr>
            {row.map((cell) => (
              <td>{inlines(cell.tokens)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function inlines(tokens: readonly Token[] = []): (VNode | string)[] {
  return tokens.map((token) => inline(token));
}

function inline(token: Token): VNode | string {
  switch (token.type) {
    case 'strong':
      return <b>{inlines(token.tokens)}</b>;
    case 'em':
      return <em>{inlines(token.tokens)}</em>;
    case 'del':
      return <s>{inlines(token.tokens)}</s>;
    case 'codespan':
      return <code>{String(token['text'])}</code>;
    case 'br':
      return <br />;
    case 'link':
      return isSafeUrl(String(token['href'])) ? (
        <a href={String(token['href'])} rel="noreferrer">
          {inlines(token.tokens)}
        </a>
      ) : (
        <>{inlines(token.tokens)}</>
      );
    case 'image':
      return String(token['text']);
    case 'html':
      return /^<br\b/i.test(token.raw) ? <br /> : '';
    case 'escape':
      return String(token['text']);
    default:
      return token.raw === undefined ? '' : textOf(token.raw);
  }
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#39': "'",
  nbsp: '\u00a0',
};

/** The text of HTML: without its tags and comments. */
function textOf(html: string): string {
  return html
    .replaceAll(/<!--[^]*?(?:-->|$)|<\/?[a-z][^<>]*>/gi, '')
    .replaceAll(/&(#39|[a-z]+);/g, (written, name: string) => entities[name] ?? written);
}

/** Whether a link leads to a web page, mail or telephone; others could run a script. */
function isSafeUrl(url: string): boolean {
  return /^(?:https?|mailto|tel):/i.test(url);
}
