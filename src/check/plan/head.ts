import { makeCase, makeSequence, type Case, type Sequence } from '../model/case.ts';
import { requestOf, type Draft } from './draft.ts';
import { plainIntent, type PlanContext } from './plan-context.ts';

/**
 * Each plain GET with the HEAD of the same address between two of it: what the GETs share is what
 * the HEAD must have too.
 */
export function planHead(context: PlanContext): Sequence[] {
  const { operations } = context.contract;
  const hasOwn = ({ operation }: Draft): boolean =>
    operations.some(({ method, path }) => method === 'HEAD' && path === operation.path);
  return context.drafts
    .filter((draft) => draft.operation.method === 'GET' && !hasOwn(draft))
    .map(headBetween);
}

function headBetween(draft: Draft): Sequence {
  const { operation } = draft;
  const request = requestOf(draft, 'known');
  const get = (title: string): Case =>
    makeCase({ title, phase: 'boundary', operation, request, intent: plainIntent(draft) });
  const head = makeCase({
    title: 'a HEAD for what was just read',
    phase: 'boundary',
    operation,
    request: { ...request, method: 'HEAD' },
    intent: { kind: 'method', method: 'HEAD', wanted: 'like GET' },
  });
  return makeSequence(
    get('a plain request before its HEAD'),
    head,
    get('a plain request after its HEAD'),
  );
}
