import { parseMediaType } from '../../http/media-type.ts';
import type { JsonObject } from '../../json/value.ts';
import type { MediaTypeSpec, Operation } from '../model/operation.ts';
import { contractTexts, factIn, factsIn, operationTexts, statusTexts } from './facts.ts';
import { mentions } from './mentions.ts';

/**
 * Whether a contract refuses a JSON Patch whose `test` fails (RFC 6902, section 4.6) as it refuses
 * an invalid one, and not for a conflict: it names the test beside that status alone.
 */
export function testIsInvalid(operation: Operation): boolean {
  const names = (status: string): boolean =>
    statusTexts(operation, status).some(
      (told) => told.kind !== 'stated' && mentions(told.text, 'test'),
    );
  return (names('422') || names('400')) && !names('409');
}

/**
 * Whether a body is a JSON Patch (RFC 6902, section 4), by its media type, or by a schema that
 * wants its operations.
 */
export function isJsonPatch(body: Pick<MediaTypeSpec, 'mediaType' | 'schema'>): boolean {
  const { mediaType, schema } = body;
  const takes = (step: JsonObject): boolean => schema?.accepts([step], 'request') === true;
  const [op, path, value] = ['test', '/a', 'a'];
  return (
    parseMediaType(mediaType)?.essence === 'application/json-patch+json' ||
    (takes({ op, path, value }) && !takes({ op, value }) && !takes({ path, value }))
  );
}

/**
 * Whether an update is a merge patch (RFC 7396), by its media type or in words: it changes the
 * members that it names, also those within objects, and removes what it sets to null.
 */
export function isMergePatch(
  operation: Pick<Operation, 'method' | 'summary' | 'description'>,
  mediaType: string,
  contract: Parameters<typeof contractTexts>[0],
): boolean {
  if (/\bmerge-patch\+json\b/i.test(mediaType)) return true;
  const told = [operation.summary, operation.description, contract.description].join(' ');
  return operation.method === 'PATCH' && /\bmerge[ -]patch\b|\bRFC ?73[89]6\b/i.test(told);
}

/**
 * The members of a body, of those that are given, within which a change keeps what it leaves out:
 * all objects of a merge patch, else those of which the words of the operation say it.
 */
export function mergedIn(
  operation: Operation,
  mediaType: string,
  { contract, names }: { contract: Parameters<typeof isMergePatch>[2]; names: readonly string[] },
): string[] {
  if (isMergePatch(operation, mediaType, contract)) return [...names];
  const told = factsIn(operationTexts(operation), 'keeps-the-rest').filter(
    ({ sentence }) => !/\b(?:except|but|replac\w+|whole|entire\w*)\b/i.test(sentence),
  );
  return names.filter((name) => told.some(({ sentence }) => mentions(sentence, name)));
}

/**
 * Whether a PUT changes what is sent and leaves the rest, unlike RFC 9110, section 9.3.4: its own
 * words say so, or those of the whole contract say it of PUT.
 */
export function changesPart(
  operation: Parameters<typeof operationTexts>[0],
  contract: Parameters<typeof contractTexts>[0],
): boolean {
  const told = factIn(contractTexts(contract), 'keeps-the-rest');
  return (
    factIn(operationTexts(operation), 'keeps-the-rest') !== undefined ||
    (told !== undefined && /\bPUT\b/.test(told.sentence))
  );
}
