import type { Contract } from '../../contract/model.ts';
import type { HttpResponse } from '../../http/message.ts';
import { asksToWait, isSuccess } from '../../http/status.ts';
import { baseUrlOf } from '../base-url.ts';
import type { CheckId } from '../checks/index.ts';
import { pageOf } from '../evidence/list/list-page.ts';
import type { Judgement } from '../judge/judge.ts';
import type { Case, Sequence } from '../model/case.ts';
import type { ReplayForm } from '../model/finding.ts';
import type { Step } from '../model/step.ts';
import type { Sender } from '../run/execute-sequence.ts';
import { isSecured, schemesLacking } from '../secrets/credential.ts';
import { secretsOf } from '../secrets/secrets.ts';
import type { Settings } from '../settings.ts';

const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/** Why a sequence must not, or cannot, be sent to this target, as a clause; undefined if it can. */
export function obstacleTo(
  { cases }: Sequence,
  settings: Settings,
  { secrets }: Sender,
): string | undefined {
  for (const testCase of cases) {
    const method = methodOf(testCase);
    if (settings.mode === 'read-only' && !safeMethods.includes(method))
      return `it needs a ${method}, but the replay is read-only; allow it with --mode read-write`;
    const base = baseUrlOf(settings, testCase.operation);
    if (!base.ok) return base.reason;
    const { identity } = testCase.request;
    const own = secretsOf(secrets, identity);
    if (own === undefined)
      return `it is a request of ${identity ?? ''}, and the configuration has no credential of it`;
    const needsOwn = identity === undefined && needsToken(testCase);
    const lacking = needsOwn ? schemesLacking(testCase.operation, own) : [];
    if (lacking.length > 0) return describeLacking(testCase.operation.id, lacking);
  }
  return undefined;
}

function describeLacking(operation: string, schemes: readonly string[]): string {
  const wayIn = schemes.map((scheme) => `--auth ${scheme}=env:NAME`).join(' or ');
  const lack = `requires a credential for ${schemes.join(' or ')}, and none is given`;
  return `${operation} ${lack}; give one with ${wayIn}`;
}

function methodOf({ operation, request }: Case): string {
  // Only some templates have their own method.
  return 'method' in request && typeof request.method === 'string'
    ? request.method
    : operation.method;
}

/** Whether the credential derives from a token: other wrong credentials can be made up. */
function needsToken({ operation, request }: Case): boolean {
  return (
    isSecured(operation) &&
    (request.scheme !== undefined ||
      ['given', 'prefix', 'longer', 'other-case', 'wrong-scheme'].includes(request.credential))
  );
}

/**
 * Why a response without the violation does not show that the finding is fixed, as a sentence;
 * undefined if it does.
 */
export function whyUndecided(
  form: ReplayForm,
  steps: readonly Step[],
  { inspected, contract }: Pick<Judgement, 'inspected'> & { readonly contract: Contract },
): string | undefined {
  const last = steps.at(-1);
  if (last === undefined) return 'No request was sent.';
  const { response, fault } = last.exchange;
  if (response === undefined)
    return `No response: ${fault?.message ?? 'the target does not respond'}`;
  const other = whyOtherResponse(form, last.case, response);
  if (other !== undefined) return other;
  if (checksOfLists.has(form.check) && areEmpty(contract, steps))
    return `The list is empty now, so ${form.check} cannot decide.`;
  return wasInspected(form.check, inspected)
    ? undefined
    : `The response (${String(response.status)}) contains nothing that ${form.check} checks.`;
}

/** Why the response has another cause than the fix. */
function whyOtherResponse(
  { check, status: before }: ReplayForm,
  { intent, request }: Case,
  response: HttpResponse,
): string | undefined {
  const { status } = response;
  if (asksToWait(response)) return `The server asks to retry later (${String(status)}).`;
  const isRefused = status === 401 || status === 403;
  const isAboutCredential = request.credential !== 'given' || check.startsWith('credential');
  if (isRefused && before !== status && !isAboutCredential)
    return `The credential is refused (${String(status)}).`;
  if (intent.kind === 'valid' && isSuccess(before ?? 0) && !isSuccess(status))
    return `The status was ${String(before)} in the report, and is ${String(status)} now.`;
  return status >= 500 && check !== 'no-server-error'
    ? `The status is ${String(status)} now, so ${check} cannot decide.`
    : undefined;
}

const checksOfLists: ReadonlySet<string> = new Set<CheckId>([
  'filter-holds',
  'limit-holds',
  'page-holds',
  'sort-holds',
  'total-holds',
]);

/** Whether all lists were empty: a restarted server may have lost the records that showed it. */
function areEmpty(contract: Contract, steps: readonly Step[]): boolean {
  const pages = steps.flatMap((step) => pageOf({ contract }, step) ?? []);
  return pages.length > 0 && pages.every(({ records }) => records.length === 0);
}

function wasInspected(check: string, inspected: Judgement['inspected']): boolean {
  return [...inspected.values()].some((counts) => (counts.get(check) ?? 0) > 0);
}
