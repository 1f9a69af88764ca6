import {
  defined,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  stringifyJson,
} from '../../../json/value.ts';
import type { ObservedGap, RunEvent } from '../../model/event.ts';
import type { Finding, OverlayAction } from '../../model/finding.ts';
import { escapeCharacter } from './overlay-action.ts';

/** An action, and the reason for it. */
export interface ReasonedAction extends OverlayAction {
  /** Sentences for the reader: which request showed it. */
  readonly because: readonly string[];
}

/** An Overlay that documents the observed behaviour which the contract does not document. */
export interface ObservedOverlay {
  readonly title: string;
  readonly version: string;
  readonly actions: readonly ReasonedAction[];
}

/** Makes an Overlay from the events of a run: of the actions of its findings and gaps. */
export class OverlayMaker {
  /** As in the events: without secrets. */
  #title = '';
  readonly #actions: ReasonedAction[] = [];

  /** Adds an event. */
  take(event: RunEvent): void {
    if (event.type === 'run-started') this.#title = event.run.contract.title;
    if (event.type === 'gap-observed') this.#add(event.overlayAction, sayGap(event));
    if (event.type === 'finding-reported') {
      const { overlayAction, message, curl } = event.finding;
      this.#add(overlayAction, [message, ...curl].join('\n'));
    }
  }

  #add(action: OverlayAction | undefined, because: string): void {
    if (action !== undefined) this.#actions.push({ ...action, because: [because] });
  }

  /** The possible additions, by path. Empty if the contract documents all observations. */
  make(): ObservedOverlay {
    return { ...headOf(this.#title), actions: joinTargets(this.#actions) };
  }
}

function headOf(title: string): Pick<ObservedOverlay, 'title' | 'version'> {
  return { title: `Undocumented behaviour of a deployment of ${title}`, version: '1.0.0' };
}

/** One action for each place. */
function joinTargets(actions: readonly ReasonedAction[]): ReasonedAction[] {
  const joined = [...Map.groupBy(actions, ({ target }) => target)].map(([target, alike]) => ({
    target,
    update: alike.map(({ update }) => update).reduce(merge),
    because: [...new Set(alike.flatMap(({ because }) => because))],
  }));
  return joined.sort((left, right) => (left.target < right.target ? -1 : 1));
}

function merge(left: JsonObject, right: JsonObject): JsonObject {
  const merged: Record<string, JsonObject[string]> = { ...left };
  for (const [name, value] of Object.entries(right)) {
    const before = merged[name];
    merged[name] = isJsonObject(before) && isJsonObject(value) ? merge(before, value) : value;
  }
  return merged;
}

/** An Overlay as YAML (OpenAPI Overlay 1.0.0), with the reason for each action as a comment. */
export function formatOverlay({ actions, ...head }: ObservedOverlay): string {
  return joinLines([...formatHead(head), ...actions.flatMap(formatAction)]);
}

/** An Overlay with one action, as YAML: `head` and `action` together are the file. */
export type WrittenOverlay = {
  readonly head: string;
  /** The action alone, to be added to other actions. */
  readonly action: string;
};

/** The Overlay with the action of one finding, for a contract with this title, if it has one. */
export function findingOverlay(
  { overlayAction, message }: Pick<Finding, 'overlayAction' | 'message'>,
  title = '',
): WrittenOverlay | undefined {
  if (overlayAction === undefined) return undefined;
  const action = formatAction({ ...overlayAction, because: [message] });
  return { head: joinLines(formatHead(headOf(title))), action: joinLines(action) };
}

/** The Overlay with the action of one gap, for a contract with this title, if it has one. */
export function gapOverlay(observed: ObservedGap, title?: string): WrittenOverlay | undefined {
  const { overlayAction } = observed;
  return findingOverlay({ ...defined({ overlayAction }), message: sayGap(observed) }, title);
}

function sayGap({ gap, observed }: ObservedGap): string {
  return `${gap.message} ${observed}`;
}

function joinLines(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
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
