import { joinPointer, splitPointer } from '../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { suggestWord } from '../../errors.ts';
import { checkStatedFacts, type FactFault, factsKeyword } from './stated-facts.ts';

/**
 * Facts of a configuration, by what they are about: an operation (its id, or `GET /orders`), or the
 * JSON Pointer of an operation, parameter or schema, such as
 * `#/components/schemas/Order/properties/number`.
 */
export type FactStatements = Readonly<Record<string, JsonValue>>;

/** The document with the facts of a configuration as `x-vouch-facts`, which replace its own. */
export function withStatedFacts(
  document: JsonValue,
  statements: FactStatements,
  fault: FactFault,
): JsonValue {
  let changed = document;
  for (const [subject, facts] of Object.entries(statements)) {
    const at = joinPointer('', subject);
    checkStatedFacts(facts, at, fault);
    const place = subject.startsWith('#/')
      ? splitPointer(subject.slice(1))
      : operationsIn(document).find(({ id }) => id === subject)?.path;
    const made = place && withMember(changed, place, facts);
    if (made === undefined)
      throw fault(
        at,
        `The document has no ${subject}.`,
        subject.startsWith('#/')
          ? 'Name an operation, or the JSON Pointer of a parameter or a schema.'
          : suggestWord(
              subject,
              operationsIn(document).map(({ id }) => id),
            ),
      );
    changed = made;
  }
  return changed;
}

/** The operations of a document as it is written, each under its id or its method and path. */
function operationsIn(
  document: JsonValue,
): { readonly id: string; readonly path: readonly string[] }[] {
  const paths = isJsonObject(document) ? document['paths'] : undefined;
  if (paths === undefined || !isJsonObject(paths)) return [];
  return Object.entries(paths).flatMap(([template, item]) =>
    isJsonObject(item)
      ? Object.entries(item).flatMap(([method, operation]) => {
          if (!isJsonObject(operation)) return [];
          const { operationId } = operation;
          const path = ['paths', template, method];
          const name = `${method.toUpperCase()} ${template}`;
          return [
            { id: name, path },
            ...(typeof operationId === 'string' ? [{ id: operationId, path }] : []),
          ];
        })
      : [],
  );
}

/** A copy in which the object at a path has the facts; undefined if there is no object. */
function withMember(
  value: JsonValue,
  path: readonly string[],
  facts: JsonValue,
): JsonValue | undefined {
  const [key, ...rest] = path;
  if (key === undefined)
    return isJsonObject(value) ? { ...value, [factsKeyword]: facts } : undefined;
  if (isJsonArray(value)) {
    const made = withMember(value[Number(key)] ?? null, rest, facts);
    return made && value.map((item, index) => (String(index) === key ? made : item));
  }
  if (!isJsonObject(value) || !Object.hasOwn(value, key)) return undefined;
  const made = withMember(value[key] ?? null, rest, facts);
  return made && ({ ...value, [key]: made } satisfies JsonObject);
}
