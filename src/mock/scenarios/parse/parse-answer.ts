import type { FaultAt } from '../../../contract/locate.ts';
import { wordsIn } from '../../../words-in.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { defined, isJsonArray, isJsonObject, objectOf } from '../../../json/value.ts';
import type { HeaderList } from '../../../http/message.ts';
import { joinPointer, type Pointer } from '../../../json/pointer.ts';
import { suggestWord } from '../../../errors.ts';
import { type Delay, noDelay, parseDelay, percentiles } from '../delay.ts';
import {
  type AnswerTemplates,
  harmsAnswer,
  type NetworkFault,
  type NetworkFaultKind,
  networkFaultKinds,
  headerPlaces,
  type ScenarioAnswer,
} from '../scenario.ts';
import type { OpenPlace, TemplateValue } from '../templates/json-template.ts';
import { readJsonTemplate } from '../templates/json-template.ts';
import { readTemplate, type Template } from '../templates/read-template.ts';
import { Members } from './read-members.ts';

const answerMembers = wordsIn(
  'pass patch status example headers body delay fault times offContract',
);

/** Parses one answer of a rule. Throws the error that `fault` makes for an invalid location. */
export function parseAnswer(value: JsonValue, pointer: Pointer, fault: FaultAt): ScenarioAnswer {
  const members = new Members(value, pointer, answerMembers, fault);
  const status = members.integer('status', { minimum: 200, maximum: 599 });
  const example = members.text('example');
  const headers = parseHeaders(members, fault);
  const [body, patch] = [readValue(members, 'body', fault), readValue(members, 'patch', fault)];
  const templates = templatesOf(body, patch, headers);
  checkPatch(members);
  const networkFault = parseNetworkFault(members, fault);
  const scripted = status !== undefined || members.has('body') || example !== undefined;
  const pass =
    members.flag('pass') ??
    (!scripted &&
      (members.has('patch') ||
        (networkFault === undefined ? members.has('headers') : harmsAnswer(networkFault))));
  refuseContradiction(members, pass, scripted, networkFault !== undefined);
  return {
    ...(pass ? { pass } : {}),
    ...defined({ status, example, headers: headers.list, templates, body: body?.plain }),
    ...(patch !== undefined && (isJsonObject(patch.plain) || isJsonArray(patch.plain))
      ? { patch: patch.plain }
      : {}),
    delay: parseDelayPlan(members.value('delay'), {
      pointer: joinPointer(members.pointer, 'delay'),
      fault,
    }),
    ...(networkFault === undefined ? {} : { fault: networkFault }),
    times: members.integer('times', { minimum: 1, maximum: 1_000_000 }) ?? 1,
    offContract: members.flag('offContract') ?? false,
  };
}

function refuseContradiction(
  members: Members,
  pass: boolean,
  scripted: boolean,
  needsNone: boolean,
): void {
  for (const key of ['status', 'example', 'body']) {
    if (pass && members.has(key))
      members.refuse(
        key,
        `An answer that passes has the ${key === 'example' ? 'body' : key} that the mock gives it.`,
        'Leave out pass, or ' +
          `${key}.${key === 'body' ? ' To change the body that the mock gives, say patch.' : ''}`,
      );
  }
  if (!pass && members.has('patch'))
    members.refuse(
      'patch',
      'Only an answer that passes has a body to patch.',
      scripted
        ? 'Write what you want into body, or leave out status, example and body.'
        : 'Leave out pass, or say pass: true.',
    );
  if (members.has('body') && members.has('example'))
    members.refuse('example', 'An answer has a body or an example, not both.');
  if (!pass && !scripted && !needsNone)
    members.refuse(
      'status',
      'An answer needs a status, an example or a body, or else pass: true, headers, a patch ' +
        'or a fault.',
    );
}

function checkPatch(members: Members): void {
  const patch = members.value('patch');
  if (patch !== undefined && !isJsonObject(patch) && !isJsonArray(patch))
    members.refuse(
      'patch',
      'patch must be an object of the members to change, or a list of steps (RFC 6902).',
    );
}

/** A value with its placeholders. */
function readValue(
  members: Members,
  key: 'body' | 'patch',
  fault: FaultAt,
): TemplateValue | undefined {
  const value = members.value(key);
  return value === undefined
    ? undefined
    : readJsonTemplate(value, joinPointer(members.pointer, key), fault);
}

