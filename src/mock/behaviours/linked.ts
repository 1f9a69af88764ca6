import { speaksJsonApi } from '../../contract/infer/conventions/envelope-styles.ts';
import { objectsIn } from '../../contract/protocols/inclusion.ts';
import { typeOf } from '../../contract/protocols/projection.ts';
import { quoteExcerpt } from '../../json/json-problem.ts';
import { isJsonObject, type JsonObject } from '../../json/value.ts';
import type { MaybePromise } from '../../store/store.ts';
import type { Asking } from '../model/behaviour.ts';
import { type Fault, makeFault } from '../model/fault.ts';
import type { OperationPlan } from '../model/operation-plan.ts';

/**
 * The fault of a request that adds to a relationship, or replaces it, and names a record that does
 * not exist (JSON:API 1.1, sections 9.3 and 9.1.3); undefined for other requests.
 */
export function strayLinkage(on: Asking): MaybePromise<Fault | undefined> {
  const { body, plan } = on.request;
  return isJsonObject(body) && plan.derive(isLinking) ? judge(body, on) : undefined;
}

function isLinking({ operation }: OperationPlan): boolean {
  return (
    ['POST', 'PATCH'].includes(operation.method) &&
    /\/relationships\/[^/{}]+$/.test(operation.path) &&
    speaksJsonApi(operation)
  );
}

async function judge(
  body: JsonObject,
  { request: { plan, session }, store }: Asking,
): Promise<Fault | undefined> {
  for (const { type, id } of objectsIn(body['data'])) {
    const named = plan.contract.resources.find(
      (one) => one.parents.length === 0 && typeOf(one) === type,
    );
    if (named === undefined || typeof id !== 'string') continue;
    if ((await store.get({ session, name: named.collection }, id)) !== undefined) continue;
    const shown = quoteExcerpt(id);
    const message = `The body must name a record of ${named.name}, and none has the id ${shown}.`;
    return makeFault('reference', 'invalid_reference', message, {
      issues: [{ location: 'body', name: 'data', rule: 'reference', message }],
    });
  }
  return undefined;
}
