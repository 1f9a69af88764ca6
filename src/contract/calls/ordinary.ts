import { plainForm } from '../parameter/parameter-form.ts';
import { joinPointer, type Pointer } from '../../json/pointer.ts';
import { withoutMembers } from '../../json/value.ts';
import { isJsonMediaType } from '../../http/media-type.ts';
import type {
  CarriedPlace,
  MediaTypeSpec,
  Operation,
  Parameter,
  Schema,
  SchemaNode,
} from '../model.ts';
import { bodySchema } from '../model/operation.ts';
import { writeReference } from '../read/cursor.ts';
import { objectMembers } from '../schema/object-members.ts';
import type { Asked } from './call.ts';
import { changedOperation } from './changed-operation.ts';
import type { Form } from './kinds.ts';

/**
 * A call on the path and with the method that an ordinary service would have. What its query or its
 * body says of records is a parameter of that path, or of its query; `carried` says where it is
 * sent.
 */
export function ordinaryOf(operation: Operation, form: Form): Operation {
  const { path, method, named, lists, without } = form;
  const inPath = [...named].flatMap(([name, asked]) => pathParameter(operation, name, asked));
  const asked = lists === true ? membersOf(operation) : [];
  const names = [...named.values()].flatMap((one) => (one.in === 'body' ? [one.name] : []));
  const media = operation.requestBody?.content.find(({ mediaType }) => isJsonMediaType(mediaType));
  const isMoved = (one: Parameter): boolean =>
    one.in !== 'header' && [...named.values()].some(({ name }) => name === one.name);
  return changedOperation(operation, {
    path,
    method,
    ...(without === undefined ? {} : { saves: without }),
    wire: {
      path: operation.path,
      method: operation.method,
      ...(media === undefined ? {} : { mediaType: media.mediaType }),
    },
    parameters: [...inPath, ...operation.parameters.filter((one) => !isMoved(one)), ...asked],
    requestBody:
      lists === true
        ? undefined
        : withoutNamed(operation, without === undefined ? names : [...names, without]),
  });
}

function pathParameter(operation: Operation, name: string, asked: Asked): Parameter[] {
  const own = operation.parameters.find((one) => one.in === asked.in && one.name === asked.name);
  if (asked.in === 'path' && own === undefined) return [];
  const carried: CarriedPlace = {
    in: asked.in,
    at: joinPointer('', asked.name),
    ...(asked.many ? { many: true } : {}),
  };
  if (asked.in === 'path' && own !== undefined && !asked.many) return [own];
  const schema = asked.many ? itemOf(asked.schema) : asked.schema;
  const examples = asked.many ? [] : (own?.examples ?? []);
  return [{ ...asParameter(name, 'path', schema), examples, carried, required: true }];
}

function itemOf(schema: Schema): Schema {
  const flat = schema.flatten();
  return schema.part({ node: flat.node.items ?? true, pointer: flat.pointerOf('items') });
}

/** A parameter with the serialisation that OpenAPI gives to one that says nothing of it. */
function asParameter(name: string, location: 'path' | 'query', schema: Schema): Parameter {
  const form = plainForm(name, location, schema);
  return { ...form, required: false, deprecated: false, examples: [], pointer: schema.pointer };
}

/**
 * The members of a body, and those of the objects in it, as parameters of a query: `{ filter: {
 * colour }, limit }`.
 */
export function membersOf(operation: Operation): Parameter[] {
  const body = bodySchema(operation);
  return body === undefined
    ? []
    : membersIn(body, '').flatMap(({ at, parameter }) => {
        const inner = membersIn(parameter.schema, at);
        return inner.length === 0 ? [parameter] : inner.map((one) => one.parameter);
      });
}

function membersIn(
  schema: Schema,
  above: Pointer,
): { readonly at: Pointer; readonly parameter: Parameter }[] {
  const { properties, required } = objectMembers(schema);
  return [...properties].map(([name, place]) => {
    const at = above + joinPointer('', name);
    const own = schema.part(place);
    const parameter: Parameter = {
      ...asParameter(name, 'query', own),
      required: required.has(name),
      carried: { in: 'body', at },
    };
    return { at, parameter };
  });
}

/** The body without the members that the path holds; none if nothing is left. */
function withoutNamed(
  { requestBody }: Operation,
  named: readonly string[],
): Operation['requestBody'] {
  if (requestBody === undefined) return undefined;
  const content = requestBody.content.flatMap((media): MediaTypeSpec[] => {
    const { schema } = media;
    const flat = schema?.flatten();
    if (
      schema === undefined ||
      flat === undefined ||
      !named.some((name) => flat.properties.has(name))
    )
      return [media];
    const left = [...flat.properties].filter(([name]) => !named.includes(name));
    if (left.length === 0) return [];
    const node = {
      ...flat.node,
      properties: Object.fromEntries(
        left.map(([name, { pointer }]): [string, SchemaNode] => [
          name,
          { $ref: writeReference(pointer) },
        ]),
      ),
      required: [...flat.required].filter((name) => !named.includes(name)),
      'x-vouch-view': true,
    };
    const pointer = joinPointer(schema.pointer, 'x-vouch-call');
    const examples = media.examples.map((example) => ({
      ...example,
      value: withoutMembers(example.value, ...named),
    }));
    return [{ ...media, schema: schema.part({ node, pointer }), examples }];
  });
  // What a path holds is always sent, so that there is always a body.
  const required = requestBody.required && named.length === 0;
  return content.length === 0 ? undefined : { ...requestBody, content, required };
}