function templatesOf(
  body: TemplateValue | undefined,
  patch: TemplateValue | undefined,
  headers: ReadHeaders,
): AnswerTemplates | undefined {
  const below = (key: string, value: TemplateValue | undefined): OpenPlace[] =>
    (value?.open ?? []).map(({ at, template }) => ({ at: `/${key}${at}`, template }));
  const places = headerPlaces(headers.list ?? []);
  const fields = [...headers.filled].map(([index, template]) => ({
    at: places[index] ?? '/headers',
    template,
  }));
  const open = [...below('body', body), ...below('patch', patch), ...fields];
  if (open.length === 0) return undefined;
  return {
    ...defined({ body: body?.template, patch: patch?.template }),
    ...(headers.filled.size === 0 ? {} : { headers: headers.filled }),
    open,
  };
}

/** Valid characters of a field value (RFC 9110, section 5.5); Node writes none beyond Latin-1. */
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;
const fieldName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Header fields, and the templates of those with placeholders. */
interface ReadHeaders {
  readonly list: HeaderList | undefined;
  readonly filled: ReadonlyMap<number, Template>;
}

function parseHeaders(members: Members, fault: FaultAt): ReadHeaders {
  const written: JsonObject | undefined = members.object('headers');
  if (written === undefined) return { list: undefined, filled: new Map() };
  const fields = Object.entries(written).flatMap(([name, value]): [string, JsonValue][] => {
    if (!fieldName.test(name))
      return members.refuse('headers', `${name} cannot be the name of a header.`);
    return isJsonArray(value) ? value.map((each) => [name, each]) : [[name, value]];
  });
  const filled = new Map<number, Template>();
  const list = fields.map(([name, value], index): readonly [string, string] => {
    const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value;
    if (typeof text !== 'string' || !fieldValue.test(text))
      return members.refuse(
        'headers',
        `The header ${name} must be a text of Latin-1 characters, without a line break, ` +
          'or a list of such texts.',
      );
    const place = joinPointer(members.pointer, 'headers', name);
    const reading = readTemplate(text);
    if (reading.kind === 'unreadable') throw fault(place, reading.message, reading.hint);
    if (reading.kind === 'text') return [name, reading.text];
    if (name.toLowerCase() === 'content-type')
      throw fault(place, 'The header Content-Type has no placeholders.', 'Name one media type.');
    filled.set(index, reading.template);
    return [name, text];
  });
  return { list, filled };
}

const options: Readonly<Record<NetworkFaultKind, readonly string[]>> = {
  reset: ['after'],
  empty: [],
  garbage: [],
  hang: ['for'],
  truncated: ['after'],
  'truncated-chunks': ['after'],
  'malformed-chunk': ['after'],
  'wrong-length': ['by'],
  dribble: ['bytes', 'every'],
};

const maxBytes = 1_000_000_000;
const defaultHangMs = 60_000;
const defaultIntervalMs = 100;

/**
 * Parses the member `fault` of an answer: `reset`, or `{ kind: truncated, after: 20 }`. Undefined
 * if it is missing.
 */
function parseNetworkFault(answer: Members, fault: FaultAt): NetworkFault | undefined {
  const written = answer.value('fault');
  if (written === undefined) return undefined;
  const pointer = joinPointer(answer.pointer, 'fault');
  const value = isJsonObject(written) ? written : { kind: written };
  const kind = readKind(value.kind, (message, hint) =>
    fault(isJsonObject(written) ? joinPointer(pointer, 'kind') : pointer, message, hint),
  );
  return readFault(kind, new Members(value, pointer, ['kind', ...options[kind]], fault));
}

function readKind(
  value: unknown,
  complain: (message: string, hint: string) => Error,
): NetworkFaultKind {
  const found = networkFaultKinds.find((kind) => kind === value);
  if (found !== undefined) return found;
  throw complain(
    value === undefined ? 'A fault must have the member kind.' : `${String(value)} is no fault.`,
    suggestWord(String(value ?? ''), networkFaultKinds),
  );
}

