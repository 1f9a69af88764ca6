import type { Operation, Envelope, Schema } from '../../../contract/model.ts';
import { isMergePatch } from '../../../contract/words/read-patch.ts';
import { maskParameter } from '../../../contract/protocols/update-mask.ts';
import { rangeOf } from '../../../contract/select-response.ts';
import { matchesMediaRange, parseMediaType } from '../../../http/media-type.ts';
import {
  splitPointer,
  joinPointer,
  type Pointer,
  valueAt,
  withValueAt,
} from '../../../json/pointer.ts';
import { defined, stringifyJson } from '../../../json/value.ts';
import type { LabelledValue, ValueClass } from '../../../values/labelled-value.ts';
import { reachedInBody } from '../../plan/input-classes.ts';
import { type Intent, invalidBodyIntent, makeSequence, type Sequence } from '../../model/case.ts';
import type { BodyTemplate, Alteration } from '../../model/request-template.ts';
import { writeBody, alter } from '../../request/write-body.ts';
import { bodyOf, type DraftBody, readsBody, recordFor, requestOf } from '../../plan/draft.ts';
import { invalidBodies, chooseValues } from '../../plan/body-values.ts';
import { formOf } from '../../plan/draft-body.ts';
import type { DraftWithBody } from '../../plan/make-create.ts';
import { markedBody } from '../../plan/mark-body.ts';
import { draftCase, type PlanContext } from '../../plan/plan-context.ts';
import { bodyRule } from '../../plan/refused-change.ts';
import { closeBody } from '../../../contract/infer/open-envelopes.ts';
import { brokenRules } from '../../../values/broken-rules.ts';
import type { CandidateValue } from '../../../values/candidate-value.ts';
import { invalidCandidates } from '../../../values/invalid-values.ts';

/** The severity if a server accepts an invalid request. */
export type Accepted = Extract<Intent, { kind: 'invalid' }>['accepted'];

/**
 * Values that many correct servers accept: they read numbers from texts, ignore case, or treat an
 * empty text as absent.
 */
export const toleratedClasses: Partial<Readonly<Record<ValueClass, Accepted>>> = {
  'coercible-type': 'warning',
  'wrong-case': 'warning',
  'integer-overflow': 'warning',
  'empty-text': 'fine',
};

/** The plain request with an invalid body, beside the plain request as its control. */
export function planInvalidBodies(context: PlanContext, draft: DraftWithBody): Sequence[] {
  if (!readsBody(draft.operation)) return [];
  return [
    ...brokenBodies(draft.operation, draft.body).map((broken) => brokenBodyCase(draft, broken)),
    ...invalidBodies(draft.body, context.budget.invalid)
      .flatMap((value) => [value, ...onlyShown(value, draft)])
      .map((value) => invalidBodyCase(context, draft, value)),
    ...brokenEnvelopes(draft.body).map((broken) => brokenEnvelopeCase(context, draft, broken)),
  ];
}

/**
 * For a word that a member of a body does not list, one that records have there and no body may: a
 * service that has one list for both refuses the made-up word alone.
 */
function onlyShown(broken: LabelledValue, { role, body }: DraftWithBody): LabelledValue[] {
  const { value, at, label, valueClass } = broken;
  const [field = '', ...deeper] = splitPointer(at);
  const [record, made] = [role?.resource.record, valueAt(value, at)];
  if (valueClass !== 'not-in-enum' || record === undefined || deeper.length > 0) return [];
  const place = record.flatten().properties.get(field);
  const shown = place && record.flatten(place).node.enum;
  const word = shown?.find((one) => {
    const issues = body.schema?.validate(withValueAt(value, at, one), 'request');
    return typeof one === 'string' && issues !== undefined && issues.length > 0;
  });
  if (word === undefined || typeof made !== 'string') return [];
  const told = label.replace(stringifyJson(made), stringifyJson(word));
  return [{ ...broken, value: withValueAt(value, at, word), label: told }];
}

