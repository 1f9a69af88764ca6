import type { Check, Proof } from '../../check/checks/check.ts';
import type { CheckId } from '../../check/checks/index.ts';
import type { Basis } from '../../check/model/finding.ts';
import { VouchError } from '../../errors.ts';
import { suggestWord } from '../../nearest-word.ts';
import { hangText } from '../../text/wrap-text.ts';
import { exitCodes } from '../io.ts';
import { asCalled } from '../program-name.ts';
import type { CommandEntry } from './command.ts';

/** `vouch explain [check]`: what a check requires of a deployment, and why. */
export const explainCommand: CommandEntry = {
  name: 'explain',
  register(program, start) {
    program
      .command('explain [check]')
      .summary('describe a check')
      .description(
        'Describes what a check requires of a deployment, and why; without a name, ' +
          'lists all checks.',
      )
      .action((name: string | undefined) =>
        start(async (io) => {
          const { checks } = await import('../../check/checks/index.ts');
          io.out(
            name === undefined
              ? listChecks(checks, io.isTTY.out ? io.width : Infinity)
              : asCalled(explainCheck(checks, name, io.width), io.program),
          );
          return exitCodes.passed;
        }),
      );
  },
};

/** One line for each check, which suits `grep`; a narrow terminal gets the rule on its own line. */
function listChecks(checks: readonly Check[], columns: number): string {
  const width = Math.max(...checks.map(({ id }) => id.length));
  const lines = checks.flatMap(({ id, severity, basis, rule }) => {
    const prefix = `${id.padEnd(width)}  ${severity.padEnd(7)}  ${basis.padEnd(8)}  `;
    return hangText(prefix, rule, columns);
  });
  return `${lines.join('\n')}\n`;
}

const bases: Readonly<Record<Basis, string>> = {
  contract: 'contract: the document states it',
  protocol: 'protocol: an RFC requires it',
  inferred: 'inferred: derived from the contract, as `vouch mock --explain` shows',
  advice: 'advice: an RFC recommends it, or it is good practice',
};

const proofs: Readonly<Record<Proof, string>> = {
  once:
    'one such response violates the rule; the request is still repeated, and ' +
    'the report says whether the response was reproduced',
  repeat: 'must be reproduced, or seen more than once; otherwise it is at most a warning',
  control:
    'must be reproduced; a control request, the nearest one with the ' +
    'opposite expected outcome, is sent too, and the value is judged again ' +
    'as it was on the wire',
  again:
    'must be reproduced from the start with new records, because other ' +
    'clients may have interfered; otherwise it is dropped',
};

/** The full description of a check. Throws a VouchError ('usage') for an unknown name. */
export function explainCheck(checks: readonly Check[], name: string, width: number): string {
  const check = checks.find(({ id }) => id === name);
  if (check === undefined)
    throw new VouchError('usage', `Unknown check: ${name}.`, {
      hint: suggestWord(
        name,
        checks.map(({ id }) => id),
      ),
    });
  // Every key of the table is a check id.
  const example = brokenExchanges[name as CheckId] ?? [];
  const rows: readonly (readonly [word: string, text: string])[] = [
    ['Rule', check.rule],
    ['Why', check.reason],
    ['Basis', `${bases[check.basis]}.`],
    ['Severity', severityOf(check)],
    ['Evidence', `${proofs[check.proof]}.`],
    ...(check.covers === undefined
      ? []
      : [['Covers', `${check.covers.join(', ')}: not reported where this check fails.`] as const]),
  ];
  return [
    check.id,
    ...rows.flatMap(([word, text]) => hangText(`  ${word.padEnd(10)} `, text, width)),
    ...(example.length === 0
      ? []
      : ['', '  Example violation', ...example.map((line) => `    ${line}`)]),
    '',
    '  Skip it in one run',
    `    vouch check URL --skip ${check.id}`,
    '  Lower its severity, or skip it until a date, in vouch.config.yaml',
    '    check:',
    `      checks: { ${check.id}: note }   # or off, warning, error`,
    '      skip:',
    `        - { check: ${check.id}, operation: OPERATION, until: 2026-12-31, reason: why }`,
    '',
  ].join('\n');
}

