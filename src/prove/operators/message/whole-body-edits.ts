import { isJsonObject } from '../../../json/value.ts';
import { readJson, withBytes, withJson } from '../../edit-answer.ts';
import { successBodies } from '../../places.ts';
import { whereBodies, hasBody, encode, type MessageEdit } from './message-edit.ts';

/** Bodies that are wrong as a whole. */
export const wholeBodyEdits: readonly MessageEdit[] = [
  {
    id: 'empty-body',
    family: 'body',
    rule: 'An answer has no body where the contract documents one.',
    words: 'answers without a body',
    where: whereBodies,
    edit: (response) => (hasBody(response) ? withBytes(response, new Uint8Array()) : undefined),
  },
  {
    id: 'truncated-json',
    family: 'body',
    rule: 'The JSON of an answer breaks off in the middle.',
    words: 'answers with JSON that breaks off',
    where: whereBodies,
    edit: (response) =>
      hasBody(response)
        ? withBytes(response, response.body.slice(0, Math.ceil(response.body.length / 2)))
        : undefined,
  },
  {
    id: 'not-a-number',
    family: 'body',
    rule: 'An answer holds NaN, which JSON does not have.',
    words: 'answers with NaN in its JSON',
    where: whereBodies,
    edit: (response) =>
      readJson(response) === undefined ? undefined : withBytes(response, encode('{"value":NaN}')),
  },
  {
    id: 'double-encoded',
    family: 'body',
    rule: 'The JSON of an answer is a text that holds JSON.',
    words: 'answers with JSON inside a text',
    where: whereBodies,
    edit: (response) =>
      hasBody(response) ? withJson(response, new TextDecoder().decode(response.body)) : undefined,
  },
  {
    id: 'invalid-utf8',
    family: 'body',
    rule: 'An answer holds bytes that are not UTF-8.',
    words: 'answers with bytes that are not UTF-8',
    where: whereBodies,
    edit: (response) =>
      hasBody(response)
        ? withBytes(
            response,
            Uint8Array.from([
              ...response.body.slice(0, -1),
              0xff,
              0xfe,
              ...response.body.slice(-1),
            ]),
          )
        : undefined,
  },
  {
    id: 'wrapped',
    family: 'body',
    rule: 'An answer wraps its body into an envelope that the contract does not have.',
    words: 'answers inside an envelope of its own',
    where: whereBodies,
    edit: (response) => {
      const value = readJson(response);
      return value === undefined ? undefined : withJson(response, { ok: true, result: value });
    },
  },
  {
    id: 'list-for-object',
    family: 'body',
    rule: 'An answer wraps an object into a list.',
    words: 'answers with a list of one',
    where: (contract) =>
      successBodies(contract)
        .filter(({ schema }) => !schema.flatten().types.includes('array'))
        .map(({ operation }) => ({ operation })),
    edit: (response) => {
      const value = readJson(response);
      return isJsonObject(value) ? withJson(response, [value]) : undefined;
    },
  },
];
