import { type CelExpression, ExpressionCompiler } from '../../../contract/rules/expression.ts';
import { parseExpression, type RuntimeExpression } from '../../../contract/runtime-expression.ts';
import { suggestWord } from '../../../errors.ts';

/** A part of a text that is filled in for each request. */
export type Placeholder =
  | { readonly kind: 'request'; readonly text: string; readonly expression: RuntimeExpression }
  /** The time of the mock, as RFC 3339 writes it; a new identifier. */
  | { readonly kind: 'now' | 'uuid' }
  /** An expression in CEL over `request` and `now`. */
  | { readonly kind: 'computed'; readonly text: string; readonly expression: CelExpression };

/** A text with placeholders, in the order of its parts. */
export type Template = readonly (string | Placeholder)[];

/** A text as a scenario writes it: without placeholders, with some, or why one is unreadable. */
export type TemplateReading =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'template'; readonly template: Template }
  | Unreadable;

interface Unreadable {
  readonly kind: 'unreadable';
  readonly message: string;
  readonly hint: string;
}

/** The start of a placeholder. Backslashes before it make it a text; one of them is left out. */
const opening = /(\\*)(\{\$|\{\{)/g;

/**
 * Reads a text with placeholders: runtime expressions in braces, `{$request.body#/name}` (OpenAPI
 * 3.1, section 4.8.20.4), with `{$now}` and `{$uuid}`; and CEL in double braces, `{{ request.body.n
 * + 1 }}`. `\{$` and `\{{` stand for the braces themselves.
 */
export function readTemplate(text: string): TemplateReading {
  if (!text.includes('{$') && !text.includes('{{')) return { kind: 'text', text };
  const parts: (string | Placeholder)[] = [];
  let plain = '';
  let end = 0;
  for (const match of text.matchAll(opening)) {
    if (match.index < end) continue;
    const [whole, slashes = '', open = ''] = match;
    plain += text.slice(end, match.index);
    if (slashes !== '') {
      plain += slashes.slice(1) + open;
      end = match.index + whole.length;
      continue;
    }
    const close = open === '{{' ? '}}' : '}';
    const closed = text.indexOf(close, match.index);
    const written = text.slice(match.index, closed === -1 ? undefined : closed + close.length);
    if (closed === -1) return unreadable(written, `it has no ${close}`);
    const read = open === '{{' ? readComputed(written) : readExpression(written);
    if (read.kind === 'unreadable') return read;
    parts.push(...(plain === '' ? [] : [plain]), read);
    plain = '';
    end = match.index + written.length;
  }
  plain += text.slice(end);
  if (parts.length === 0) return { kind: 'text', text: plain };
  return { kind: 'template', template: plain === '' ? parts : [...parts, plain] };
}

/** A text that `readTemplate` reads as it stands here, such as one of a recorded response. */
export function escapeTemplate(text: string): string {
  return text.replaceAll(opening, '\\$&');
}

const longestShown = 60;

function unreadable(
  written: string,
  reason: string,
  hint = 'Write \\{$ or \\{{ for the braces themselves.',
): Unreadable {
  const shown = written.length > longestShown ? `${written.slice(0, longestShown)}…` : written;
  return { kind: 'unreadable', message: `${shown} cannot be read: ${reason}.`, hint };
}

const examples =
  'There are {$request.path.NAME}, {$request.query.NAME}, {$request.header.NAME}, ' +
  '{$request.body}, {$request.body#/NAME}, {$url}, {$method}, {$now} and {$uuid}. ' +
  'Write \\{$ for the braces themselves.';

function readExpression(written: string): Placeholder | Unreadable {
  const text = written.slice(1, -1);
  if (text === '$now') return { kind: 'now' };
  if (text === '$uuid') return { kind: 'uuid' };
  const expression = parseExpression(text);
  if (expression === undefined) return unreadable(written, 'it is no runtime expression', examples);
  if (expression.kind === 'status' || ('of' in expression && expression.of === 'response'))
    return unreadable(written, 'the response is only being made', examples);
  return { kind: 'request', text, expression };
}

const requestMembers = ['method', 'url', 'path', 'query', 'headers', 'body'] as const;

let compiler: ExpressionCompiler | undefined;

function readComputed(written: string): Placeholder | Unreadable {
  const text = written.slice(2, -2).trim();
  compiler ??= new ExpressionCompiler(['request', 'now']);
  const expression = compiler.compile(text);
  if ('message' in expression) return unreadable(written, lowerFirst(expression.message));
  const unknown = expression
    .membersOf('request')
    .find((member) => !requestMembers.some((known) => known === member));
  return unknown === undefined
    ? { kind: 'computed', text, expression }
    : unreadable(written, `a request has no ${unknown}`, suggestWord(unknown, requestMembers));
}

export function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1).replace(/\.$/, '');
}
