import { expect, test } from 'vitest';
import { endsParts, leavesOut } from '../../../src/contract/words/read-dependents.ts';
import { parseContract } from '../../../src/contract/load.ts';
import type { Operation } from '../../../src/contract/model.ts';

function described(description: string): Operation {
  const responses = { 204: { description: 'Done.' } };
  const paths = { '/comments': { get: { description, responses } } };
  const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'A', version: '1' }, paths });
  const [operation] = parseContract(text, 'comments.json').operations;
  if (operation === undefined) throw new Error('The document has one operation.');
  return operation;
}

test.each([
  ['Its replies are deleted with it.', true],
  ['Deletes a comment. All replies will also be deleted.', true],
  ['Deletes the comment with its replies.', true],
  ['Its replies are not deleted.', false],
  ['Its replies are kept for a month, and deleted then.', false],
  ['Deletes a comment without replies.', false],
])('whether %j says that replies are deleted too', (text, expected) => {
  expect(endsParts(described(text), 'reply')).toBe(expected);
});

test.each([
  ['Newest first, without replies.', true],
  ['Retrieves the comments for a media (excluding replies).', true],
  ['All comments except the replies.', true],
  ['All comments with their replies.', false],
  ['Newest first. Replies are shown without their texts.', false],
])('whether %j leaves out replies', (text, expected) => {
  expect(leavesOut(described(text), 'reply')).toBe(expected);
});
