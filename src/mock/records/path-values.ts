import type { Parent, Resource } from '../../contract/model.ts';
import type { ValidRequest } from '../model/behaviour.ts';

/** What a request is read for where its path names parents. */
export type PathRequest = Pick<ValidRequest, 'plan' | 'path' | 'parameters'>;

/** The texts by which a request's path names the parents of a resource, outermost first. */
export function parentTexts(
  request: PathRequest,
  { parents }: Pick<Resource, 'parents'>,
): string[] {
  return parents.map((parent) => parentText(request, parent));
}

function parentText(
  { plan, path, parameters }: PathRequest,
  { parameter, segment }: Parent,
): string {
  // The paths of one resource may call a parameter by several names: what counts is where it
  // stands.
  const name = plan.wholeSegments.find(([, index]) => index === segment)?.[0] ?? parameter;
  const value = parameters.get(`path ${name}`) ?? path.get(name) ?? '';
  return typeof value === 'string' ? value : String(value);
}
