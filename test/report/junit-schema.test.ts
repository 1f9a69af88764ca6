import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { junit } from '../../src/report/junit.ts';
import { hostileEvents } from './hostile-run.ts';
import { reportOf } from './report-of.ts';
import { bareEnd, sampleEvents } from './sample-run.ts';

const schemaFolder = fileURLToPath(new URL('./schema/', import.meta.url));
const prolog = '<?xml version="1.0" encoding="UTF-8"?>';
const suite = 'name="a" tests="1" failures="0" errors="0"';

/** Each document, and the beginning of what an independent validator has to say of it. */
const documents: readonly (readonly [document: string, said: string])[] = [
  [reportOf(junit, sampleEvents), 'valid'],
  [reportOf(junit, bareEnd), 'valid'],
  [reportOf(junit, hostileEvents), 'valid'],
  [
    `${prolog}<testsuites><testsuite ${suite}><testcase ` +
      'name="b"><failure>text</failure></testcase></testsuite></testsuites>',
    'valid',
  ],
  [
    `${prolog}<testsuites><testsuite name="a" tests="1" failures="0"/></testsuites>`,
    "cvc-complex-type.4: Attribute 'errors' must appear",
  ],
  [`${prolog}<testsuites><testsuite ${suite} time="soon"/></testsuites>`, 'cvc-pattern-valid'],
  [
    `${prolog}<testsuites><testsuite ${suite}><testcase name="b" ` +
      'file="c"/></testsuite></testsuites>',
    "cvc-complex-type.3.2.2: Attribute 'file'",
  ],
  [
    `${prolog}<testsuites><testsuite ${suite}><flaky/></testsuite></testsuites>`,
    'cvc-complex-type.2.4.a: Invalid content',
  ],
  [
    `${prolog}<testsuites><testsuite ${suite}>&nbsp;</testsuite></testsuites>`,
    'The entity "nbsp" was referenced',
  ],
];

test('the validator of Java accepts the reports and refuses invalid ones', (context) => {
  if (spawnSync('java', ['-version']).status !== 0)
    return context.skip('There is no java here, whose validator is the judge.');
  const folder = mkdtempSync(join(tmpdir(), 'vouch-junit-'));
  const files = documents.map(([document], index) => {
    const file = join(folder, `${String(index)}.xml`);
    writeFileSync(file, document);
    return file;
  });
  const said = execFileSync(
    'java',
    [
      '-Duser.language=en',
      '-XX:TieredStopAtLevel=1',
      join(schemaFolder, 'Validate.java'),
      join(schemaFolder, 'junit-10.xsd'),
      ...files,
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  )
    .trimEnd()
    .split('\n');
  rmSync(folder, { recursive: true });
  expect(said.map((line, index) => line.slice(0, documents[index]?.[1].length))).toEqual(
    documents.map(([, expected]) => expected),
  );
});