function readFault(kind: NetworkFaultKind, members: Members): NetworkFault {
  if (kind === 'empty' || kind === 'garbage') return { kind };
  if (kind === 'hang') return { kind, forMs: readOptionalTime(members, 'for') ?? defaultHangMs };
  if (kind === 'wrong-length') return { kind, by: readDifference(members) };
  if (kind === 'dribble')
    return {
      kind,
      bytes: members.integer('bytes', { minimum: 1, maximum: maxBytes }) ?? 1,
      everyMs: readOptionalTime(members, 'every') ?? defaultIntervalMs,
    };
  const after = members.integer('after', { minimum: 0, maximum: maxBytes });
  return { kind, ...(after === undefined ? {} : { after }) };
}

function readDifference(members: Members): number {
  const by = members.integer('by', { minimum: -maxBytes, maximum: maxBytes }) ?? -1;
  return by === 0
    ? members.refuse('by', 'by must not be 0, with which the length would be right.')
    : by;
}

function readOptionalTime(members: Members, key: string): number | undefined {
  return members.value(key) === undefined ? undefined : readTime(members, key);
}

/** The location of a delay, and how to report an error in it. */
interface DelayPlace {
  readonly pointer: Pointer;
  readonly fault: FaultAt;
}

const wording = 'must be such as 200ms, 2s or a number of milliseconds, and ten minutes at most';

/**
 * Parses a delay: `200ms`, `{ from, to }`, `{ mean, deviation }` or `{ p50, p95 }`. Throws the
 * error of `fault` for anything else.
 */
function parseDelayPlan(written: JsonValue | undefined, place: DelayPlace): Delay {
  if (written === undefined) return noDelay;
  if (isJsonObject(written)) return parseDistribution(written, place);
  const ms = parseDelay(written);
  if (ms === undefined)
    throw place.fault(
      place.pointer,
      `delay ${wording}.`,
      'Or let it vary: { from: 100ms, to: 2s }, { mean: 300ms, deviation: 50ms ' +
        '}, { p50: 200ms, p95: 2s }.',
    );
  return { kind: 'fixed', ms };
}

function parseDistribution(written: JsonValue, { pointer, fault }: DelayPlace): Delay {
  const known = Object.keys(objectOf(written));
  if (known.includes('from') || known.includes('to'))
    return parseRange(new Members(written, pointer, ['from', 'to'], fault));
  if (known.includes('mean') || known.includes('deviation'))
    return parseNormal(new Members(written, pointer, ['mean', 'deviation'], fault));
  return parsePercentiles(
    new Members(
      written,
      pointer,
      ['p50', 'p90', 'p95', 'p99', 'from', 'to', 'mean', 'deviation'],
      fault,
    ),
  );
}

function parseRange(members: Members): Delay {
  const [from, to] = [readTime(members, 'from'), readTime(members, 'to')];
  return from <= to
    ? { kind: 'uniform', from, to }
    : members.refuse('to', 'to must not be shorter than from.');
}

function parseNormal(members: Members): Delay {
  return {
    kind: 'normal',
    mean: readTime(members, 'mean'),
    deviation: readTime(members, 'deviation'),
  };
}

function parsePercentiles(members: Members): Delay {
  // `Object.entries` loses the type of the keys, which are those of the table.
  const named = (Object.entries(percentiles) as [keyof typeof percentiles, number][]).filter(
    ([name]) => name === 'p50' || members.has(name),
  );
  const points = named.map(([name, z]) => ({ z, ms: readPositive(members, name) }));
  const wrong = named.findIndex(
    (_entry, index) => (points[index]?.ms ?? 0) < (points[index - 1]?.ms ?? 0),
  );
  const [name] = named[wrong] ?? [];
  if (name !== undefined)
    members.refuse(name, `${name} must not be shorter than ${named[wrong - 1]?.[0] ?? ''}.`);
  if (points.length < 2)
    members.refuse(
      'p50',
      'p50 alone says nothing of how slow the slow ones are.',
      'Add p95 or p99: { p50: 200ms, p95: 2s }.',
    );
  return { kind: 'percentiles', points };
}

function readTime(members: Members, key: string): number {
  return (
    parseDelay(members.required(key, members.value(key))) ??
    members.refuse(key, `${key} ${wording}.`)
  );
}

function readPositive(members: Members, key: string): number {
  const ms = readTime(members, key);
  return ms > 0 ? ms : members.refuse(key, `${key} must be longer than nothing.`);
}
