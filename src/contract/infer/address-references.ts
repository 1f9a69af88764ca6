import { memberOf, type JsonValue } from '../../json/value.ts';
import type { LocatedNode, Operation, Resource } from '../model.ts';
import { bodySchema } from '../model/operation.ts';
import { addressedBy } from './address-members.ts';

/** A text of a body that names a record of a resource by its address: `/things/5`. */
export interface AddressReference {
  readonly field: string;
  readonly place: LocatedNode;
  readonly resource: Resource;
}

/** The addresses of records in the body of an operation, as its schema or its example shows. */
export function addressReferences(
  operation: Operation,
  resources: readonly Resource[],
): AddressReference[] {
  const schema = bodySchema(operation);
  if (schema === undefined) return [];
  return [...schema.flatten().properties].flatMap(([field, place]): AddressReference[] => {
    const { node } = schema.flatten(place);
    const text = shownIn(operation, field);
    const shown = text === undefined ? {} : { examples: [text] };
    const resource = addressedBy({ ...node, ...shown }, resources)?.resource;
    return resource === undefined ? [] : [{ field, place, resource }];
  });
}

/** The value of a member in the example of a body. */
function shownIn({ requestBody }: Operation, name: string): JsonValue | undefined {
  const [value] = (requestBody?.content ?? []).flatMap(({ examples }) =>
    examples.map((example) => example.value),
  );
  return memberOf(value, name);
}
