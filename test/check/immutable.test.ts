import { expect, test } from 'vitest';
import { type Crud, crud, text } from './fixture/crud/crud.ts';

type Trait = 'changes it' | 'ignores it' | 'refuses its own value';

/** Boxes with a code, which is refused in an update if it is another one. */
function boxes(trait?: Trait, description = 'It cannot be changed after creation.'): Crud {
  const code = { type: 'string', pattern: '^[A-Z]{2}-[0-9]{4,8}$', example: 'AB-1204' };
  return crud(
    {
      Box: {
        fields: {
          code: { ...code, description },
          name: { ...text, maxLength: 60, example: 'Tools' },
        },
        can: 'list create read update delete',
        refuses: { update: { 400: 'It is invalid.' } },
      },
    },
    () => ({
      on: {
        updateBox: ({ sent, row, sound }) => {
          const fields = { ...(Object(sent) as Record<string, unknown>) };
          if (trait === 'changes it' || !('code' in fields)) return undefined;
          const isOwn = fields['code'] === row?.['code'];
          if (trait === 'refuses its own value' || (!isOwn && trait === undefined))
            return { status: 400 };
          if (isOwn || trait !== 'ignores it') return undefined;
          const before = row?.['code'] ?? null;
          const { status } = sound();
          Object.assign(row ?? {}, { code: before });
          return { status, json: row ?? null };
        },
      },
    }),
  );
}

const told = (crudOf: Crud): Promise<string[]> => crudOf.alarms(/immutable-is-kept/);

test.each<Trait | undefined>([undefined, 'ignores it'])(
  'a service that keeps an immutable field has no finding: %s',
  async (trait) => {
    expect(await told(boxes(trait))).toEqual([]);
  },
);

test('a field that may be changed is no immutable one', async () => {
  expect(await told(boxes('changes it', 'The code on its side.'))).toEqual([]);
});

test('a service that changes an immutable field is reported', async () => {
  expect(await told(boxes('changes it'))).toContainEqual(
    expect.stringMatching(
      /^error immutable-is-kept updateBox: code is "\S+" after .* does not change, and it was/,
    ),
  );
});

test('a service that refuses the value which a record has is reported', async () => {
  expect(await told(boxes('refuses its own value'))).toContainEqual(
    expect.stringMatching(
      /^error immutable-is-kept updateBox: The server answered 400 to .* without code/,
    ),
  );
});
