import { expect, test } from 'vitest';
import type { PageFinding } from '../../src/report/html/page-data.ts';
import { writeFinding } from '../../web/report/finding-text.ts';
import { sampleRun, wrongStatus } from '../report/sample-run.ts';

const { exchange: _exchange, control: _control, replay: _replay, ...rest } = wrongStatus;
const finding: PageFinding = { ...rest, replay: true, alsoSeenAs: [] };

test('a finding for an issue has its title, what came, the contract and the commands', () => {
  expect(writeFinding(finding, sampleRun)).toMatchInlineSnapshot(`
    "**the answer has a status that the contract does not know**

    - \`GET /pets\`, check \`body-matches-schema\`
    - tried: a plain request with the filter status=sold
    - expected: one of available, pending, sold
    - actual: "lost" at /0/status
    - a body that breaks its schema needs no control; it came in 12 of 12 answers
    - in the contract: \`openapi/petstore.v1.yaml:366\`

    \`\`\`
      364 |       description: The state of an animal.
      365 |       type: string
    > 366 |       enum: [available, pending, sold]
          |       ^
      367 |
    \`\`\`

    \`\`\`sh
    curl --path-as-is -H "Authorization: Bearer $VOUCH_TOKEN" -H 'Accept:
      ↳ application/json, application/problem+json'
      ↳ 'http://127.0.0.1:4010/v1/pets?status=sold'
    npx vouch replay f3a9c2
    \`\`\`

    vouch 0.1.0 against \`http://127.0.0.1:4010/v1\`, seed \`42\`"
  `);
});

test('nothing in it is markup, mentions anyone, or ends a block early', () => {
  const text = writeFinding(
    {
      ...finding,
      message: '# <b>@team</b> *said* `it`\n[x](http://a)',
      actual: '"a|b"',
      check: '`odd',
      frame: '> 1 | ```',
      curl: ['curl "````"'],
      evidence: '',
      replay: false,
    },
    undefined,
  );
  expect(text.split('\n')[0]).toBe(
    '**\\# \\<b\\>&#64;team\\</b\\> \\*said\\* \\`it\\` \\[x\\](http://a)**',
  );
  expect(text).toContain('- actual: "a\\|b"');
  expect(text).toContain('check `` `odd ``');
  expect(text).toContain('````\n> 1 | ```\n````');
  expect(text).toContain('`````sh\ncurl "````"\n`````');
});

test('one without an exchange has no commands', () => {
  expect(writeFinding({ ...finding, curl: [], replay: false }, undefined)).not.toContain('```sh');
});
