import { pageOf, type ListPage } from '../evidence/list/list-page.ts';
import { showValue } from '../evidence/phrases.ts';
import { growthAfterRefusals } from '../evidence/record/refused-growth.ts';
import type { Step, Subject } from '../subject.ts';
import type { Check, Violation } from './check.ts';

/** A create that was refused leaves no record: nothing of what it sent turns up in any list, and the list does not grow by it. */
export const refusalIsHarmless = {
  id: 'refusal-is-harmless',
  basis: 'inferred',
  severity: 'error',
  rule: 'A create that is refused leaves no record behind.',
  reason: 'A client that mends its request and sends it again makes two records out of one, the first of them broken.',
  proof: 'again',
  inspect(subject) {
    const page = pageOf(subject, subject);
    if (page === undefined) return undefined;
    const growth = growthAfterRefusals(subject);
    if (growth !== undefined && growth.length >= 2) return [{ ...left(subject, page, growth[0]?.refused, `the list has grown by a record with what was sent, after each of ${String(growth.length)} such creates`), momentary: true }];
    if (subject.knowledge.refusedTexts.size === 0) return growth === undefined ? undefined : [];
    const texts = page.records.flatMap((record) => Object.entries(record));
    const found = texts.find(([field, value]) => typeof value === 'string' && subject.knowledge.refusedTexts.has(`${page.resource.name} ${field} ${value}`));
    if (found === undefined) return [];
    const [field, value] = found;
    const refused = subject.knowledge.refusedTexts.get(`${page.resource.name} ${field} ${String(value)}`);
    return [left(subject, page, refused, `the record is in the list (${field} is ${showValue(value)})`)];
  },
} as const satisfies Check;

function left(subject: Subject, { resource }: ListPage, refused: Step | undefined, how: string): Violation {
  const status = String(refused?.exchange.response?.status ?? 'an error');
  return {
    at: resource.operations.create?.pointer ?? subject.operation.pointer,
    message: `The server answered ${status} to a create in which ${refused?.case.title ?? 'something was wrong'}, and yet ${how}.`,
    expected: 'no such record',
    actual: how,
  };
}
