import { stringifyJson } from '../../json/stringify-json.ts';
import { isJsonObject, type JsonObject } from '../../json/value.ts';
import type { Overlay, OverlayAction } from './make-overlay.ts';

/**
 * An Overlay as YAML (OpenAPI Overlay 1.0.0), with a comment over each action that says what calls
 * for it.
 */
export function formatOverlay({ title, version, actions }: Overlay): string {
  const head = [
    'overlay: 1.0.0',
    'info:',
    `  title: ${stringifyJson(title)}`,
    `  version: ${stringifyJson(version)}`,
  ];
  return `${[...head, 'actions:', ...actions.flatMap(formatAction)].join('\n')}\n`;
}

function formatAction({ target, update, because }: OverlayAction): string[] {
  return [
    ...because.flatMap(comment),
    `  - target: ${stringifyJson(target)}`,
    '    update:',
    ...writeBlock(update, '      '),
  ];
}

/** An object in block style, its keys quoted: `"200"` is to stay a text. */
function writeBlock(value: JsonObject, indent: string): string[] {
  return Object.entries(value).flatMap(([name, member]) => {
    const key = `${indent}${stringifyJson(name)}:`;
    return isJsonObject(member) && Object.keys(member).length > 0
      ? [key, ...writeBlock(member, `${indent}  `)]
      : [`${key} ${stringifyJson(member)}`];
  });
}

/** A comment ends with its line, whatever a server put into it. */
function comment(text: string): string[] {
  return text
    .split(/[\r\n\u0085\u2028\u2029]+/)
    .filter((line) => line !== '')
    .map((line) => `  # ${line.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '?')}`);
}
