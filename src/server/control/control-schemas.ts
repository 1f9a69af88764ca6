import type { JsonObject } from '../../json/value.ts';
import type { ControlAnswer } from './control-parts.ts';

/** JSON Schemas that several routes of the control API share. */

export const text: JsonObject = { type: 'string' };
export const count: JsonObject = { type: 'integer', minimum: 0 };
export const name: JsonObject = { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' };
export const record: JsonObject = { type: 'object' };

/** An object with all of these members, and no others. */
export function exactly(properties: JsonObject): JsonObject {
  return {
    type: 'object',
    required: Object.keys(properties),
    properties,
    additionalProperties: false,
  };
}

/** An answer with an object that has all of these members, and no others. */
export function shows(description: string, members: JsonObject): ControlAnswer {
  return { description, schema: exactly(members) };
}

/** An object that may have any of these members, and no others. */
export function anyOf(properties: JsonObject): JsonObject {
  return { type: 'object', properties, additionalProperties: false };
}

export function list(items: JsonObject): JsonObject {
  return { type: 'array', items };
}

export function orNull(schema: JsonObject): JsonObject {
  return { anyOf: [schema, { type: 'null' }] };
}

export const problem: JsonObject = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail'],
  properties: { type: text, title: text, status: { type: 'integer' }, detail: text },
};

const parentView = exactly({ parameter: text, resource: orNull(text), field: orNull(text) });
export const resourceView = exactly({
  kind: { enum: ['collection', 'singleton'] },
  name: text,
  collection: text,
  path: text,
  identifier: orNull(text),
  identifierType: orNull({ enum: ['integer', 'string'] }),
  removable: { type: 'boolean' },
  parents: list(parentView),
  count: orNull(count),
});
export const scenarioView = exactly({ name: text, description: text, active: { type: 'boolean' } });
export const clockView = exactly({
  now: { type: 'string', format: 'date-time' },
  mode: { enum: ['given', 'fixed', 'offset'] },
  offsetMs: { type: 'number' },
});
const storedRecord = exactly({ id: text, record });
export const placedRecord = exactly({ id: text, parents: list(text), record });

export const snapshotDocument = exactly({
  version: { const: 1 },
  sessions: {
    type: 'object',
    additionalProperties: exactly({
      collections: {
        type: 'object',
        additionalProperties: exactly({
          records: list(storedRecord),
          greatest: { type: 'string', pattern: '^-?[0-9]+$' },
        }),
      },
    }),
  },
});

const shortEntry = {
  id: { type: 'integer', minimum: 1 },
  at: { type: 'string', format: 'date-time' },
  method: text,
  target: text,
  operation: orNull(text),
  session: orNull(text),
  status: { type: 'integer', minimum: 100, maximum: 999 },
  durationMs: { type: 'number', minimum: 0 },
  fault: orNull(text),
  callbacks: count,
};

const message = exactly({
  headers: list({ type: 'array', items: text, minItems: 2, maxItems: 2 }),
  body: orNull({ anyOf: [exactly({ text }), exactly({ base64: text })] }),
  bytes: count,
  truncated: { type: 'boolean' },
});

export const entryShort = exactly(shortEntry);
export const entryWhole = exactly({ ...shortEntry, request: message, response: message });
