import type { Case, Sequence } from '../case.ts';
import { isSecured } from '../secrets/credential.ts';
import { baseUrlOf } from '../base-url.ts';
import type { Settings } from '../settings.ts';
import { hasCredential } from '../secrets/secrets.ts';
import type { Sender } from '../run/execute-sequence.ts';

const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/** Why a sequence may not, or cannot, be sent to this target; in a clause. Undefined where nothing stands in its way. */
export function obstacleTo({ cases }: Sequence, settings: Settings, { secrets }: Sender): string | undefined {
  for (const tried of cases) {
    const method = methodOf(tried);
    if (settings.mode === 'read-only' && !safeMethods.includes(method)) return `it needs a ${method}, and the replay is read-only; --mode read-write sends it`;
    const base = baseUrlOf(settings, tried.operation);
    if (!base.ok) return base.reason;
    if (needsToken(tried) && !hasCredential(secrets)) return `${tried.operation.id} asks for a credential, and none is given; put it into VOUCH_TOKEN`;
  }
  return undefined;
}

function methodOf({ operation, request }: Case): string {
  // Not every template has a method of its own.
  return 'method' in request && typeof request.method === 'string' ? request.method : operation.method;
}

/** A credential that is wrong can be made up; one that is cut short, has more behind it or other letters, cannot. */
function needsToken({ operation, request }: Case): boolean {
  return isSecured(operation) && ['given', 'prefix', 'longer', 'other-case', 'wrong-scheme'].includes(request.credential);
}
