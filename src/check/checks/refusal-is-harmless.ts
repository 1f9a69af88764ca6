import { pageOf } from '../evidence/list-page.ts';
import { showValue } from '../evidence/phrases.ts';
import type { Check } from './check.ts';

/** A create that was refused leaves no record: the run's mark in what it sent must not turn up in any list. */
export const refusalIsHarmless = {
  id: 'refusal-is-harmless',
  basis: 'inferred',
  severity: 'error',
  rule: 'A create that is refused leaves no record behind.',
  reason: 'A client that mends its request and sends it again makes two records out of one, the first of them broken.',
  proof: 'again',
  inspect(subject) {
    const page = pageOf(subject, subject);
    if (page === undefined || subject.knowledge.refusedTexts.size === 0) return undefined;
    const texts = page.records.flatMap((record) => Object.entries(record));
    const left = texts.find(([field, value]) => typeof value === 'string' && subject.knowledge.refusedTexts.has(`${page.resource.name} ${field} ${value}`));
    if (left === undefined) return [];
    const [field, value] = left;
    const refused = subject.knowledge.refusedTexts.get(`${page.resource.name} ${field} ${String(value)}`);
    const status = String(refused?.exchange.response?.status ?? 'an error');
    return [
      {
        at: page.resource.operations.create?.pointer ?? subject.operation.pointer,
        message: `The server answered ${status} to a create in which ${refused?.case.title ?? 'something was wrong'}, and yet the record is in the list (${field} is ${showValue(value)}).`,
        expected: 'no such record',
        actual: `a record whose ${field} is ${showValue(value)}`,
      },
    ];
  },
} as const satisfies Check;
