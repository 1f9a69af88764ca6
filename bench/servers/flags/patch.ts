import { fields, listOf, oneOf, text, type Rule } from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import { bad, conflict, readBody, type Call } from './call.ts';

export interface Operation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/** The body of a PATCH: a JSON Patch, or instructions, with a comment. */
export interface Change {
  readonly comment: string | undefined;
  readonly patch?: readonly Operation[];
  readonly environmentKey?: string;
  readonly instructions?: readonly Json[];
}

export const comment = text(1, 500);

const pointer = text(0, 500, /^(\/([^~]|~[01])*)?$/);
const value: Rule = () => undefined;
const operation = fields(
  {
    op: oneOf(['add', 'remove', 'replace', 'move', 'copy', 'test']),
    ...{ path: pointer, from: pointer, value },
  },
  ['op', 'path'],
  true,
);
const jsonPatch = listOf(operation, { min: 1, max: 100 });
const envelope = fields({ comment, patch: jsonPatch }, ['patch'], true);

/** The body of a PATCH, which can have such instructions. */
export function readChange(call: Call, instructed?: Rule): Change {
  const rule: Rule = (body, name) => {
    if (Array.isArray(body)) return jsonPatch(body, name);
    const isInstructed = typeof body === 'object' && body !== null && 'instructions' in body;
    return isInstructed && instructed !== undefined ? instructed(body, name) : envelope(body, name);
  };
  const body = readBody(call, rule) as unknown as Change | Operation[];
  const change = Array.isArray(body) ? { patch: body, comment: undefined } : body;
  for (const { op, ...rest } of change.patch ?? []) {
    const needed = op === 'remove' ? 'path' : op === 'move' || op === 'copy' ? 'from' : 'value';
    if (!Object.hasOwn(rest, needed)) bad(`${op} needs ${needed}.`);
  }
  const isLost = call.service.has('comment-lost') && change.patch !== undefined;
  return isLost ? { ...change, comment: undefined } : change;
}

/** Whether two JSON values are the same. */
export function same(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null)
    return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every(
      (name) => Object.hasOwn(other, name) && same((one as Json)[name], (other as Json)[name]),
    )
  );
}

interface Place {
  readonly parent: Record<string, unknown> | unknown[];
  readonly name: string;
}

const none = (path: string): never => bad(`There is no ${path} in the record.`);

/** The parent of a place, and its name there; refuses a path that leads nowhere. */
function placeOf(record: unknown, path: string): Place {
  const names = path.split('/').map((one) => one.replaceAll('~1', '/').replaceAll('~0', '~'));
  const name = names.pop() ?? '';
  let parent = record;
  for (const each of names.slice(1)) parent = valueAt({ parent, name: each }, path);
  if (path === '' || typeof parent !== 'object' || parent === null) return none(path);
  return { parent: parent as Place['parent'], name };
}

const isIndex = (name: string, length: number): boolean =>
  /^(0|[1-9]\d{0,5})$/.test(name) && Number(name) < length;

function valueAt({ parent, name }: { parent: unknown; name: string }, path: string): unknown {
  if (Array.isArray(parent))
    return isIndex(name, parent.length) ? (parent as unknown[])[Number(name)] : none(path);
  const isThere = typeof parent === 'object' && parent !== null && Object.hasOwn(parent, name);
  return isThere ? (parent as Json)[name] : none(path);
}

function take({ parent, name }: Place, path: string): unknown {
  const taken = valueAt({ parent, name }, path);
  if (Array.isArray(parent)) parent.splice(Number(name), 1);
  else Reflect.deleteProperty(parent, name);
  return taken;
}

function add({ parent, name }: Place, path: string, added: unknown, isReplaced: boolean): void {
  if (!Array.isArray(parent)) {
    Object.defineProperty(parent, name, {
      ...{ value: added, enumerable: true, writable: true, configurable: true },
    });
    return;
  }
  const at = name === '-' ? parent.length : Number(name);
  if (name !== '-' && !isIndex(name, parent.length + 1)) none(path);
  parent.splice(at, isReplaced ? 1 : 0, added);
}

/** Applies the operations to the record, one after the other. */
export function applyPatch({ service }: Call, record: Json, patch: readonly Operation[]): void {
  const { has } = service;
  const isReplaced = has('add-at-index-replaces');
  for (const { op, path, from = '', value: given } of patch) {
    const whole = op === 'test' && path === '';
    const place = whole ? { parent: { '': record }, name: '' } : placeOf(record, path);
    if (op === 'test') {
      if (!same(valueAt(place, path), given) && !has('patch-test-ignored'))
        conflict(`The test of ${path} fails.`);
    } else if (op === 'remove') take(place, path);
    else if (op === 'replace') {
      valueAt(place, path);
      Object.assign(place.parent, { [place.name]: structuredClone(given) });
    } else if (op === 'add') add(place, path, structuredClone(given), isReplaced);
    else {
      const source = placeOf(record, from);
      const moved = op === 'move' ? take(source, from) : structuredClone(valueAt(source, from));
      add(placeOf(record, path), path, moved, isReplaced);
    }
  }
}
