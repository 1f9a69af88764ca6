import { expect, test } from 'vitest';
import { jsonContent, makeContract } from '../make-contract.ts';

const text = { type: 'string' };
const note = { type: 'object', properties: { id: text, name: text, size: text } };

/** The fields by which a list is ordered, as the words of its parameter tell. */
function toldBy(description: string): readonly string[] | undefined {
  const [notes] = makeContract({
    paths: {
      '/notes': {
        get: {
          parameters: [{ name: 'sort', in: 'query', description, schema: text }],
          responses: {
            200: { description: 'All.', ...jsonContent({ type: 'array', items: note }) },
          },
        },
        post: { requestBody: jsonContent(note), responses: { 201: { description: 'Made.' } } },
      },
    },
  }).resources;
  return notes?.list?.sort?.told;
}

test('the words of an order name the fields that it takes', () => {
  expect(toldBy('of name, id')?.toSorted()).toEqual(['id', 'name']);
});

test.each(['By `name:asc` or `name:desc`.', 'The order of the notes.'])(
  'words that show another form, or no field, name none: %s',
  (words) => {
    expect(toldBy(words)).toEqual([]);
  },
);