function invalidBodyCase(
  { runId, contract }: PlanContext,
  draft: DraftWithBody,
  invalid: LabelledValue,
): Sequence {
  const { body, operation } = draft;
  const { value, at } = invalid;
  const rule = bodyRule(invalid.label);
  const record = recordFor(draft);
  const control = { runId, label: `${operation.id} ${rule} control` };
  // In a merge patch, null removes a member (RFC 7396).
  const isRemoval =
    invalid.valueClass === 'null-given' && isMergePatch(operation, body.mediaType, contract);
  return makeSequence(
    draftCase(draft, {
      title: rule,
      phase: 'negative',
      intent: intentOf(invalid, isRemoval ? 'fine' : acceptedOf(invalid, draft)),
      reaches: reachedInBody(invalid),
      record,
      body: markedBody(body, value, { runId, label: `${operation.id} ${rule} `, at }),
      control: () => requestOf(draft, record, { body: markedBody(body, body.value, control) }),
    }),
  );
}

function intentOf(
  { label, pointer, valueClass }: LabelledValue,
  accepted: ReturnType<typeof acceptedOf>,
): Intent {
  return invalidBodyIntent(bodyRule(label), pointer, { accepted, class: valueClass });
}

/** The fields of the plain request in an envelope that breaks one rule. */
function brokenEnvelopeCase(
  { runId }: PlanContext,
  draft: DraftWithBody,
  { labelled, altered, whole }: BrokenEnvelope,
): Sequence {
  const { body, operation } = draft;
  const rule = bodyRule(labelled.label);
  const record = recordFor(draft);
  const marked = (label: string): BodyTemplate =>
    markedBody(body, body.value, { runId, label: `${operation.id} ${rule} ${label}` });
  const broken = marked('envelope');
  return makeSequence(
    draftCase(draft, {
      title: rule,
      phase: 'negative',
      intent: intentOf(labelled, acceptedOf(labelled, { operation, body: { schema: whole } })),
      record,
      body: broken.kind === 'content' ? { ...broken, altered } : broken,
      control: () => requestOf(draft, record, { body: marked('control') }),
    }),
  );
}

/**
 * Many servers treat null in an optional field as absent. An update with a mask needs no field that
 * the mask does not name, also where a record must have it (AIP-203).
 */
function acceptedOf(
  { valueClass, at }: LabelledValue,
  {
    operation,
    body: { schema },
  }: { readonly operation: Operation; readonly body: Pick<DraftBody, 'schema'> },
): Accepted {
  if (valueClass === 'missing-required' && maskParameter(operation) !== undefined) return 'fine';
  const [field, ...deeper] = splitPointer(at);
  const isOptional =
    field !== undefined && (deeper.length > 0 || schema?.flatten().required.has(field) !== true);
  return valueClass === 'null-given' && isOptional
    ? 'warning'
    : (toleratedClasses[valueClass] ?? 'error');
}

function brokenBodyCase(draft: DraftWithBody, broken: BrokenBody): Sequence {
  const { operation } = draft;
  const { title, body, accepted } = broken;
  const record = recordFor(draft);
  return makeSequence(
    draftCase(draft, {
      title,
      phase: 'negative',
      record,
      body,
      control: requestOf(draft, record),
      intent: invalidBodyIntent(title, operation.requestBody?.pointer ?? operation.pointer, {
        accepted: needsNoBody(operation, body) ? 'warning' : accepted,
        ...(broken.unreadable === true ? { unreadable: true } : {}),
      }),
      ...(body === 'none'
        ? { reaches: [{ in: 'body', name: '', class: 'missing-required' }] }
        : {}),
    }),
  );
}

/**
 * Without a body, an update with a mask names no field to change: many services read it as an empty
 * one, even where the contract requires a body.
 */
function needsNoBody(operation: Operation, body: BrokenBody['body']): boolean {
  const isEmpty = body === 'none' || (body.kind === 'bytes' && body.bytes.length === 0);
  return isEmpty && maskParameter(operation) !== undefined;
}

/** A body that is missing, incomplete, or of a media type that the contract does not declare. */
export interface BrokenBody {
  readonly title: string;
  readonly body: BodyTemplate | 'none';
  readonly accepted: Accepted;
  /** No parser can read it. */
  readonly unreadable?: true;
}

