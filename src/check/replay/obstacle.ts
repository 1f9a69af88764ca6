import { baseUrlOf } from '../base-url.ts';
import type { Case, Sequence } from '../model/case.ts';
import type { Sender } from '../run/execute-sequence.ts';
import { isSecured, schemesLacking } from '../secrets/credential.ts';
import type { Settings } from '../settings.ts';

const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Why a sequence may not, or cannot, be sent to this target; in a clause. Undefined where nothing
 * stands in its way.
 */
export function obstacleTo(
  { cases }: Sequence,
  settings: Settings,
  { secrets }: Sender,
): string | undefined {
  for (const tried of cases) {
    const method = methodOf(tried);
    if (settings.mode === 'read-only' && !safeMethods.includes(method))
      return `it needs a ${method}, and the replay is read-only; --mode read-write sends it`;
    const base = baseUrlOf(settings, tried.operation);
    if (!base.ok) return base.reason;
    const lacking = needsToken(tried) ? schemesLacking(tried.operation, secrets) : [];
    if (lacking.length > 0) return describeLacking(tried.operation.id, lacking);
  }
  return undefined;
}

function describeLacking(operation: string, schemes: readonly string[]): string {
  const wayIn = schemes.map((scheme) => `--auth ${scheme}=env:NAME`).join(' or ');
  const lack = `asks for a credential for ${schemes.join(' or ')}, and none is given`;
  return `${operation} ${lack}; give one with ${wayIn}`;
}

function methodOf({ operation, request }: Case): string {
  // Not every template has a method of its own.
  return 'method' in request && typeof request.method === 'string'
    ? request.method
    : operation.method;
}

/**
 * A credential that is wrong can be made up; one that is cut short, has more behind it or other
 * letters, cannot.
 */
function needsToken({ operation, request }: Case): boolean {
  return (
    isSecured(operation) &&
    ['given', 'prefix', 'longer', 'other-case', 'wrong-scheme'].includes(request.credential)
  );
}
