import type { HeaderSpec, Operation, Parameter } from '../../../contract/model.ts';

/**
 * The header in which an operation takes a condition, such as `If-None-Match` (RFC 9110, section
 * 13.1): as it declares it, else, for a read, as HTTP has it where the contract shows the ETag that
 * goes there. Undefined where the contract says nothing of either.
 */
export function conditionHeader(operation: Operation, name: string): Parameter | undefined {
  const declared = declaredHeader(operation, name);
  if (declared !== undefined || name.toLowerCase() !== 'if-none-match') return declared;
  const tag = operation.responses
    .filter(({ status }) => status.startsWith('2'))
    .flatMap(({ headers }) => headers)
    .find((header) => header.name.toLowerCase() === 'etag');
  return tag && impliedBy(tag);
}

/** The header parameter of an operation that has a name, in any case. */
export function declaredHeader({ parameters }: Operation, name: string): Parameter | undefined {
  return parameters.find(
    (parameter) => parameter.in === 'header' && parameter.name.toLowerCase() === name.toLowerCase(),
  );
}

function impliedBy(tag: HeaderSpec): Parameter {
  const known = implied.get(tag) ?? {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    deprecated: false,
    style: 'simple',
    explode: false,
    allowReserved: false,
    allowEmptyValue: false,
    schema: tag.schema,
    examples: [],
    pointer: tag.pointer,
  };
  implied.set(tag, known);
  return known;
}

// Arguments are told apart by their parameters.
const implied = new WeakMap<HeaderSpec, Parameter>();