/** Bodies that do not have the declared format. */
function brokenBodies({ requestBody, responses }: Operation, body: DraftBody): BrokenBody[] {
  const content = requestBody?.content ?? [];
  const isDeclared = (type: string): boolean =>
    content.some((entry) => matchesMediaRange(type, rangeOf(entry)));
  const documents415 = responses.some(({ status }) => status === '415');
  const undeclared = mislabelledBodies(body, documents415).filter(
    ({ body: template }) => template === 'none' || !isDeclared(writeBody(template).mediaType ?? ''),
  );
  const takesAny = content.some((entry) => rangeOf(entry).startsWith('*'));
  return [
    ...(requestBody?.required === true
      ? [
          { title: 'there is no body', body: 'none', accepted: emptyIsAccepted(body) } as const,
          ...emptyBodies(body),
        ]
      : []),
    ...unreadableBodies(body),
    ...(takesAny ? [] : undeclared),
  ];
}

/** Without a member, a form has no bytes: to most servers no body and an empty form are one. */
function emptyIsAccepted(body: DraftBody): Accepted {
  const mayBeEmpty = formOf(body) === 'form' && body.schema?.accepts({}, 'request');
  return mayBeEmpty === true ? 'fine' : 'error';
}

/** An empty body under a media type that has no empty text: JSON and XML (RFC 8259, section 2). */
function emptyBodies(body: DraftBody): BrokenBody[] {
  const form = formOf(body);
  if (form !== 'json' && form !== 'xml') return [];
  const { mediaType = body.mediaType } = writeBody(bodyOf(body, body.value));
  return [unreadable('the body is empty', textBody(mediaType, ''), 'error')];
}

/** Bodies under a declared media type with other content. */
function unreadableBodies(body: DraftBody): BrokenBody[] {
  const { bytes, mediaType = body.mediaType } = writeBody(bodyOf(body, body.value));
  const half = bytes.slice(0, Math.max(1, Math.ceil(bytes.length / 2)));
  switch (formOf(body)) {
    case 'json':
      return [
        unreadable('the body is not JSON', textBody(mediaType, 'not JSON'), 'error'),
        unreadable('the body breaks off in the middle', bytesBody(mediaType, half), 'error'),
        unreadable(
          'the body holds bytes that are not UTF-8',
          bytesBody(mediaType, invalidUtf8),
          'fine',
        ),
      ];
    case 'form':
      return [
        {
          title: 'the body holds a percent sign without two digits',
          body: textBody(mediaType, '%zz=%zz'),
          accepted: 'fine',
        },
      ];
    case 'multipart':
      return [
        unreadable('the body breaks off in the middle', bytesBody(mediaType, half), 'warning'),
        {
          title: 'the body names no boundary',
          body: bytesBody('multipart/form-data', bytes),
          accepted: 'warning',
        },
      ];
    case 'xml':
      return [unreadable('the body is not XML', textBody(mediaType, 'not XML'), 'error')];
    case 'json-lines':
    case 'json-sequence':
      return [unreadable('the body is not JSON', textBody(mediaType, 'not JSON\n'), 'warning')];
    case 'text':
    case 'csv':
    case 'events':
    case 'binary':
      return [];
  }
}

function unreadable(title: string, body: BodyTemplate, accepted: Accepted): BrokenBody {
  return { unreadable: true, title, body, accepted };
}

function textBody(mediaType: string, text: string): BodyTemplate {
  return bytesBody(mediaType, new TextEncoder().encode(text));
}

function bytesBody(mediaType: string, bytes: Uint8Array): BodyTemplate {
  return { kind: 'bytes', mediaType, bytes };
}

const invalidUtf8 = Uint8Array.from([
  ...new TextEncoder().encode('{"'),
  0xff,
  0xfe,
  ...new TextEncoder().encode('":1}'),
]);

/**
 * Bodies of another type. Many servers accept a file under any name, and read what they can, unless
 * the contract says that they refuse it (`documents415`).
 */
function mislabelledBodies(body: DraftBody, documents415: boolean): BrokenBody[] {
  const isFile = formOf(body) === 'binary' || formOf(body) === 'text';
  return [
    {
      title: 'the body is XML',
      body: textBody('application/xml', '<value/>'),
      accepted: isFile && !documents415 ? 'warning' : 'error',
    },
    ...relabelledBodies(body, documents415),
  ];
}

