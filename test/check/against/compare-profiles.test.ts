import { describe, expect, test } from 'vitest';
import { compareProfiles } from '../../../src/check/against/compare-targets.ts';
import { TargetProfile } from '../../../src/check/against/profile.ts';
import type { Exchange } from '../../../src/check/model/exchange.ts';
import type { HeaderList } from '../../../src/http/message.ts';
import { makeContract } from '../../contract/make-contract.ts';

const contract = makeContract({
  paths: {
    '/things': {
      get: {
        operationId: 'listThings',
        responses: {
          200: { description: 'ok', headers: { 'X-Total': { schema: { type: 'integer' } } } },
        },
      },
    },
  },
});
const json: HeaderList = [['Content-Type', 'application/json; charset=utf-8']];

interface Said {
  readonly status?: number;
  readonly headers?: HeaderList;
  readonly body?: string;
  readonly method?: string;
}

/** What a deployment that gave these answers, each to a case of its own, was seen to do. */
function seen(...answers: readonly (Said | 'nothing')[]): TargetProfile {
  const profile = new TargetProfile();
  for (const [index, said] of answers.entries()) {
    const {
      status = 200,
      headers = json,
      body = '',
      method = 'GET',
    } = said === 'nothing' ? {} : said;
    const request = { method, target: '/things', headers: [], body: new Uint8Array() };
    const answered: Exchange = {
      baseUrl: 'http://host',
      request,
      durationMs: 1,
      response: { status, headers, body: new TextEncoder().encode(body) },
    };
    const silent: Exchange = {
      baseUrl: 'http://host',
      request,
      durationMs: 1,
      fault: { kind: 'timeout', message: 'nothing came' },
    };
    profile.add(
      { id: String(index), title: `case ${String(index)}`, operation: 'listThings' },
      said === 'nothing' ? silent : answered,
    );
  }
  return profile;
}

function told(left: TargetProfile, right: TargetProfile): string[] {
  return compareProfiles(contract, left, right).map(
    (found) =>
      `${found.severity} ${found.kind} ${found.at} ×${String(found.count)}: ` +
      `${found.left} | ${found.right}`,
  );
}

const words = (...list: readonly (string | number | null)[]): Said => ({
  body: JSON.stringify(list.map((word) => ({ word }))),
});

describe('two deployments differ by', () => {
  test.each<[string, TargetProfile, TargetProfile, string[]]>([
    [
      'the media type, whatever its parameters',
      seen({ body: '1' }),
      seen({ headers: [['Content-Type', 'application/hal+json']], body: '1' }),
      ['warning media-type 200 ×1: application/json | application/hal+json'],
    ],
    [
      'a media type that nobody can read',
      seen({ body: '1' }),
      seen({ headers: [['Content-Type', ';;']], body: '1' }),
      ['warning media-type 200 ×1: application/json | unknown'],
    ],
    [
      'the body that one of them leaves out',
      seen({ body: '1' }),
      seen({ body: '' }),
      ['warning media-type 200 ×1: application/json | none'],
    ],
    [
      'a header that the contract names',
      seen({ headers: [...json, ['x-total', '1']], body: '1' }),
      seen({ body: '1' }),
      ['warning header x-total ×1: there | not there'],
    ],
    [
      'a header that it does not name, as a note',
      seen({ body: '1' }),
      seen({ headers: [...json, ['X-Extra', '1']], body: '1' }),
      ['note header x-extra ×1: not there | there'],
    ],
    [
      'nothing that a proxy may add',
      seen({ body: '1' }),
      seen({
        headers: [...json, ['Date', 'x'], ['X-Cache-Hits', '1'], ['CF-Ray', '1'], ['ETag', '"1"']],
        body: '1',
      }),
      [],
    ],
    [
      'statuses, alike ones together',
      seen({}, {}, { status: 404 }),
      seen({ status: 204 }, { status: 204 }, { status: 410 }),
      ['warning status  ×2: 200 | 204', 'warning status  ×1: 404 | 410'],
    ],
    [
      'an answer that does not come',
      seen({}),
      seen('nothing'),
      ['warning answer  ×1: 200 | timeout'],
    ],
    ['no case that only one of them was sent', seen({}, {}), seen({}), []],
    [
      'no body of a HEAD',
      seen({ method: 'HEAD', headers: [['X-One', '1']] }),
      seen({ method: 'HEAD', headers: [['X-Two', '1']] }),
      [],
    ],
    [
      'the type of a value',
      seen(words('a')),
      seen(words(1)),
      ['warning shape /*/word ×1: string | integer'],
    ],
    ['no null beside a type', seen(words('a', null)), seen(words('a')), []],
    ['no price of 3 beside one of 3.5', seen(words(3)), seen(words(3.5)), []],
    [
      'a member that one of them never shows',
      seen({ body: '[{"a":1,"b":1},{"a":1}]' }),
      seen({ body: '[{"a":1},{"a":1}]' }),
      ['warning shape /*/b ×1: integer | not there'],
    ],
    [
      'no member of what came once, which may be the data',
      seen({ body: '[{"a":1,"b":1}]' }),
      seen({ body: '[{"a":1},{"a":1}]' }),
      [],
    ],
    [
      'the words of an enumeration',
      seen(words('ON', 'OFF', 'ON', 'OFF', 'ON', 'OFF')),
      seen(words('on', 'off', 'on', 'off', 'on', 'off')),
      ['note value /*/word ×6: OFF, ON | off, on'],
    ],
    [
      'no words of which they share one',
      seen(words('ON', 'OFF', 'ON', 'OFF', 'ON', 'OFF')),
      seen(words('ON', 'off', 'ON', 'off', 'ON', 'off')),
      [],
    ],
    [
      'no words that do not come again and again',
      seen(words('ON', 'OFF', 'ON', 'OFF', 'ON')),
      seen(words('on', 'off', 'on', 'off', 'on')),
      [],
    ],
    ['no free text', seen(words('a b', 'a b', 'a b')), seen(words('c d', 'c d', 'c d')), []],
  ])('%s', (_name, left, right, expected) => {
    expect(told(left, right)).toEqual(expected);
  });
});
