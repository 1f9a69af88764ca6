import { readdirSync, readFileSync } from 'node:fs';
import { defectsTogether } from './fixture/defects-together.ts';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { checkTarget } from '../../src/check/engine/check-target.ts';
import { checks } from '../../src/check/topics/index.ts';
import { timesText, separate } from '../../src/check/engine/judge/evidence.ts';
import type { Finding } from '../../src/check/model/finding.ts';
import { libraryContract, libraryText } from './fixture/library-contract.ts';
import { type Defect, type Library, openLibrary } from './fixture/library-server.ts';

let library: Library | undefined;
afterEach(() => library?.close());

/** Only who hangs is waited for: whatever else takes long is the machine. */
const patience = (defects: readonly Defect[]): number =>
  defects.includes('hangs-on-reports') ? 1_000 : 20_000;

async function findingsOf(defects: readonly Defect[]): Promise<readonly Finding[]> {
  library = await openLibrary({ defect: defects });
  const { findings } = await checkTarget({
    ...library.target,
    contract: libraryContract(),
    seed: 'defects',
    timeoutMs: patience(defects),
  });
  return findings.filter(({ severity }) => severity !== 'note');
}

/**
 * The finding as one line: severity, check, operation, the text of the contract's line that it
 * points to, and what else it explains.
 */
function describeFinding({ severity, check, operation, place, alsoSeenAs = [] }: Finding): string {
  const others = alsoSeenAs.map((other) => `${other.check} ${other.operation.id}`).join(', ');
  const line = (libraryText.split('\n')[place.line - 1] ?? '').trim().slice(0, 60);
  return `${severity} ${check} ${operation.id}: ${line}${others === '' ? '' : ` + ${others}`}`;
}

const seen = new Set<string>();

/** The other tests of whole runs: checks whose broken servers are of another kind are there. */
const otherRuns: readonly string[] = ['test/check', 'test/prove'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && file !== 'defects.slow.test.ts')
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .filter((text) => /\b(?:checkTarget|findingsOf|alarms|prove)\(/.test(text)),
);

/** Whether a test expects a finding of a check: with its severity, or as a value of its own. */
function expects(text: string, id: string): boolean {
  return new RegExp(String.raw`(?:error|warning|note) ${id}\b|['\`]${id}\b`).test(text);
}

