import { describe, expect, test } from 'vitest';
import { type Crud, crud, type Fields, text } from '../../fixture/crud/crud.ts';
import { jsonObject } from '../../fixture/inline-service.ts';

type Half = 'map' | 'steps' | 'state';

const can = 'list create read update delete';
const flag = { type: 'boolean' };
const size = { type: 'integer', minimum: 1, maximum: 9 };
const map = { type: 'object', additionalProperties: { type: 'string' } };

/** Folders and notes; `half` is where a change that is refused is stored in part. */
function folders(half?: Half): Crud {
  const schema =
    '{ type: object, required: [kind], properties: { kind: { enum: [turn, turn again] } } }';
  return crud(
    {
      Folder: {
        fields: { title: text, isOpen: flag, size, extras: map },
        can,
        refuses: { update: { 409: 'A folder with notes stays open.' } },
      },
      Note: { fields: { title: text, pinned: flag, folderId: text }, can },
    },
    (rows) => ({
      refuse: {
        notes: ({ folderId }) =>
          rows('folders').some(({ id }) => id === folderId) ? undefined : 400,
      },
      on: {
        updateFolder: ({ row, sent, sound }) => {
          const { extras, ...rest } = (sent ?? {}) as { extras?: Fields; isOpen?: boolean };
          if (row === undefined || sent === undefined) return sound();
          const isOdd = Object.keys(extras ?? {}).includes('VOUCH');
          const isHeld =
            rest.isOpen === false && rows('notes').some(({ folderId }) => folderId === row.id);
          if ((isOdd && half === 'map') || (isHeld && half === 'state')) {
            const { isOpen: _state, ...others } = rest as Fields;
            Object.assign(row, isOdd ? rest : others);
          }
          return isOdd ? { status: 400 } : isHeld ? { status: 409 } : sound();
        },
        updateNote: ({ call, row, sound }) => {
          const steps = jsonObject(call.body)?.['steps'];
          if (row === undefined || !Array.isArray(steps) || steps.length === 0) return sound();
          const next: Fields = { ...row };
          for (const step of steps as readonly ({ readonly kind?: string } | null)[]) {
            const kind = step?.kind;
            const isKnown = kind === 'turn' || kind === 'turn again';
            if (isKnown) next['pinned'] = next['pinned'] !== true;
            if (!isKnown && half === 'steps') Object.assign(row, next);
            if (!isKnown) return { status: 400 };
          }
          return { status: 200, json: Object.assign(row, next) };
        },
      },
    }),
    {
      schemas:
        `NoteChange: { type: object, required: [steps], properties: { steps: { type: array, ` +
        `minItems: 1, items: ${schema} } }, example: { steps: [{ kind: turn }] } }`,
    },
  );
}

describe('a change that is refused', () => {
  test('is no finding of a service that stores all of it or nothing', async () => {
    expect(await folders().alarms(/^error/)).toEqual([]);
  });

  test.each<readonly [Half, RegExp]>([
    ['map', /extras has a member that no other request names, and yet/],
    ['steps', /the kind of the last entry of steps is not valid, and yet/],
    ['state', /isOpen becomes another one, and yet/],
  ])('is a finding where it is stored in part: %s', async (half, line) => {
    const lines = await folders(half).alarms(/^error refusal-is-harmless/);
    expect(lines.join('\n')).toMatch(line);
  });
});
