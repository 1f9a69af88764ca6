import { headerValue, isSuccess } from '../../../http/message.ts';
import { joinPointer, type Pointer, valueAt } from '../../../json/pointer.ts';
import { requestPhrase } from '../../model/step.ts';
import { isDocumented } from '../../reading/refusal.ts';
import type { CheckInput, Violation } from '../../model/knowledge.ts';
import { check } from '../check.ts';

/**
 * `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) are well-formed and agree with the contract; an
 * operation exists until its sunset.
 */
export const deprecationAnnounced = check({
  id: 'deprecation-announced',
  basis: 'advice',
  severity: 'warning',
  harm: 'form',
  rule:
    'A deprecated operation sends `Deprecation` and `Sunset` headers that are well-formed ' +
    'and agree with the contract, and it responds until its sunset.',
  reason: 'These headers are how clients learn in time that they have to migrate.',
  example: ['> GET /items', '< 200 OK', '< Deprecation: true   (a date is required: @1688169599)'],
  confirm: 'repeat',
  covers: ['status-documented', 'valid-accepted'],
  inspect(subject) {
    const {
      case: { intent },
      operation,
      exchange: { response },
    } = subject;
    if (response === undefined || intent.kind === 'method') return undefined;
    const deprecation = headerValue(response.headers, 'deprecation');
    const sunset = headerValue(response.headers, 'sunset');
    if (
      !operation.deprecated &&
      operation.sunset === undefined &&
      deprecation === undefined &&
      sunset === undefined
    )
      return undefined;
    return [
      ...readAnnouncement(subject, deprecation, sunset),
      ...silence(subject, deprecation, sunset),
      ...goneEarly(subject),
    ];
  },
});

const dayMs = 86_400_000;

function readAnnouncement(
  subject: CheckInput,
  deprecation: string | undefined,
  sunset: string | undefined,
): Violation[] {
  const since = deprecation === undefined ? undefined : readDeprecation(deprecation);
  const until = sunset === undefined ? undefined : readHttpDate(sunset);
  return [
    ...[
      {
        name: 'Deprecation',
        text: since === undefined ? deprecation : undefined,
        form: 'a date such as @1688169599 (RFC 9745)',
      },
      {
        name: 'Sunset',
        text: until === undefined ? sunset : undefined,
        form: 'an HTTP date such as Thu, 05 Dec 2030 00:00:00 GMT (RFC 8594)',
      },
    ].flatMap(({ text, ...field }) =>
      text === undefined ? [] : malformed(subject, { ...field, text }),
    ),
    ...(since !== undefined && until !== undefined && until < since
      ? [tooEarly(subject, deprecation ?? '', sunset ?? '')]
      : []),
    ...disagreements(subject, since, until),
    ...(!subject.operation.deprecated && deprecation !== undefined
      ? [unknownToContract(subject)]
      : []),
  ];
}

function malformed(
  { operation }: CheckInput,
  { name, text, form }: { readonly name: string; readonly text: string; readonly form: string },
): Violation {
  return {
    at: operation.pointer,
    message: `The header ${name} is ${JSON.stringify(text)}, which is not ${form}.`,
    expected: form,
    actual: text,
    cause: `${name} malformed`,
  };
}

function tooEarly({ operation }: CheckInput, deprecation: string, sunset: string): Violation {
  return {
    at: operation.pointer,
    message:
      `The header Sunset (${sunset}) names a moment before the one of ` +
      `Deprecation (${deprecation}).`,
    expected: 'a Sunset after the Deprecation',
    actual: `${sunset}, and ${deprecation}`,
    cause: 'order',
  };
}

/**
 * A day begins and ends at different moments in each time zone, so a difference of one day is
 * allowed.
 */
function disagreements(
  { contract, operation }: CheckInput,
  since: number | undefined,
  until: number | undefined,
): Violation[] {
  const differs = (day: string | undefined, moment: number | undefined): boolean =>
    day !== undefined &&
    moment !== undefined &&
    (moment < Date.parse(day) - dayMs || moment > Date.parse(day) + 2 * dayMs);
  const said = (
    name: string,
    keyword: string,
    [day, moment]: readonly [string | undefined, number | undefined],
  ): Violation[] => {
    if (day === undefined || moment === undefined || !differs(day, moment)) return [];
    const shown = new Date(moment).toISOString().slice(0, 10);
    return [
      {
        at: placeOf(contract.document, operation.pointer, keyword),
        message: `The header ${name} says ${shown}, and the contract says ${day}.`,
        expected: day,
        actual: shown,
        cause: `${name} differs`,
        blame: 'undecided',
      },
    ];
  };
  return [
    ...said('Sunset', 'x-sunset', [operation.sunset, until]),
    ...said('Deprecation', 'x-deprecated-at', [operation.deprecatedAt, since]),
  ];
}

