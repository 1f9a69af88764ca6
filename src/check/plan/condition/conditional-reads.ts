import type { HeaderSpec, Operation, Parameter } from '../../../contract/model.ts';
import { documents } from '../../../contract/select-response.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { type Argument, type Case, makeCase, makeSequence, type Sequence } from '../../case.ts';
import type { Phase } from '../../event.ts';
import { type Draft, type RecordKind, requestOf } from '../draft.ts';
import { plainIntent, type PlanContext } from '../plan-context.ts';

/**
 * Every read that documents 304, asked for twice: the second time with the ETag that it came with.
 */
export function planConditionalReads({ drafts }: PlanContext): Sequence[] {
  return drafts.flatMap((draft): Sequence[] => {
    const { operation } = draft;
    const again =
      operation.method === 'GET'
        ? taggedRead(draft, {
            title: 'If-None-Match is the ETag that the answer just had',
            phase: 'boundary',
            record: 'known',
            which: 'last',
            wanted: 'unchanged',
          })
        : undefined;
    if (again === undefined) return [];
    return [
      makeSequence(
        makeCase({
          title: 'a plain request, to see the ETag',
          phase: 'boundary',
          operation,
          request: requestOf(draft, 'known'),
          intent: plainIntent(draft),
        }),
        again,
      ),
    ];
  });
}

/**
 * Which record is read, with which of the ETags that it was read with before, and what that has to
 * lead to.
 */
interface TaggedRead {
  readonly title: string;
  readonly phase: Phase;
  readonly record: RecordKind;
  readonly which: 'first' | 'last';
  readonly wanted: 'unchanged' | 'changed';
}

/**
 * A read whose If-None-Match is an ETag that it was answered with earlier in the sequence;
 * undefined where it documents no 304, or takes no such field.
 */
export function taggedRead(
  read: Draft,
  { title, phase, record, which, wanted }: TaggedRead,
): Case | undefined {
  const { operation } = read;
  const parameter = documents(operation, '304')
    ? conditionHeader(operation, 'If-None-Match')
    : undefined;
  if (parameter === undefined) return undefined;
  return makeCase({
    title,
    phase,
    operation,
    request: requestOf(read, record, { extra: [tagArgument(parameter, operation, which)] }),
    intent: { kind: 'condition', at: joinPointer(operation.pointer, 'responses', '304'), wanted },
    optional: true,
  });
}

/**
 * The ETag that a read showed earlier in the sequence, as an argument: that of its last answer, or
 * of its first one, which may be stale by now.
 */
export function tagArgument(
  parameter: Parameter,
  read: Operation,
  which: 'last' | 'first',
): Argument {
  return {
    parameter,
    source: {
      kind: 'link',
      operation: read.id,
      expression: '$response.header.ETag',
      ...(which === 'first' ? { first: true } : {}),
    },
  };
}

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
