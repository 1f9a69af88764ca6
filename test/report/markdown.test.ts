import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../src/check/model/event.ts';
import { escapeMarkdown, fence, githubSummary, markdown } from '../../src/report/markdown.ts';
import { reportOf } from './report-of.ts';
import { sampleEvents, wrongStatus } from './sample-run.ts';

test('a run in Markdown', () => {
  const events = sampleEvents.filter(
    (event) =>
      event.type !== 'finding-reported' ||
      event.finding.id === wrongStatus.id ||
      event.finding.severity === 'note',
  );
  expect(reportOf(markdown, events)).toMatchInlineSnapshot(`
    "## Failed.

    2 errors in 2 of 5 operations. Findings: 2 errors, 1 warning, 1 note; 1,301 requests
      ↳ in 1.24 s.

    Checked http:&#47;&#47;127.0.0.1:4010/v1 against Pet Store Service Interface 1.0.0
      ↳ (read-write, seed 42).

    | | operation | requests | responses | errors | warnings | notes |
    |---|---|---:|---|---:|---:|---:|
    | ❌ | GET /pets | 1112 | 200 ×1080, 400 ×20, 401 ×12 | 1 | 1 | 1 |
    | ❌ | POST /pets | 96 | 201 ×60, 400 ×30, 401 ×5 | 1 | 0 | 0 |
    | ✅ | GET /pets/&#123;petId&#125; | 93 | 200 ×80, 404 ×13 | 0 | 0 | 0 |
    | ⚪ | GET /store/orders | 0 | skipped: no request sent | 0 | 0 | 0 |
    | ⚪ | POST /messages | 0 | skipped: its server has no URL; give one with --server
      ↳ messages=URL | 0 | 0 | 0 |

    <details><summary>❌ <b>body-matches-schema</b> GET /pets and 1 more operation: the
      ↳ answer has a status that the contract does not know</summary>

    - tried: a plain request with the filter status=sold
    - expected: one of available, pending, sold
    - actual: &#34;lost&#34; at /0/status
    - seen: 12 times; by the contract
    - at: openapi/petstore.v1.yaml:366:7

    \`\`\`
      364 |       description: The state of an animal.
      365 |       type: string
    > 366 |       enum: [available, pending, sold]
          |       ^
      367 |
    \`\`\`

    \`\`\`
    GET http://127.0.0.1:4010/v1/pets?status=sold
    200 · application/json; charset=utf-8 · 58 bytes · 3 ms
    | [{"id":1,"name":"Biscuit","categoryId":1,"status":"lost"}]
    \`\`\`

    \`\`\`sh
    curl --path-as-is -H "Authorization: Bearer $VOUCH_TOKEN" -H 'Accept:
      ↳ application/json, application/problem+json'
      ↳ 'http://127.0.0.1:4010/v1/pets?status=sold'
    \`\`\`

    Confirmed: a body that breaks its schema needs no control; it came in 12 of 12
      ↳ answers

    </details>

    ### Notes

    - GET /pets: the answer has the field tags, which the contract does not name &#40;40
      ↳ times&#41; &#91;fields-documented, openapi/petstore.v1.yaml:72:5&#93;

    ### Gaps of the contract and observed behavior

    - createPet accepts a body without status, which has no documented default.
      ↳ Observed: status was available in 3 of 3 answers

    ### Records left behind

    - /pets/73 of createPet: the contract has no operation that deletes it

    ### Internal errors

    - The check sort-holds crashed: Cannot read properties of undefined

    **Next:** Fix finding 1 first; its last command reproduces it. Then run again with
      ↳ --seed 42 to send the same requests.
    "
  `);
});

test.each([
  ['a | b', 'a &#124; b'],
  ['<img src=x onerror=alert(1)>', '&#60;img src=x onerror=alert&#40;1&#41;&#62;'],
  ['**bold** `code` [a](b)', '&#42;&#42;bold&#42;&#42; &#96;code&#96; &#91;a&#93;&#40;b&#41;'],
  ['@team #12', '&#64;team &#35;12'],
  ['https://evil.example', 'https:&#47;&#47;evil.example'],
])('%j stays text', (text, escaped) => {
  expect(escapeMarkdown(text)).toBe(escaped);
});

test('a fence is longer than every run of backticks in it', () => {
  expect(fence('a ```` b', 'sh')).toBe('`````sh\na ```` b\n`````');
});

describe('a report that is too long', () => {
  const many = Array.from({ length: 400 }, (_, index): RunEvent => ({
    type: 'finding-reported',
    finding: { ...wrongStatus, id: String(index), message: `Zoë ${String(index)}` },
  }));
  const events: RunEvent[] = [...many, ...sampleEvents.slice(-2)];

  test.each([
    ['a comment', markdown, 65_536],
    ['the page of a job', githubSummary, 1024 * 1024],
  ] as const)('is cut to what fits %s, with a sentence that says so', (_name, reporter, room) => {
    const longer = room > 100_000 ? Array.from({ length: 5 }, () => many).flat() : [];
    const report = reportOf(reporter, [...longer, ...events]);
    expect(Buffer.byteLength(report)).toBeLessThanOrEqual(room);
    expect(Buffer.byteLength(report)).toBeGreaterThan(room - 2000);
    expect(report).toMatch(
      /\*This report is truncated: the full report has [\d,]+ bytes, the limit is [\d,]+ bytes\. `--reporter html=report\.html` is complete\.\*\n\n\*\*Next:\*\* /,
    );
    expect(report.split('<details>').length).toBe(report.split('</details>').length);
  });
});
