import { escapeCharacter } from '../../json/json-problem.ts';
import { type JsonObject, type JsonValue, isJsonObject, stringifyJson } from '../../json/value.ts';

/** An action of an Overlay (OpenAPI Overlay 1.0.0, section 4.4.3), and the reason for it. */
export interface ReasonedAction {
  /** A JSONPath. */
  readonly target: string;
  readonly update: JsonObject;
  /** Sentences for the reader: which request showed it. */
  readonly because: readonly string[];
}

/** An Overlay that documents the observed behaviour which the contract does not document. */
export interface ObservedOverlay {
  readonly title: string;
  readonly version: string;
  readonly actions: readonly ReasonedAction[];
}

/** An Overlay as YAML (OpenAPI Overlay 1.0.0), with the reason for each action as a comment. */
export function formatOverlay({ actions, ...head }: ObservedOverlay): string {
  return `${[...formatHead(head), ...actions.flatMap(formatAction)].join('\n')}\n`;
}

function formatHead({ title, version }: Pick<ObservedOverlay, 'title' | 'version'>): string[] {
  return [
    'overlay: 1.0.0',
    'info:',
    `  title: ${quote(title)}`,
    `  version: ${quote(version)}`,
    'actions:',
  ];
}

function formatAction({ target, update, because }: ReasonedAction): string[] {
  return [
    ...because.flatMap(comment),
    `  - target: ${quote(target)}`,
    '    update:',
    ...writeBlock(update, '      '),
  ];
}

/** An object in block style, its keys quoted: `"200"` must stay a text. */
function writeBlock(value: JsonObject, indent: string): string[] {
  return Object.entries(value).flatMap(([name, member]) => {
    const key = `${indent}${quote(name)}:`;
    return isJsonObject(member) && Object.keys(member).length > 0
      ? [key, ...writeBlock(member, `${indent}  `)]
      : [`${key} ${quote(member)}`];
  });
}

/** JSON, without what YAML refuses, or a page would not show. */
function quote(value: JsonValue): string {
  return stringifyJson(value).replaceAll(
    /[\p{Cf}\u007f-\u009f\u2028\u2029\ufffe\uffff]/gu,
    (one) => (one.length > 1 ? one : escapeCharacter(one)),
  );
}

/** A comment must end with its line, so line breaks and control characters are replaced. */
function comment(text: string): string[] {
  return text
    .split(/[\r\n\u0085\u2028\u2029]+/)
    .filter((line) => line !== '')
    .map((line) => `  # ${line.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '?')}`);
}