describe('each defect is reported by its check', () => {
  const table: Record<Defect, readonly string[]> = {
    'list-500': ['error no-server-error listBooks: responses:'],
    'malformed-500': [
      'error no-server-error createBook: responses: + no-server-error getBook, ' +
        // A malformed target, and a malformed body.
        'no-server-error replaceBook, no-server-error replaceBook, no-server-error deleteBook',
    ],
    'undocumented-200': ['error status-documented listBooks: responses:'],
    'undocumented-422': [
      'error status-documented createBook: responses:',
      'error status-documented replaceBook: responses:',
    ],
    'html-errors': [
      'error content-type-documented createBook: Invalid: { description: Not ' +
        'valid, content: { application/js',
    ],
    'text-label': ['error content-type-documented listBooks: content:'],
    'truncated-json': ["error body-parses listBooks: '200':"],
    'empty-body': ['error body-parses createBook: content:'],
    'wrong-type': [
      'error body-matches-schema listBooks: shelfId: { type: integer, format: int64 }',
    ],
    'enum-left': [
      'error body-matches-schema listBooks: Status: { type: string, enum: [shelved, lent, lost] }',
    ],
    'field-missing': ['error body-matches-schema listBooks: required: [title, shelfId]'],
    'header-missing': ['error headers-match listBooks: X-Total:'],
    'status-not-repeated': [
      'error error-repeats-status createBook: status: { type: integer, ' +
        'description: The HTTP status code }',
    ],
    'no-authentication': ['error credential-required listBooks: security: [{ bearer: [] }]'],
    'any-token': ['error credential-required listBooks: security: [{ bearer: [] }]'],
    'prefix-token': ['error credential-required listBooks: security: [{ bearer: [] }]'],
    'refuses-right-token-on-read': [
      'error credential-accepted getBook: security: [{ bearer: [] }]',
    ],
    'accepts-everything': [
      'error invalid-refused createBook: requestBody: + invalid-refused replaceBook',
      'error invalid-refused listBooks: - { name: limit, in: query, schema: { ' +
        'type: integer, minimum + invalid-refused listBooks',
    ],
    'accepts-missing-title': ['error invalid-refused createBook: required: [title, shelfId]'],
    'accepts-limit-0': [
      'error invalid-refused listBooks: - { name: limit, in: query, schema: { ' +
        'type: integer, minimum',
    ],
    'accepts-unknown-status': [
      'error invalid-refused listBooks: Status: { type: string, enum: [shelved, lent, lost] }',
    ],
    'accepts-broken-json': [
      'error invalid-refused createBook: requestBody:',
      'error invalid-refused replaceBook: requestBody:',
    ],
    'accepts-any-type': [
      'warning invalid-refused createBook: requestBody:',
      'warning invalid-refused replaceBook: requestBody:',
    ],
    'refuses-lost': [
      'error valid-accepted listBooks: Status: { type: string, enum: [shelved, lent, lost] }',
    ],
    'refuses-limit-50': [
      'error valid-accepted listBooks: - { name: limit, in: query, schema: { ' +
        'type: integer, minimum',
    ],
    'refuses-optional-fields': [
      'error valid-accepted createBook: pages: { type: integer, format: int32, ' +
        'minimum: 1, maximum: ',
    ],
    'finds-missing': [
      "error missing-refused getBook: '404': { $ref: '#/components/responses/Missing' }",
    ],
    'missing-is-400': [
      "error missing-refused getBook: '404': { $ref: '#/components/responses/" +
        "Missing' } + missing-refused deleteBook",
    ],
    'keeps-deleted': ['error deleted-is-gone listBooks: delete:'],
    'rounds-integers': [
      'error body-matches-schema createBook: shelfId: { type: integer, format: ' +
        'int64 } + created-is-returned createBook',
    ],
    'strips-unicode': ['error created-is-returned createBook: title: { type: string }'],
    'loses-status': [
      "error created-is-returned createBook: status: { $ref: '#/components/" +
        "schemas/Status' } + replaced-is-persisted replaceBook",
    ],
    'drops-optional': [
      'warning created-is-readable getBook: pages: { type: integer, format: ' +
        'int32, minimum: 1, maximum:  + replaced-is-persisted replaceBook',
    ],
    'loses-writes': ['error created-is-readable getBook: post:'],
    'list-lacks-created': ['error created-is-readable listBooks: get:'],
    'keeps-refused': ['error refusal-is-harmless listBooks: post:'],
    'replace-not-kept': ['error replaced-is-persisted replaceBook: put:'],
    'ignores-filter': ['error filter-holds listBooks: - name: status'],
    'ignores-limit': [
      'error limit-holds listBooks: - { name: limit, in: query, schema: { type: integer, minimum',
    ],
    'ignores-default-limit': ['error limit-holds listBooks: default: 10 } }'],
    'limits-before-filtering': [
      'error limit-holds listBooks: - { name: limit, in: query, schema: { ' +
        'type: integer, minimum + total-holds listBooks, filter-holds listBooks',
    ],
    'repeats-ids': ['error ids-are-unique listBooks: id: { type: integer, format: int64 }'],
    'reads-another': ['error item-equals-entry getBook: id: { type: integer, format: int64 }'],
    'hangs-on-reports': ['error operation-answers getReports: get:'],
    'resets-on-replace': ['error operation-answers replaceBook: put:'],
    // The bytes come whoever asks: nobody is asked for a credential either.
    'adds-bytes-to-reports': [
      'error credential-required getReports: security: [{ bearer: [] }]',
      'error transport-sound getReports: get:',
    ],
    'breaks-off-list': ['error operation-answers listBooks: get:'],
  };

  // One server has those of a group, whose findings are as they are of a server that has one.
  const more: readonly (readonly Defect[])[] = [
    ['strips-unicode'],
    ['repeats-ids'],
    ['accepts-unknown-status'],
  ];
  const together: readonly (readonly Defect[])[] = [
    ...defectsTogether.map((group, at): readonly Defect[] => [...group, ...(more[at] ?? [])]),
    ['truncated-json', 'prefix-token', 'accepts-any-type', 'missing-is-400'],
  ];
  const grouped = new Set(together.flat());
  // The keys of the table are defects, which Object.keys forgets.
  const alone = (Object.keys(table) as Defect[]).filter((one) => !grouped.has(one));

  test.each(
    [...together, ...alone.map((defect) => [defect])].map((defects) => ({
      name: defects.join(', '),
      defects,
    })),
  )('$name', async ({ defects }) => {
    const findings = await findingsOf(defects);
    for (const { check } of findings.flatMap(separate)) seen.add(check);
    const expected = defects.flatMap((defect) => table[defect]);
    expect(findings.map(describeFinding).sort()).toEqual([...expected].sort());
    for (const finding of findings) {
      expect(finding.curl.length).toBeGreaterThan(0);
      expect(finding.frame).toMatch(new RegExp(`^> *${String(finding.place.line)} \\|`, 'm'));
      expect(finding.message).toMatch(/[.]$/);
      // One number, wherever it stands.
      expect(finding.evidence).toMatch(new RegExp(`^${timesText(finding.count)}\\b.*\\.$`));
      // Who says that a control was sent has sent one.
      if (finding.evidence.includes('the control request'))
        expect(checks.find(({ id }) => id === finding.check)?.confirm).toBe('control');
    }
  });

  afterAll(() => {
    expect(
      checks
        .map(({ id }) => id)
        .filter((id) => !seen.has(id) && !otherRuns.some((text) => expects(text, id))),
    ).toEqual([]);
  });
});
