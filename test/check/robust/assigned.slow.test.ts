import { describe, expect, test } from 'vitest';
import { crud, type Fields, type Row } from '../fixture/crud/crud.ts';

const text = { type: 'string' };
const fields = {
  name: text,
  // What the service makes is not declared readOnly.
  secret: { ...text, description: 'MAY be empty to have the server generate the key material' },
  kind: { ...text, description: 'Set to "Key"' },
  address: { ...text, description: 'Where the key is' },
  serial: { type: 'integer' },
  digests: { type: 'array', items: text },
  tags: { type: 'array', items: text },
  note: text,
  level: { type: 'string', enum: ['low', 'high'] },
  limits: { type: 'object', properties: { most: { type: 'integer' }, words: { type: 'array' } } },
};

/** What a service sets in a record that was sent. */
type Store = (sent: Fields, id: string) => Fields;

/** The findings about the answers to creates of a service of keys. */
function accusations(store: Store): Promise<string[]> {
  const optional = Object.keys(fields).filter((name) => name !== 'name');
  const made = (row: Row, sent: Fields): void => void Object.assign(row, store(sent, row.id));
  const keys = crud({ Key: { fields, optional } }, () => ({ made: { keys: made } }));
  return keys.alarms(/^/, { only: ['created-is-returned'] });
}

describe('a member that the service sets without readOnly in the contract', () => {
  test.each<[string, Store]>([
    [
      'a secret that is made where none is sent',
      ({ secret }, id) => ({ secret: secret === undefined || secret === '' ? `${id}x9` : secret }),
    ],
    ['a constant that its description names', () => ({ kind: 'Key' })],
    ['an address with the name of the record', (_sent, id) => ({ address: `/keys/${id}` })],
    ['digests that differ from record to record', (_sent, id) => ({ digests: [`d${id}`] })],
    [
      'a list that is kept as a set',
      ({ tags }) => (Array.isArray(tags) ? { tags: [...new Set(tags as string[])] } : {}),
    ],
    [
      'an object without its empty members',
      ({ limits }) => {
        const { words, ...others } = (limits ?? {}) as { words?: unknown[] };
        const isKept = words !== undefined && words.length > 0;
        return typeof limits === 'object' ? { limits: isKept ? limits : others } : {};
      },
    ],
  ])('is no accusation: %s', async (_name, store) => {
    expect(await accusations(store)).toEqual([]);
  });

  test.each<[string, Store, RegExp]>([
    [
      'a zero that becomes one, while other numbers are kept',
      ({ serial }) => (serial === 0 ? { serial: 1 } : {}),
      /another serial than was sent: 1 instead of 0/,
    ],
    ['a required member', (_sent, id) => ({ name: `other ${id}` }), /another name than was sent/],
    [
      'a value that the contract lists',
      ({ level }) => (level === undefined ? {} : { level: 'low' }),
      /another level than was sent: "low" instead of "high"/,
    ],
    [
      'letters beyond ASCII, while other texts are kept',
      ({ note }) =>
        typeof note === 'string' ? { note: note.replaceAll(/[^\u0020-\u007e]/g, '?') } : {},
      /another note than was sent/,
    ],
    [
      'a text that is cut',
      ({ note }) => (typeof note === 'string' ? { note: note.slice(0, 4) } : {}),
      /another note than was sent/,
    ],
    [
      'a number in an object',
      ({ limits }) => (typeof limits === 'object' ? { limits: { ...limits, most: 3 } } : {}),
      /another limits than was sent/,
    ],
  ])('is found where it is lost: %s', async (_name, store, expected) => {
    expect((await accusations(store)).join('\n')).toMatch(expected);
  });
});
