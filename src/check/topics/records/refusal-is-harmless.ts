import { planRefusals } from './refusal-sequences.ts';
import { type ListPage, pageOf } from '../../reading/list-page.ts';
import { showValue } from '../../model/phrases.ts';
import {
  changesAfterRefusal,
  countedGrowth,
  growthAfterRefusals,
  type RefusedChange,
} from './refused-growth.ts';
import type { CheckInput, RefusedTexts } from '../../model/knowledge.ts';
import type { Step } from '../../model/step.ts';
import type { Violation } from '../../model/violation.ts';
import { check } from '../check.ts';

/**
 * A refused create leaves no record: no list shows its values or grows. A refused change leaves the
 * record unchanged.
 */
export const refusalIsHarmless = check({
  id: 'refusal-is-harmless',
  basis: 'inferred',
  severity: 'error',
  harm: 'data',
  rule:
    'A refused create leaves no record behind, and a refused change leaves the record ' +
    'unchanged.',
  reason:
    'A client that is refused assumes that nothing happened: it corrects its request and ' +
    'creates a second record, or shows outdated values.',
  example: [
    '> POST /items',
    '> {"name": "run-1", "count": -1}',
    '< 400 Bad Request',
    '> GET /items',
    '< [{"id": 8, "name": "run-1"}]',
  ],
  confirm: 'again',
  plan: [{ at: 'counted', all: planRefusals }],
  needs: ['refusedTexts', 'largestPages'],
  intents: ['valid'],
  actions: ['read', 'list'],
  mutants: [async () => (await import('./harm-mutants.ts')).refusalMutants],
  inspect(subject) {
    const changed = changesAfterRefusal(subject);
    if (changed !== undefined) return changed.differences.length === 0 ? [] : [stored(changed)];
    const page = pageOf(subject, subject);
    if (page === undefined) return undefined;
    const counted = countedGrowth(subject);
    if (counted !== undefined && counted.length > 0)
      return [
        {
          ...left(
            subject,
            page,
            counted[0],
            `the list counts one record more after each of ${String(counted.length)} such creates`,
          ),
          momentary: true,
          cause: 'counted',
          impliedBy: '',
        },
      ];
    const growth = growthAfterRefusals(subject);
    if (growth !== undefined && growth.length >= 2)
      return [
        {
          ...left(
            subject,
            page,
            growth[0]?.refused,
            'the list has grown by a record with what was sent, after each of ' +
              `${String(growth.length)} such creates`,
          ),
          momentary: true,
          cause: 'grown',
          impliedBy: ['', 'counted'],
        },
      ];
    const { refusedTexts } = subject.knowledge;
    const found = refusedText(page, refusedTexts);
    if (found === undefined)
      return refusedTexts.size === 0 && growth === undefined ? undefined : [];
    return [
      left(
        subject,
        page,
        found.refused,
        `the record is in the list (${found.field} is ${showValue(found.text)})`,
      ),
    ];
  },
});

/** The first text of a page that a refused create sent in the same field, with that create. */
function refusedText(
  { resource, records }: ListPage,
  refusedTexts: RefusedTexts,
): { readonly field: string; readonly text: string; readonly refused: Step } | undefined {
  for (const record of records) {
    for (const field in record) {
      const text = record[field];
      const refused =
        typeof text === 'string' ? refusedTexts.find(resource.name, field, text) : undefined;
      if (typeof text === 'string' && refused !== undefined) return { field, text, refused };
    }
  }
  return undefined;
}

function stored({ refused, differences }: RefusedChange): Violation {
  const { operation, title } = refused.case;
  const status = String(refused.exchange.response?.status ?? 'an error');
  const show = (end: 'expected' | 'got'): string =>
    differences
      .map((difference) => `${difference.field} is ${showValue(difference[end])}`)
      .join(', ');
  const changes = differences.map(
    ({ field, expected, got }) => `${field} was ${showValue(expected)} and is ${showValue(got)}`,
  );
  return {
    at: operation.pointer,
    message:
      `The server answered ${status} to ${operation.id}, in which ${title}, ` +
      `and yet the record has changed: ${changes.join(', ')}.`,
    expected: show('expected'),
    actual: show('got'),
    cause: 'changed',
  };
}

function left(
  subject: CheckInput,
  { resource }: ListPage,
  refused: Step | undefined,
  how: string,
): Violation {
  const status = String(refused?.exchange.response?.status ?? 'an error');
  return {
    at: resource.operations.create?.pointer ?? subject.operation.pointer,
    message:
      `The server answered ${status} to a create in which ` +
      `${refused?.case.title ?? 'something was wrong'}, and yet ${how}.`,
    expected: 'no such record',
    actual: how,
  };
}
