import { plainPath } from '../../contract/infer/conventions/path-styles.ts';
import { successSchema } from '../../contract/infer/conventions/envelope-styles.ts';
import { wordsOf } from '../../contract/infer/infer-names.ts';
import type { Contract, LocatedNode, Operation, Schema } from '../../contract/model.ts';
import { saysRead } from '../../contract/words/effect-words.ts';
import { roleOf } from '../model/step.ts';
import { isHidden } from './compare-records.ts';
import { looksLike } from '../../words-in.ts';

/**
 * The free texts that a POST without a resource has in its request and, under the same name, in its
 * success; empty if the response does not show the created object.
 */
export function echoedFields(
  contract: Contract,
  operation: Operation,
  schema: Schema,
): ReadonlySet<string> {
  const answered = operation.method === 'POST' ? successSchema(operation)?.flatten() : undefined;
  const { id, path } = operation;
  const words = [id, ...path.split('/')].flatMap((name) => wordsOf(name));
  const isOther = plainPath(path).endsWith('}') || words.some((word) => transforming.test(word));
  if (answered === undefined || isOther || saysRead(operation)) return new Set();
  if (roleOf(contract, operation) !== undefined) return new Set();
  const asked = schema.flatten().properties;
  const isMade = [...answered.properties.keys()].some(
    (name) => isIdentifierName(name) && !asked.has(name),
  );
  const shared = [...answered.properties].filter(([name, place]) => {
    const own = asked.get(name);
    return own !== undefined && isFreeText(schema, own) && isFreeText(schema, place);
  });
  return new Set(isMade ? shared.map(([name]) => name) : []);
}
/** The prefixes of words for operations that return something derived from the request. */
const transforming = new RegExp(
  '^(answer|anonymi|calcul|chat|complet|convert|correct|decod|decrypt|encod|encrypt|evaluat|' +
    'expand|format|generat|geocod|hash|login|lookup|map|normali|pars|predict|preview|redact|' +
    'render|repl|resolv|rewrit|saniti|search|session|shorten|sign|suggest|summar|token|' +
    'transform|transl)',
);
const isIdentifierName = looksLike(/^(_?id|uuid|guid|sid)$|[a-z]Id$|_id$/);
/** Whether a place holds a text without listed values that a response may show. */
function isFreeText(schema: Schema, place: LocatedNode): boolean {
  const { node, types } = schema.flatten(place);
  return types.includes('string') && node.enum === undefined && !isHidden(schema, place);
}
