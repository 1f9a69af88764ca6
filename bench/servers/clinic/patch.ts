import { isDeepStrictEqual } from 'node:util';
import { pick } from '../serving/fields.ts';
import { bodyOf, check, fail, store, type Call } from './call.ts';
import { bodyRule, members, patchRule } from './rules.ts';
import type { Current, Patient } from './store.ts';

interface Operation {
  readonly op: 'add' | 'replace' | 'remove' | 'test';
  readonly path: string;
  readonly value?: unknown;
}

type Members = Record<string, unknown>;

/** Reads the JSON Patch of the body; what it returns applies the patch to the patient. */
export function patched(call: Call, before: Current<Patient>): () => Patient {
  const { service } = call;
  const body = bodyOf(call, ['application/json-patch+json']);
  check(call, 'Patch', [patchRule, body]);
  const operations = body as readonly Operation[];
  if (operations.some((each) => each.op !== 'remove' && !Object.hasOwn(each, 'value')))
    fail(service, 'structure', 'An operation has no value.');
  return () => {
    const content = structuredClone(before.content) as object as Members;
    for (const operation of operations) {
      const fault = apply(content, operation);
      if (fault === undefined) continue;
      if (service.has('patch-partly-applied') && isValid(content))
        store(call, ['Patient', before.id], ['PATCH', patientOf(content)]);
      return fail(service, 'rule', `${operation.op} ${operation.path}: ${fault}`);
    }
    if (!isValid(content)) return fail(service, 'rule', 'The result is not a valid patient.');
    return patientOf(content);
  };
}

const isValid = (content: Members): boolean =>
  bodyRule('Patient', false)({ resourceType: 'Patient', ...content }, 'Patient') === undefined;

function patientOf(content: Members): Patient {
  const patient: unknown = pick(content, Object.keys(members.Patient));
  return patient as Patient;
}

const wordsOf = (path: string): string[] =>
  path
    .split('/')
    .slice(1)
    .map((word) => word.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Applies one operation; says what is wrong with it. */
function apply(content: Members, { op, path, value }: Operation): string | undefined {
  const words = wordsOf(path);
  const [first] = words;
  const last = words.pop();
  if (first === undefined || last === undefined) return 'the patient cannot be patched as a whole';
  if (['id', 'meta', 'resourceType'].includes(first)) return 'it cannot be patched';
  let parent: unknown = content;
  for (const word of words) parent = memberOf(parent, word);
  if (Array.isArray(parent)) return applyToList(parent, { op, last, value });
  if (typeof parent !== 'object' || parent === null) return 'there is no such path';
  const place = parent as Members;
  if (op !== 'add' && !Object.hasOwn(place, last)) return 'there is no such path';
  if (op === 'test')
    return isDeepStrictEqual(place[last], value) ? undefined : 'it is another value';
  if (op === 'remove') delete place[last];
  else place[last] = value;
  return undefined;
}

function memberOf(value: unknown, word: string): unknown {
  if (Array.isArray(value)) return /^(0|[1-9]\d*)$/.test(word) ? value[Number(word)] : undefined;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, word)) return undefined;
  return (value as Members)[word];
}

function applyToList(
  list: unknown[],
  { op, last, value }: { op: Operation['op']; last: string; value: unknown },
): string | undefined {
  const place = last === '-' && op === 'add' ? list.length : Number(last);
  const isFit = last === '-' || /^(0|[1-9]\d*)$/.test(last);
  if (!isFit || !(place < list.length + (op === 'add' ? 1 : 0))) return 'there is no such path';
  if (op === 'test')
    return isDeepStrictEqual(list[place], value) ? undefined : 'it is another value';
  if (op === 'remove') list.splice(place, 1);
  else list.splice(place, op === 'add' ? 0 : 1, value);
  return undefined;
}
