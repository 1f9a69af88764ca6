import { joinPointer } from '../json/pointer.ts';
import type { Gap, Operation, Resource, ResponseSpec, Schema } from './model.ts';

/**
 * Every place where the contract is silent about something that a client or a check would have to
 * know.
 */
export function findGaps(operations: readonly Operation[], resources: readonly Resource[]): Gap[] {
  return [...operations.flatMap(gapsOfOperation), ...resources.flatMap(gapsOfResource)];
}

function gapsOfOperation(operation: Operation): Gap[] {
  return [
    ...refusalGaps(operation),
    ...successGaps(operation),
    ...credentialGaps(operation),
    ...bodyGaps(operation),
  ];
}

function refusalGaps(operation: Operation): Gap[] {
  const constrained = operation.parameters
    .filter((parameter) => parameter.in !== 'path' && isConstrained(parameter.schema))
    .map(({ name }) => name);
  const input =
    operation.requestBody === undefined ? constrained : [...constrained, 'the request body'];
  if (input.length === 0 || documentsRefusal(operation)) return [];
  return [
    gap(
      operation,
      'refusal-undocumented',
      'refusal',
      'responses',
      `${operation.id} constrains ${input.join(', ')}, but documents no status for invalid values.`,
    ),
  ];
}

function isConstrained(schema: Schema): boolean {
  const { node, types } = schema.flatten();
  return (
    types.length < 7 &&
    (!types.includes('string') ||
      node.enum !== undefined ||
      node.pattern !== undefined ||
      node.format !== undefined ||
      node.maxLength !== undefined)
  );
}

function documentsRefusal(operation: Operation): boolean {
  return operation.responses.some(
    ({ status }) =>
      status === '400' || status === '422' || status === '4XX' || status === 'default',
  );
}

function successGaps(operation: Operation): Gap[] {
  const exact = operation.responses.filter(({ status }) => /^[23]\d\d$/.test(status));
  const ranged = operation.responses.filter(({ status }) => status === '2XX' || status === '3XX');
  const open =
    exact.length > 0
      ? []
      : [
          gap(
            operation,
            'success-open',
            'success',
            'responses',
            `${operation.id} documents no success status.`,
          ),
        ];
  const shown = [...exact, ...ranged];
  const silent =
    shown.length === 0 ? operation.responses.filter(({ status }) => status === 'default') : shown;
  return [
    ...open,
    ...silent.filter(isPayloadOpen).map((response) => payloadGap(operation, response)),
  ];
}

function isPayloadOpen(response: ResponseSpec): boolean {
  if (['204', '205', '304'].includes(response.status)) return false;
  return (
    response.content.length === 0 ||
    response.content.some((entry) => entry.schema === undefined && entry.itemSchema === undefined)
  );
}

function payloadGap(operation: Operation, response: ResponseSpec): Gap {
  return {
    kind: 'payload-open',
    id: `${operation.id}.${response.status}.payload`,
    operation,
    message: `${operation.id} does not document the body of its ${response.status} response.`,
    pointer: response.pointer,
  };
}

function credentialGaps(operation: Operation): Gap[] {
  const secured =
    operation.security.length > 0 &&
    operation.security.every((requirement) => requirement.length > 0);
  const documented = operation.responses.some(
    ({ status }) => status === '401' || status === '4XX' || status === 'default',
  );
  if (!secured || documented) return [];
  return [
    gap(
      operation,
      'unauthorised-undocumented',
      'unauthorised',
      'responses',
      `${operation.id} requires a credential, but documents no response for a request without one.`,
    ),
  ];
}

function bodyGaps(operation: Operation): Gap[] {
  const schemas = (operation.requestBody?.content ?? []).flatMap((entry) => entry.schema ?? []);
  return schemas.flatMap((schema) => {
    const { properties, required } = schema.flatten();
    return [...properties].flatMap(([name, place]): Gap[] => {
      const { node, types } = schema.flatten(place.node, place.pointer);
      if (node.readOnly === true) return [];
      const base = { operation, pointer: place.pointer };
      // What a change leaves out stays as it is (RFC 5789, section 2).
      const defaults: Gap[] =
        operation.method === 'PATCH' || required.has(name) || node.default !== undefined
          ? []
          : [
              {
                ...base,
                kind: 'default-unknown',
                id: `${operation.id}.body.${name}.default`,
                message: `${operation.id} accepts a body without ${name}, which has no documented default.`,
              },
            ];
      const bounded =
        !types.includes('string') ||
        node.maxLength !== undefined ||
        node.enum !== undefined ||
        node.const !== undefined ||
        node.format !== undefined ||
        node.pattern !== undefined;
      const texts: Gap[] = bounded
        ? []
        : [
            {
              ...base,
              kind: 'text-unbounded',
              id: `${operation.id}.body.${name}.length`,
              message: `${operation.id} accepts any text as ${name}: it has no maxLength, pattern or format.`,
            },
          ];
      return [...defaults, ...texts];
    });
  });
}

const pageNames =
  /^(offset|skip|page|page_?number|cursor|after|before|starting_?after|page_?token|next)$/i;

function gapsOfResource(resource: Resource): Gap[] {
  const list = resource.operations.list;
  if (
    list === undefined ||
    list.parameters.some((parameter) => parameter.in === 'query' && pageNames.test(parameter.name))
  )
    return [];
  return [
    {
      kind: 'paging-unknown',
      id: `${list.id}.paging`,
      operation: list,
      message: `${list.id} documents no way to request further pages.`,
      pointer: list.pointer,
    },
  ];
}

function gap(
  operation: Operation,
  kind: Gap['kind'],
  word: string,
  member: string,
  message: string,
): Gap {
  return {
    kind,
    id: `${operation.id}.${word}`,
    operation,
    message,
    pointer: joinPointer(operation.pointer, member),
  };
}