function severityOf({ severity }: Check): string {
  if (severity === 'error') return 'error: fails the run.';
  return `${severity}: does not fail the run unless --fail-on ${severity} is given.`;
}

/** For each check, an exchange that violates it: the request after `>`, the response after `<`. */
export const brokenExchanges: Partial<Readonly<Record<CheckId, readonly string[]>>> = {
  'operation-answers': ['> GET /reports', '< (nothing, until the time is up)'],
  'transport-sound': [
    '> GET /items',
    '< HTTP/1.1 200 OK',
    '< Content-Length: 20',
    '< (and 34 bytes after it)',
  ],
  'no-server-error': ['> GET /items/%zz', '< 500 Internal Server Error'],
  'status-documented': ['> GET /items', '< 206 Partial Content   (documented: 200 or 401)'],
  'content-type-documented': [
    '> GET /items',
    '< 200 OK',
    '< Content-Type: text/html   (documented: application/json)',
  ],
  'body-parses': ['> GET /items', '< 200 OK', '< [{"id": 1, "price": NaN'],
  'body-matches-schema': [
    '> GET /items/1',
    '< 200 OK',
    '< {"id": "1"}   (id is an integer in the contract)',
  ],
  'rules-hold': [
    '> GET /orders/1',
    '< 200 OK',
    '< {"total": 12, "lines": [{"amount": 5}, {"amount": 6}]}   (the rule says 11)',
  ],
  'headers-match': ['> GET /items', '< 200 OK   (X-Total is required, but missing)'],
  'error-repeats-status': [
    '> GET /items/0',
    '< 404 Not Found',
    '< {"status": 400, "message": "no such item"}',
  ],
  'credential-required': ['> GET /items', '> Authorization: Bearer anything-at-all', '< 200 OK'],
  'credential-accepted': [
    '> GET /items      with the key',
    '< 200 OK',
    '> GET /items/1    with the same key',
    '< 401 Unauthorized',
  ],
  'identity-may-not': ['> DELETE /items/7   as reader   (may: [read])', '< 204 No Content'],
  'identity-sees-nothing': [
    '> POST /items       as writer',
    '< 201 Created',
    '< {"id": 7}',
    '> GET /items/7      as stranger   (sees: { nothing-of: writer })',
    '< 200 OK',
  ],
  'valid-accepted': ['> GET /items?limit=100   (maximum: 100)', '< 400 Bad Request'],
  'invalid-refused': ['> GET /items?limit=101   (maximum: 100)', '< 200 OK'],
  'missing-refused': ['> GET /items/1999999999', '< 200 OK   (documented: 404)'],
  'method-refused': ['> PATCH /items/1999999999   (the path has GET and PUT)', '< 200 OK'],
  'created-is-returned': [
    '> POST /items',
    '> {"count": 9007199254740993}',
    '< 201 Created',
    '< {"id": 7, "count": 9007199254740992}',
  ],
  'default-is-applied': [
    '> POST /items',
    '> {"name": "one"}',
    '< 201 Created',
    '< {"id": 7, "name": "one", "currency": "CHF"}   (currency has the default EUR)',
  ],
  'read-only-is-ignored': [
    '> POST /items',
    '> {"name": "one", "status": "paid"}   (status is readOnly)',
    '< 201 Created',
    '< {"id": 7, "name": "one", "status": "paid"}',
  ],
  'unique-is-kept': [
    '> POST /items',
    '> {"email": "kim@example.com"}',
    '< 201 Created',
    '> POST /items',
    '> {"email": "kim@example.com"}',
    '< 201 Created   (409: another item has this email)',
  ],
  'created-is-readable': [
    '> POST /items',
    '< 201 Created',
    '< {"id": 7}',
    '> GET /items/7',
    '< 404 Not Found',
  ],
  'parent-holds': [
    '> POST /boxes/1/items',
    '< {"id": 7, "boxId": 1}',
    '> GET /boxes/2/items/7',
    '< 200 OK',
  ],
  'criteria-hold': [
    '> GET /orders/7   (a step with the criterion $response.body#/paid == true)',
    '< {"id": 7, "paid": false}',
  ],
  'states-hold': [
    '> GET /orders/7',
    '< {"id": 7, "status": "shipped"}',
    '> POST /orders/7/cancel   (only an open order can be cancelled)',
    '< 200 OK',
  ],
  'shown-twice-agrees': [
    '> GET /boxes/1',
    '< {"id": 1, "itemCount": 2}',
    '> POST /boxes/1/items',
    '< 201 Created',
    '> GET /boxes/1',
    '< {"id": 1, "itemCount": 2}',
  ],
  'file-agrees': [
    '> PUT /items/7/photo',
    '> Content-Type: image/png   (2,670 bytes)',
    '< 204 No Content',
    '> GET /items/7/photo',
    '< Content-Type: image/png   (5,286 bytes)',
  ],
  'job-ends': [
    '> POST /exports',
    '< 202 Accepted',
    '> GET /exports/7   (after its time)',
    '< {"id": 7, "status": "running"}',
  ],
  'bulk-holds': [
    '> POST /items/bulk',
    '> [{"name": "one"}, {"name": "two"}]',
    '< 201 Created',
    '< [{"id": 7, "name": "one"}]',
  ],
  'created-once': [
    '> POST /items',
    '> Idempotency-Key: 6f1c',
    '< {"id": 7}',
    '> POST /items   (the same body)',
    '> Idempotency-Key: 6f1c',
    '< {"id": 8}',
  ],
  'replaced-is-persisted': [
    '> PUT /items/7',
    '> {"name": "new"}',
    '< 200 OK',
    '> GET /items/7',
    '< {"id": 7, "name": "old"}',
  ],
  'deleted-is-gone': ['> DELETE /items/7', '< 204 No Content', '> GET /items/7', '< 200 OK'],
  'refusal-is-harmless': [
    '> POST /items',
    '> {"name": "run-1", "count": -1}',
    '< 400 Bad Request',
    '> GET /items',
    '< [{"id": 8, "name": "run-1"}]',
  ],
  'condition-holds': [
    '> GET /items/7',
    '< ETag: "a1"',
    '> PUT /items/7',
    '< 200 OK',
    '< ETag: "a2"',
    '> PUT /items/7',
    '> If-Match: "a1"',
    '< 200 OK   (documented: 412)',
  ],
  'item-equals-entry': [
    '> GET /items',
    '< [{"id": 7, "name": "one"}]',
    '> GET /items/7',
    '< {"id": 7, "name": "another"}',
  ],
  'ids-are-unique': ['> POST /items', '< {"id": 7}', '> POST /items', '< {"id": 7}'],
  'filter-holds': ['> GET /items?status=sold', '< [{"id": 7, "status": "available"}]'],
  'limit-holds': ['> GET /items?limit=2', '< [{"id": 1}, {"id": 2}, {"id": 3}]'],
  'page-holds': [
    '> GET /items?limit=2&offset=0',
    '< [{"id": 1}, {"id": 2}]',
    '> GET /items?limit=2&offset=2',
    '< [{"id": 2}, {"id": 3}]',
  ],
  'sort-holds': ['> GET /items?sort=name', '< [{"name": "b"}, {"name": "a"}]'],
  'total-holds': [
    '> GET /items?limit=1',
    '< {"total": 1, "items": […]}',
    '> GET /items?limit=2',
    '< {"total": 2, "items": […]}',
  ],
  'stable-under-repeat': ['> GET /items', '< 200 OK', '> GET /items', '< 404 Not Found'],
  'deprecation-announced': [
    '> GET /items',
    '< 200 OK',
    '< Deprecation: true   (a date is required: @1688169599)',
  ],
  'http-semantics': ['> HEAD /items', '< 404 Not Found   (GET /items is 200 before and after it)'],
  'answers-in-time': ['> GET /reports', '< 200 OK   (after 2.4 s, as nearly every time)'],
  'fields-documented': [
    '> GET /items/7',
    '< {"id": 7, "name": "one", "internalRank": 4}   (the contract names id and name)',
  ],
};
