import type { Contract } from '../../contract/model.ts';
import { asksToWait, isSuccess } from '../../http/status.ts';
import type { CheckId } from '../checks/index.ts';
import { pageOf } from '../evidence/list/list-page.ts';
import type { Judgement } from '../judge/judge.ts';
import type { Step } from '../model/step.ts';
import type { ReplayForm } from '../model/finding.ts';

/**
 * Why an answer in which the check sees nothing wrong does not show that the finding is fixed; in a
 * sentence. Undefined where it does.
 */
export function whyUndecided(
  form: ReplayForm,
  steps: readonly Step[],
  { inspected, contract }: Pick<Judgement, 'inspected'> & { readonly contract: Contract },
): string | undefined {
  const last = steps.at(-1);
  if (last === undefined) return 'Nothing was sent.';
  const { response, fault } = last.exchange;
  if (response === undefined) return `No answer came: ${fault?.message ?? 'the target is silent'}`;
  const { status } = response;
  if (asksToWait(response)) return `The server asks to come back later (${String(status)}).`;
  const { intent, request } = last.case;
  if (
    (status === 401 || status === 403) &&
    request.credential === 'given' &&
    form.status !== status &&
    !form.check.startsWith('credential')
  )
    return `The credential is refused (${String(status)}).`;
  if (intent.kind === 'valid' && isSuccess(form.status ?? 0) && !isSuccess(status))
    return `It was answered ${String(form.status)} when it was found, and ${String(status)} now.`;
  if (status >= 500 && form.check !== 'no-server-error')
    return `It is answered ${String(status)} now, which shows nothing of it.`;
  if (checksOfLists.has(form.check) && areEmpty(contract, steps))
    return `The list holds no record now, which shows nothing of it.`;
  return wasLookedAt(form.check, inspected)
    ? undefined
    : `The answer (${String(status)}) holds nothing that ${form.check} could look at.`;
}

const checksOfLists: ReadonlySet<string> = new Set<CheckId>([
  'filter-holds',
  'limit-holds',
  'page-holds',
  'sort-holds',
  'total-holds',
]);

/**
 * Whether lists were asked for, and none of them had anything: a server that has been started anew
 * may have lost what showed it.
 */
function areEmpty(contract: Contract, steps: readonly Step[]): boolean {
  const pages = steps.flatMap((step) => pageOf({ contract }, step) ?? []);
  return pages.length > 0 && pages.every(({ records }) => records.length === 0);
}

function wasLookedAt(check: string, inspected: Judgement['inspected']): boolean {
  return [...inspected.values()].some((counts) => (counts.get(check) ?? 0) > 0);
}
