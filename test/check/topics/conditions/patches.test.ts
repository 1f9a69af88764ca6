import { describe, expect, test } from 'vitest';
import { type Crud, crud, moment, type Fields, text } from '../../fixture/crud/crud.ts';

type Quirk = 'no tests' | 'replaced entries' | 'unknown places' | 'half done' | 'own fields kept';

interface Step {
  readonly op: string;
  readonly path: string;
  readonly value?: unknown;
}

/** The fields after the steps of a patch; undefined if one fails, or changes what clients may not. */
function patched(row: Fields, steps: readonly Step[], quirk?: Quirk): Fields | undefined {
  const next = structuredClone(row);
  for (const { op, path, value } of steps) {
    const [, name = '', index] = path.split('/');
    const isKnown = Object.hasOwn(next, name);
    if (!isKnown && quirk === 'unknown places') continue;
    const isWrong = op === 'test' && quirk !== 'no tests' && next[name] !== value;
    if (isWrong || (!isKnown && op !== 'add')) {
      if (quirk === 'half done') Object.assign(row, next);
      return undefined;
    }
    if (op === 'test') continue;
    if (name === 'made' && quirk !== 'own fields kept') return undefined;
    if (index !== undefined)
      (next[name] as unknown[]).splice(Number(index), quirk === 'replaced entries' ? 1 : 0, value);
    else if (op === 'remove') Reflect.deleteProperty(next, name);
    else if (name !== 'made') next[name] = value;
  }
  return next;
}

/** Notes that take a JSON Patch as plain JSON. */
function notes(quirk?: Quirk): Crud {
  const steps =
    '{ type: array, minItems: 1, items: { type: object, required: [op, path], properties: { ' +
    'op: { enum: [add, remove, replace, test] }, path: { type: string }, value: {} } } }';
  const form =
    '{ type: object, required: [title, tags], properties: { title: { type: string, minLength: 1 }' +
    ', tags: { type: array, items: { type: string } } } }';
  const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
  const answer = json("{ $ref: '#/components/schemas/Note' }");
  const create =
    `{ operationId: createNote, requestBody: { required: true, ${json(form)} }, ` +
    `responses: { '201': { description: made, ${answer} }, '400': { description: bad } } }`;
  return crud(
    {
      Note: {
        fields: { title: text, tags: { type: 'array', items: { type: 'string' } }, made: moment },
        can: 'read update delete',
      },
    },
    () => ({
      made: { notes: (note) => Object.assign(note, { made: '2026-01-02T03:04:05Z' }) },
      on: {
        updateNote: ({ row, sent }) => {
          if (row === undefined || sent === undefined) return undefined;
          const next = patched(row, sent as readonly Step[], quirk);
          if (next === undefined) return { status: 400 };
          return { status: 200, json: Object.assign(row, next) };
        },
      },
    }),
    { schemas: `NoteChange: ${steps}`, paths: `/notes: { post: ${create} }` },
  );
}

describe('a JSON Patch that is sent as plain JSON', () => {
  test('is no finding of a service that applies all of it or nothing', async () => {
    expect(await notes().alarms(/^error/)).toEqual([]);
  });

  test.each<readonly [Quirk, RegExp]>([
    ['no tests', /condition-holds updateNote: .*whose test fails/],
    ['unknown places', /condition-holds updateNote: .*of a member that no record has/],
    ['half done', /refusal-is-harmless .*whose last test fails, and yet the record has changed/],
    ['replaced entries', /replaced-is-persisted updateNote: The tags .*operation add/],
    ['own fields kept', /replaced-is-persisted updateNote: The made .*operation replace/],
  ])('is a finding of a service with the fault: %s', async (quirk, line) => {
    expect((await notes(quirk).alarms(/^error/)).join('\n')).toMatch(line);
  });
});
