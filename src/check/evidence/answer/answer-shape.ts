import type { Contract, Operation } from '../../../contract/model.ts';
import { parseMediaType } from '../../../http/media-type.ts';
import { joinPointer, type Pointer, splitPointer } from '../../../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../../../json/value.ts';
import type { CheckInput } from '../../model/knowledge.ts';
import { type Answer, roleOf, type Step } from '../../model/step.ts';
import { Recent } from '../recent.ts';
import { listedRecords } from '../record/shown-records.ts';
import { jsonOf } from './read-answer.ts';

/**
 * The shape of an answer without its values: of what is around the records, and of each record by
 * its identifier.
 */
export interface AnswerShape {
  readonly around: string;
  readonly records: ReadonlyMap<string, string>;
}

/**
 * Reads the shape of a successful answer: names of fields and their types by JSON Pointer. Records
 * come and go, so they have shapes of their own.
 */
export function shapeOf({ contract }: Pick<CheckInput, 'contract'>, step: Step): AnswerShape {
  const {
    answer,
    case: { operation },
  } = step;
  const before = known.get(answer);
  if (before?.operation === operation) return before.shape;
  return known.set(answer, { operation, shape: readShape(contract, step) }).shape;
}

// Each answer of a sequence is held against all that came before it.
const known = new Recent<Answer, { readonly operation: Operation; readonly shape: AnswerShape }>();

function readShape(contract: Contract, step: Step): AnswerShape {
  const role = roleOf(contract, step.case.operation);
  const body = jsonOf(step.answer);
  const type = parseMediaType(step.answer.mediaType ?? '')?.essence ?? step.answer.kind;
  const resource = role?.action === 'list' ? role.resource : undefined;
  const records = resource === undefined ? undefined : listedRecords(resource, step.answer);
  const at = resource?.list?.records;
  const around =
    records === undefined || at === undefined ? body : withoutRecords(body, splitPointer(at));
  const named = (records ?? []).map(
    (record) =>
      [
        String(record[resource?.identifier.field ?? '']),
        describeFields(record).join('\n'),
      ] as const,
  );
  return {
    around: [type, ...(around === undefined ? [step.answer.kind] : describeFields(around))].join(
      '\n',
    ),
    records: new Map(named),
  };
}

/** What holds the records, with an empty list in their place. */
function withoutRecords(body: JsonValue | undefined, at: readonly string[]): JsonValue | undefined {
  const [name, ...deeper] = at;
  if (name === undefined) return [];
  if (!isJsonObject(body)) return body;
  return { ...body, [name]: withoutRecords(body[name], deeper) ?? null };
}

/**
 * Each field with its type, one a line: `/owner/name string`. The items of a list are described
 * once.
 */
function describeFields(value: JsonValue): string[] {
  return [...new Set(walk(value, ''))].sort();
}

function walk(value: JsonValue, at: Pointer): string[] {
  // Array.isArray does not narrow a readonly array out of a union.
  if (Array.isArray(value))
    return [
      `${at} array`,
      ...(value as readonly JsonValue[]).flatMap((item) => walk(item, joinPointer(at, '*'))),
    ];
  if (!isJsonObject(value))
    return [
      `${at} ${value === null ? 'null' : typeof value === 'bigint' ? 'number' : typeof value}`,
    ];
  return [
    `${at} object`,
    ...Object.entries(value).flatMap(([name, member]) => walk(member, joinPointer(at, name))),
  ];
}
