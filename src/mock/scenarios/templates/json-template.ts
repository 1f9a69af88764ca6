import { joinPointer, type Pointer } from '../../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonValue, setMember } from '../../../json/value.ts';
import type { FaultAt } from '../../../contract/locate.ts';
import { escapeTemplate, type Placeholder, readTemplate, type Template } from './read-template.ts';

/** A JSON value with placeholders in its texts. */
export type JsonTemplate =
  | { readonly kind: 'constant'; readonly value: JsonValue }
  | { readonly kind: 'text'; readonly template: Template }
  | { readonly kind: 'list'; readonly items: readonly JsonTemplate[] }
  | {
      readonly kind: 'object';
      readonly members: readonly (readonly [name: string, member: JsonTemplate])[];
    };

/** A place whose value is only known for a request. */
export interface OpenPlace {
  /** Where in the value. */
  readonly at: Pointer;
  readonly template: Template;
}

export interface TemplateValue {
  /** The value with its placeholders as written. */
  readonly plain: JsonValue;
  /** Undefined if it has no placeholders. */
  readonly template: JsonTemplate | undefined;
  readonly open: readonly OpenPlace[];
}

/** Reads the placeholders in a value. Throws the error that `fault` makes for an unreadable one. */
export function readJsonTemplate(
  value: JsonValue,
  pointer: Pointer,
  fault: FaultAt,
): TemplateValue {
  const open: OpenPlace[] = [];
  const template = read(value, '', { pointer, fault, open });
  return {
    plain: plainOf(template),
    template: open.length === 0 ? undefined : template,
    open,
  };
}

/** A value whose texts a scenario shows as they stand here, such as a recorded body. */
export function escapeJson(value: JsonValue): JsonValue {
  if (typeof value === 'string') return escapeTemplate(value);
  if (isJsonArray(value)) return value.map(escapeJson);
  if (!isJsonObject(value)) return value;
  return objectOf(
    Object.entries(value).map(([name, member]) => [escapeTemplate(name), escapeJson(member)]),
  );
}

interface Reading {
  readonly pointer: Pointer;
  readonly fault: FaultAt;
  readonly open: OpenPlace[];
}

function read(value: JsonValue, at: Pointer, reading: Reading): JsonTemplate {
  if (typeof value === 'string') return readText(value, at, reading);
  if (isJsonArray(value))
    return {
      kind: 'list',
      items: value.map((item, index) => read(item, joinPointer(at, index), reading)),
    };
  if (!isJsonObject(value)) return { kind: 'constant', value };
  return {
    kind: 'object',
    members: Object.entries(value).map(([name, member]) => {
      const place = joinPointer(at, name);
      return [readName(name, place, reading), read(member, place, reading)];
    }),
  };
}

function readText(text: string, at: Pointer, { pointer, fault, open }: Reading): JsonTemplate {
  const reading = readTemplate(text);
  if (reading.kind === 'unreadable') throw fault(pointer + at, reading.message, reading.hint);
  if (reading.kind === 'text') return { kind: 'constant', value: reading.text };
  open.push({ at, template: reading.template });
  return { kind: 'text', template: reading.template };
}

function readName(name: string, at: Pointer, { pointer, fault }: Reading): string {
  const reading = readTemplate(name);
  if (reading.kind === 'text') return reading.text;
  throw fault(
    pointer + at,
    'The name of a member has no placeholders.',
    'Write \\{$ or \\{{ for the braces themselves.',
  );
}

function plainOf(template: JsonTemplate): JsonValue {
  switch (template.kind) {
    case 'constant':
      return template.value;
    case 'text':
      return template.template.map(writtenPart).join('');
    case 'list':
      return template.items.map(plainOf);
    case 'object':
      return objectOf(template.members.map(([name, member]) => [name, plainOf(member)]));
  }
}

function writtenPart(part: string | Placeholder): string {
  if (typeof part === 'string') return part;
  if (part.kind === 'computed') return `{{ ${part.text} }}`;
  return part.kind === 'request' ? `{${part.text}}` : `{$${part.kind}}`;
}

/** An object of members; a name such as `__proto__` is one like any other. */
export function objectOf(
  members: readonly (readonly [name: string, value: JsonValue])[],
): Record<string, JsonValue> {
  const object: Record<string, JsonValue> = {};
  for (const [name, value] of members) setMember(object, name, value);
  return object;
}