function placeOf(
  document: CheckInput['contract']['document'],
  operation: Pointer,
  keyword: string,
): Pointer {
  const at = joinPointer(operation, keyword);
  return valueAt(document, at) === undefined ? operation : at;
}

function unknownToContract({ operation }: CheckInput): Violation {
  return {
    at: operation.pointer,
    message: 'The server announces that the operation is deprecated, but the contract does not.',
    expected: 'deprecated: true in the contract, or no header Deprecation',
    actual: 'the header Deprecation',
    cause: 'unknown to the contract',
    severity: 'note',
    blame: 'contract',
  };
}

/** These headers are optional. */
function silence(
  { contract, operation, exchange: { response } }: CheckInput,
  deprecation: string | undefined,
  sunset: string | undefined,
): Violation[] {
  if (!operation.deprecated || response === undefined || !isSuccess(response.status)) return [];
  // If the contract does not say since when an operation is deprecated, only its end can be
  // announced.
  const named = {
    Deprecation:
      deprecation === undefined && (sunset === undefined || operation.deprecatedAt !== undefined),
    Sunset: sunset === undefined && operation.sunset !== undefined,
  };
  const missing = Object.entries(named).flatMap(([name, lacks]) => (lacks ? [name] : []));
  if (missing.length === 0) return [];
  const names = missing.join(' and ');
  return [
    {
      at: placeOf(contract.document, operation.pointer, 'deprecated'),
      message: `The operation is deprecated, but its responses have no header ${names}.`,
      expected: `the header ${names}`,
      actual: 'no such header',
      cause: 'silence',
      severity: 'note',
    },
  ];
}

/**
 * An operation is only sent before its sunset, so one that is gone is gone too early. A missing
 * record is no proof.
 */
function goneEarly({
  case: testCase,
  contract,
  operation,
  exchange: { response },
}: CheckInput): Violation[] {
  const { intent, request } = testCase;
  if (
    intent.kind !== 'valid' ||
    intent.rigour !== 'plain' ||
    response === undefined ||
    operation.sunset === undefined
  )
    return [];
  const namesRecord = request.arguments.some(({ parameter }) => parameter.in === 'path');
  const gone =
    !namesRecord &&
    [404, 410].includes(response.status) &&
    !isDocumented(operation, response.status);
  if (!gone) return [];
  return [
    {
      at: placeOf(contract.document, operation.pointer, 'x-sunset'),
      message:
        `The server answered ${String(response.status)} to ` +
        `${requestPhrase(testCase)}; the contract keeps the operation until ` +
        `${operation.sunset}.`,
      expected: `a response until ${operation.sunset}`,
      actual: String(response.status),
      cause: 'gone',
      severity: 'error',
      basis: 'contract',
    },
  ];
}

const days = 'Mon|Tue|Wed|Thu|Fri|Sat|Sun';
const longDays = 'Mon|Tues|Wednes|Thurs|Fri|Satur|Sun';
const months = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec';
const time = String.raw`\d\d:\d\d:\d\d`;
const imfFixdate = new RegExp(String.raw`^(${days}), \d\d (${months}) \d{4} ${time} GMT$`);
const rfc850Date = new RegExp(String.raw`^(${longDays})day, \d\d-[A-Z][a-z]{2}-\d\d ${time} GMT$`);
const asctimeDate = new RegExp(String.raw`^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d ${time} \d{4}$`);

/**
 * The time of an HTTP-date, in milliseconds; undefined for other texts (RFC 9110, section 5.6.7).
 */
function readHttpDate(text: string): number | undefined {
  const isObsolete = rfc850Date.test(text) || asctimeDate.test(text);
  if (!imfFixdate.test(text) && !isObsolete) return undefined;
  const moment = Date.parse(isObsolete && !text.endsWith('GMT') ? `${text} GMT` : text);
  return Number.isNaN(moment) ? undefined : moment;
}

/**
 * The time of a `Deprecation` field, in milliseconds: a structured date such as `@1688169599` (RFC
 * 9745, section 2.1).
 */
function readDeprecation(text: string): number | undefined {
  const seconds = /^@(-?\d{1,12})$/.exec(text.trim())?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}
