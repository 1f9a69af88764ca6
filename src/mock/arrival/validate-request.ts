import type { Fault } from '../errors/fault.ts';
import type { RequestView } from '../scenarios/match-rule.ts';
import { judgeBody } from '../request/read-body.ts';
import { judgeParameters } from '../request/read-parameters.ts';

/**
 * Why a request does not keep the contract: its parameters first, with all that is wrong in them,
 * then its body. Undefined where it does.
 */
export function validateRequest(view: RequestView): Fault | undefined {
  return judgeParameters(view.parameters()) ?? judgeBody(view.body());
}
