import { joinPointer, type Pointer } from '../../json/pointer.ts';
import type { Contract, Operation, Parameter, Resource, Schema } from '../model.ts';
import { bodySchema } from '../model/operation.ts';
import { objectMembers } from '../schema/object-members.ts';
import { pathKey } from './conventions/path-styles.ts';
import { inferList } from './infer-list.ts';
import { changedOperation } from './open-calls.ts';
import { describesSame } from './record-fields.ts';

/**
 * The list of a resource by QUERY (OpenAPI 3.2, section 4.9), whose body says which records are
 * asked for.
 */
export interface BodyList {
  /** The resource as this operation lists it: the parameters of its list are in the body. */
  readonly resource: Resource;
  readonly asked: readonly AskedMember[];
}

/** A member of the body, or a parameter of the path, as a parameter of the list. */
export interface AskedMember {
  readonly parameter: Parameter;
  /** Its place in the body; undefined for a parameter of the path. */
  readonly at?: Pointer | undefined;
}

/**
 * The list of a resource that a path below its own narrows, as `GET /instances/{zone}` with the
 * answer of `GET /instances`; undefined if an operation shows none.
 */
export function narrowedListOf(
  contract: Pick<Contract, 'resources'>,
  operation: Operation,
): BodyList | undefined {
  const [, above, name] = /^(.*)\/\{([^{}/]+)\}$/.exec(operation.path) ?? [];
  const parameter = operation.parameters.find((one) => one.in === 'path' && one.name === name);
  if (operation.method !== 'GET' || above === undefined || parameter === undefined)
    return undefined;
  const asked: Parameter = { ...parameter, in: 'query' };
  const reading = inferList(
    changedOperation(operation, { parameters: [...operation.parameters, asked] }),
  );
  if (reading === undefined) return undefined;
  const resource = contract.resources.find(
    ({ list, collectionPath, record }) =>
      list !== undefined &&
      pathKey(collectionPath) === pathKey(above) &&
      describesSame(reading.record, record),
  );
  return (
    resource && { resource: { ...resource, list: reading.shape }, asked: [{ parameter: asked }] }
  );
}

/** The list that a QUERY on the path of a collection shows; undefined if it shows none. */
export function bodyListOf(
  contract: Pick<Contract, 'resources'>,
  operation: Operation,
): BodyList | undefined {
  if (operation.method !== 'QUERY') return undefined;
  const asked = membersOf(operation);
  const parameters = [...operation.parameters, ...asked.map(({ parameter }) => parameter)];
  const reading = inferList(changedOperation(operation, { parameters }));
  if (reading === undefined) return undefined;
  const key = pathKey(operation.path);
  const resource = contract.resources.find(
    ({ kind, collectionPath, record }) =>
      kind === 'collection' &&
      pathKey(collectionPath) === key &&
      describesSame(reading.record, record),
  );
  return resource && { resource: { ...resource, list: reading.shape }, asked };
}

/** The members of a body, and those of the objects in it: `{ filter: { colour }, limit }`. */
function membersOf(operation: Operation): AskedMember[] {
  const body = bodySchema(operation);
  return body === undefined
    ? []
    : membersIn(body, '').flatMap((member) => {
        const { schema } = member.parameter;
        const inner = membersIn(schema, member.at);
        return inner.length === 0 ? [member] : inner;
      });
}

function membersIn(schema: Schema, at: Pointer): (AskedMember & { readonly at: Pointer })[] {
  const { properties, required } = objectMembers(schema);
  return [...properties].map(([name, place]) => {
    const own = schema.part(place);
    const parameter: Parameter = {
      name,
      in: 'query',
      carried: 'body',
      required: required.has(name),
      deprecated: false,
      style: 'form',
      explode: true,
      allowReserved: false,
      allowEmptyValue: false,
      examples: [],
      schema: own,
      pointer: own.pointer,
    };
    return { parameter, at: at + joinPointer('', name) };
  });
}
