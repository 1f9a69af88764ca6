import { describe, expect, test } from 'vitest';
import type { Finding } from '../../src/check/model/finding.ts';
import {
  bodyMatter,
  isMeantEverywhere,
  matterPattern,
  matterStart,
} from '../../src/report/body-text.ts';
import { wrongStatus } from './sample-run.ts';

/** What a reader sees marked of a body: each place between guillemets. */
function marked(finding: Partial<Finding>, body: string): string {
  const matter = bodyMatter({ ...wrongStatus, ...finding });
  if (matter === undefined || matterStart(matter, body) === -1) return body;
  const pattern = new RegExp(matterPattern(matter), isMeantEverywhere(matter) ? 'g' : '');
  return body.replace(pattern, '«$&»');
}

describe('the part of a body that a finding concerns', () => {
  const rows: readonly (readonly [string, Partial<Finding>, string])[] = [
    ['a text that stands there once', { actual: '"lost" at /0/status' }, '{"status":«"lost"»}'],
    [
      'a text that stands there twice',
      { actual: '"lost" at /0/status' },
      '{"status":"lost","was":"lost"}',
    ],
    [
      'a member, wherever it has the value',
      { actual: 'status is "sold" in 2 of 3 records' },
      '[{«"status":"sold"»},{«"status": "sold"»},{"was":"sold"}]',
    ],
    [
      'a member with each of the values that are counted',
      { actual: 'status is "sold" in 2 of 5 records, "a, b" in 1, null in 1' },
      '[{«"status":"sold"»},{«"status":"a, b"»},{«"status":null»},{"status":"new"}]',
    ],
    [
      'a member with a value that looks like a list of values',
      { actual: 'status is "x in 1 of 2 records, \\"y\\" in 1" in 1 of 2 records' },
      '[{«"status":"x in 1 of 2 records, \\"y\\" in 1"»},{"status":"y"}]',
    ],
    [
      'a member that breaks its schema, by its place',
      { expected: 'the value at /0/categoryId must be 1 or more', actual: '0' },
      '[{"id":0,«"categoryId":0»},{"categoryId":01}]',
    ],
    [
      'a member whose name is escaped in pointers',
      { expected: 'the value at /a~1b must be a string', actual: '5' },
      '{"b":5,«"a/b": 5»}',
    ],
    [
      'an item of a list',
      { expected: 'the value at /tags/0 must be a string', actual: '12345' },
      '{"tags":[«12345»]}',
    ],
    [
      'an identifier that comes twice, as number or text',
      { actual: 'id 7 twice' },
      '[{«"id":7»},{«"id":"7"»},{"id":77}]',
    ],
    [
      'a number that goes on elsewhere',
      { actual: 'price is 1.5' },
      '{«"price":1.5»,"other":{"price":1.55}}',
    ],
    [
      'a status, which bodies repeat',
      { pointer: '/paths/~1pets/get/responses', actual: '500' },
      '{"code":500}',
    ],
    [
      'a number that only looks like a status',
      { pointer: '/components/schemas/Pet/properties/age', actual: '404' },
      '{"age":«404»}',
    ],
    ['a value that is too short to be told from others', { actual: '5' }, '{"a":5}'],
    [
      'a header',
      { pointer: '/paths/~1pets/get/responses/200/headers/X-Total', actual: '"many"' },
      '{"a":"many"}',
    ],
    [
      'a value with the marks of patterns',
      { actual: 'name is "a.*(b"' },
      '{«"name":"a.*(b"»,"x":"aXX(b"}',
    ],
    ['nothing of it', { actual: 'status is missing' }, '{"id":1}'],
  ];
  test.each(rows)('%s', (_name, finding, shown) => {
    expect(marked(finding, shown.replaceAll(/[«»]/g, ''))).toBe(shown);
  });
});
