import { expect, test } from 'vitest';
import { separate } from '../../src/check/engine/judge/evidence.ts';
import { alarms, findingsOf } from './fixture/inline-service.ts';
import { noticeEach } from './fixture/notice-each.ts';
import { newsroom, type NewsroomQuirk } from './fixture/newsroom.ts';

async function alarmsOf(quirks: readonly NewsroomQuirk[]): Promise<string[]> {
  const { contract, service } = newsroom(...quirks);
  return alarms(await findingsOf(contract, service));
}

test('a sound service with its fields in data.attributes (JSON:API) raises no alarm', async () => {
  expect(await alarmsOf([])).toEqual([]);
});

test.each(['POST', 'PATCH'])('any reference is seen to be taken by a %s', async (method) => {
  const { contract, service } = newsroom('takes any reference');
  const found = await findingsOf(contract, service);
  expect(alarms(found.flatMap(separate))).toContainEqual(
    expect.stringMatching(`error parent-holds ${method} .*author names no record`),
  );
});

noticeEach<NewsroomQuirk>(
  'a service in that style which %s is noticed',
  [
    [
      ['loses words', /created-is-returned.*words/],
      ['keeps what is deleted', /deleted-is-gone/],
      ['ignores the filter', /filter-holds.*status/],
      ['ignores the order', /sort-holds/],
      ['stores no relationship', /replaced-is-persisted.*(author|reviewers)/],
      ['takes any reference', /error parent-holds POST .*author names no record/],
      ['ignores media parameters', /error json-api-holds GET .*Accept is .*charset/],
      ['ignores media parameters', /error json-api-holds POST .*labelled .*charset/],
      ['takes another id', /error json-api-holds PATCH .*an id of another record/],
      ['takes a body without data', /error invalid-refused POST .*data is missing/],
      [
        'points beside attributes',
        /error pointer-holds .*points to \/data\/\w+, not to \/data\/attr/,
      ],
    ],
    [
      ['stores no update', /replaced-is-persisted/],
      ['replaces by POST', /error linkage-holds .*reviewers names \d+ instead of \d+, \d+/],
      ['keeps what null clears', /error linkage-holds .*author names \d+ instead of nothing/],
      ['ignores unknown filters', /error json-api-holds GET .*filter\[vouchUnknown\] is given/],
      [
        'refuses another type with 422',
        /error json-api-holds POST .*answered 422 to .* has a type/,
      ],
      ['takes any attributes', /error invalid-refused POST .*data.attributes is 12345/],
      ['takes any label', /error invalid-refused POST \/articles: .* labelled text\/plain/],
      ['takes any label', /error invalid-refused PATCH \/articles.* labelled text\/plain/],
    ],
    [
      ['drops what an update leaves out', /replaced-is-persisted.*(status|words)/],
      ['adds twice', /error linkage-holds .*reviewers names \d+ twice/],
    ],
    [['removes all', /error linkage-holds .*reviewers names nothing instead of/]],
    [['adds half of what it refuses', /error linkage-holds .*not exist.*reviewers names/]],
  ],
  alarmsOf,
);