/** The plain body under another media type that names no such content, or less of it. */
function relabelledBodies(body: DraftBody, documents415: boolean): BrokenBody[] {
  const { essence = '' } = parseMediaType(body.mediaType) ?? {};
  return [
    {
      title: 'the body is labelled text/plain',
      body: labelledBody(body, 'text/plain'),
      accepted: documents415 ? 'error' : 'warning',
    },
    // `application/merge-patch+json` says how the JSON is applied, and plain JSON does not. Many
    // servers guess it, unless the contract says that they refuse other types.
    ...(documents415 && essence.endsWith('+json')
      ? [
          {
            title: 'the body is labelled application/json',
            body: labelledBody(body, 'application/json'),
            accepted: 'error' as const,
          },
        ]
      : []),
  ];
}

/** The plain body, with what is filled in when it is sent, under another media type. */
function labelledBody(body: DraftBody, label: string): BodyTemplate {
  const { media, mediaType, value } = body;
  const plain = bodyOf(body, value);
  if (plain.kind === 'bytes') return { ...plain, mediaType: label };
  const { fills, identifier, namedBy, period, codes } = plain;
  return {
    kind: 'content',
    media: { ...media, mediaType },
    value,
    label,
    ...defined({ fills, identifier, namedBy, period, codes }),
  };
}

/** What is wrong with the envelope around the fields of a body, which are as they should be. */
interface BrokenEnvelope {
  readonly labelled: LabelledValue;
  readonly altered: Alteration;
  /** The schema of the whole body. */
  readonly whole: Schema;
}

/** As many as an operation gets: its fields get many more. */
const most = 8;

/**
 * Bodies without a part of their envelope, or with something else in its place: `{}` for
 * `{ "data": … }`, a text for `attributes`. Invalid values of the fields cannot show them. Empty
 * without an envelope.
 */
export function brokenEnvelopes(body: DraftBody): BrokenEnvelope[] {
  const { envelope } = body.media;
  if (envelope === undefined || formOf(body) !== 'json') return [];
  const { whole } = envelope;
  const plain = closeBody(envelope, body.value);
  const isMeant = breaksEnvelope(envelope);
  return chooseValues(invalidCandidates(whole, 'request').filter(isMeant), most, (candidate) => {
    const labelled = candidate.judge();
    if (labelled === undefined) return undefined;
    const { at, value } = labelled;
    const altered = { at, ...defined({ part: valueAt(value, at) }) };
    const isBroken = brokenRules(whole, alter(plain, altered)).length > 0;
    return isBroken ? { labelled, altered, whole } : undefined;
  });
}

/** Whether a value breaks the envelope, and not what stands in it, which is tested as fields. */
function breaksEnvelope(envelope: Envelope): (candidate: CandidateValue) => boolean {
  const { around, record, groups, links } = partsOf(envelope);
  const parts = new Set([...around, record, ...groups, ...links]);
  const replaced = new Set([...around, ...groups].filter((at) => at !== record));
  const closed = new Set([...around, ...(groups.length === 0 ? [] : [record])]);
  return ({ at, value, valueClass }) => {
    switch (valueClass) {
      case 'missing-required':
        return parts.has(at);
      case 'null-given':
        return replaced.has(at);
      case 'wrong-type':
        // A list or a text might be read as an object; a number stands for all others.
        return replaced.has(at) && typeof valueAt(value, at) === 'number';
      case 'additional-property':
        return closed.has(joinPointer('', ...splitPointer(at).slice(0, -1)));
      default:
        return false;
    }
  };
}

/** The places of an envelope in a body. */
interface EnvelopeParts {
  /** What stands around the record, the body first. */
  readonly around: readonly Pointer[];
  readonly record: Pointer;
  /** The groups of its fields and of its references, and each reference. */
  readonly groups: readonly Pointer[];
  /** The linkage of each reference. */
  readonly links: readonly Pointer[];
}

function partsOf({ at, layout }: Envelope): EnvelopeParts {
  const tokens = splitPointer(at);
  const around = tokens.map((_, index) => joinPointer('', ...tokens.slice(0, index)));
  if (layout === undefined) return { around, record: at, groups: [], links: [] };
  const { group, relations } = layout;
  const member = relations && joinPointer(at, relations.member);
  const references = Object.keys(relations?.types ?? {}).map((name) =>
    joinPointer(member ?? at, name),
  );
  return {
    around,
    record: at,
    groups: [joinPointer(at, group), ...(member === undefined ? [] : [member]), ...references],
    links: references.map((reference) => joinPointer(reference, 'data')),
  };
}
