import { plainName } from '../infer/infer-names.ts';
import type { Operation, Parameter } from '../model.ts';

/**
 * The boolean query parameter `force` of a deletion: with it, the records below go too, which
 * keep the record from being deleted without it (Google AIP-135, "Cascading delete").
 */
export function cascadeParameter({ method, parameters }: Operation): Parameter | undefined {
  if (method !== 'DELETE') return undefined;
  return parameters.find(
    ({ in: location, name, schema }) =>
      location === 'query' &&
      plainName(name) === 'force' &&
      schema.flatten().types.every((type) => type === 'boolean'),
  );
}
