import { planHead } from './read.ts';
import type { Operation, Resource } from '../../../contract/model.ts';
import { documents } from '../../../contract/select-response.ts';
import {
  asksToWait,
  headerValue,
  type HttpResponse,
  isRefusal,
  isSuccess,
} from '../../../http/message.ts';
import { decodePercent } from '../../../http/target.ts';
import { joinPointer, parentPointer } from '../../../json/pointer.ts';
import { type BaseParts, basePartsOf } from '../../model/base-url.ts';
import { isSafe, roleOf, showValue, type Step } from '../../model/step.ts';
import { creates } from '../../reading/created-record.ts';
import { shownRecord } from '../../reading/shown-records.ts';
import { readPath } from '../../reading/read-body.ts';
import type { Sequence } from '../../model/case.ts';
import type { CheckInput, Violation } from '../../model/knowledge.ts';
import { draftOf, type PlanContext } from '../../plan/plan-context.ts';
import { Story } from '../../plan/story.ts';
import { isSecured } from '../../../contract/model/operation.ts';
import { check } from '../check.ts';
import { securityPointer } from '../../reading/security-pointer.ts';

/** HTTP requirements beyond the contract: recommendations, and rules that few servers follow. */
export const httpSemantics = check({
  id: 'http-semantics',
  basis: 'advice',
  severity: 'warning',
  harm: 'form',
  rule:
    'HEAD returns the same status and headers as GET, a 401 has `WWW-Authenticate`, a 405 ' +
    'has `Allow`, a 429 has `Retry-After`, and a `Location` is on the same host and ' +
    'identifies the created record. A PUT gets 201 if it creates a record, and only then.',
  reason:
    'Caches, proxies and client libraries rely on HTTP, whether or not the contract ' +
    'repeats its rules.',
  example: ['> HEAD /items', '< 404 Not Found   (GET /items is 200 before and after it)'],
  traits: ['methods'],
  plan: [
    { at: 'values', all: planHead },
    { at: 'stories', resource: planRepeatedPuts },
  ],
  inspect(subject) {
    const { response } = subject.exchange;
    if (response === undefined) return undefined;
    const bracketed = headBetween(subject);
    const isAdvised = advised.includes(response.status);
    // Fast path: for almost every response there is nothing to check.
    const isPut = subject.operation.method === 'PUT' && subject.case.intent.kind === 'valid';
    if (bracketed === undefined && !isAdvised && !isPut && subject.case.intent.kind !== 'condition')
      return undefined;
    const violations = [
      ...(bracketed === undefined ? [] : compareHead(subject, ...bracketed)),
      ...missingFields(subject, response),
      ...strangeLocation(subject, response),
      ...lostLocation(subject, response),
      ...(isPut ? confusedCreation(subject, response) : []),
    ];
    return violations.length > 0 || bracketed !== undefined || isAdvised ? violations : undefined;
  },
});

/**
 * A PUT that made a record and did not get 201, or that replaced one and did: of an operation that
 * documents both (RFC 9110, section 9.3.4).
 */
function confusedCreation(subject: CheckInput, response: HttpResponse): Violation[] {
  const { operation, contract, case: testCase } = subject;
  const resource = contract.resources.find(({ namedCreate }) => namedCreate === operation);
  const old = statusesOfOld(operation);
  if (resource === undefined || old.length === 0) return [];
  const actual = String(response.status);
  const at = (status: string): string => joinPointer(operation.pointer, 'responses', status);
  const certain = { severity: 'error', basis: 'protocol', actual } as const;
  if (creates(resource, testCase) && [200, 204].includes(response.status))
    return [
      {
        ...certain,
        at: at('201'),
        message: `The server answered ${actual} to a PUT that created a record.`,
        expected: '201',
        cause: 'new',
      },
    ];
  if (response.status !== 201 || !namesExisting(subject)) return [];
  return [
    {
      ...certain,
      at: at(old[0] ?? '200'),
      message: 'The server answered 201 to a PUT that replaced a record.',
      expected: old.join(' or '),
      cause: 'old',
    },
  ];
}

/** The statuses of a PUT that replaces a record, where the contract has 201 for a new one too. */
function statusesOfOld(operation: Operation): string[] {
  const old = ['200', '204'].filter((status) => documents(operation, status));
  return documents(operation, '201') ? old : [];
}

/** Whether the last change of what a request names was a PUT of it, which succeeded. */
function namesExisting({ sent, operation, earlier }: CheckInput): boolean {
  const last = earlier.findLast(({ case: { operation: other } }) => !isSafe(other));
  const places = operation.parameters.filter((parameter) => parameter.in === 'path');
  return (
    last?.case.operation === operation &&
    isSuccess(last.exchange.response?.status ?? 0) &&
    places.every((place) => last.sent.arguments.get(place) === sent.arguments.get(place))
  );
}

/** A PUT that makes a record, sent twice: the second one finds the record there. */
function planRepeatedPuts(context: PlanContext, resource: Resource): Sequence[] {
  const put = draftOf(context, resource.namedCreate);
  if (put === undefined || statusesOfOld(put.operation).length === 0) return [];
  const story = new Story(context, `a second ${put.operation.id}`);
  const made = story.make(resource);
  const title = 'the request that made a record is sent again';
  story.step(put, { title, of: [made], body: story.bodyOf(made) });
  return made.operation === put.operation ? story.sequences() : [];
}

/** The statuses for which HTTP requires a header field. */
const advised: readonly number[] = [201, 204, 401, 405, 429];

/** The HEAD before this GET, and the GET before that. */
function headBetween({
  case: testCase,
  earlier,
}: CheckInput): readonly [before: HttpResponse, head: HttpResponse] | undefined {
  const head = earlier.at(-1);
  const before = isHead(head) ? earlier.at(-2) : undefined;
  if (before === undefined || testCase.request.method !== undefined) return undefined;
  const [first, second] = [before.exchange.response, head?.exchange.response];
  return first === undefined || second === undefined ? undefined : [first, second];
}

function isHead(step: Step | undefined): boolean {
  return step?.case.intent.kind === 'method' && step.case.intent.wanted === 'like GET';
}

/**
 * The HEAD is compared with what both GETs have in common, because the data may have changed (RFC
 * 9110, section 9.3.2).
 */
function compareHead(
  { operation, exchange: { response } }: CheckInput,
  before: HttpResponse,
  head: HttpResponse,
): Violation[] {
  if (
    response === undefined ||
    before.status !== response.status ||
    !isSuccess(response.status) ||
    asksToWait(head)
  )
    return [];
  if (head.status !== response.status) {
    // `no-server-error` reports a failure; a server without HEAD harms no client.
    const unsupported = isRefusal(head.status) || head.status === 501;
    if (head.status >= 500 && !unsupported) return [];
    const difference = otherHead(operation, 'the status', {
      got: String(head.status),
      expected: String(response.status),
    });
    return [unsupported ? { ...difference, severity: 'note', cause: 'no HEAD' } : difference];
  }
  return ['content-type', 'content-length'].flatMap((name) => {
    const [first, asked, last] = [before, head, response].map(({ headers }) =>
      headerValue(headers, name),
    );
    const same =
      asked === undefined ||
      first === undefined ||
      first !== last ||
      asked.toLowerCase() === first.toLowerCase();
    if (same) return [];
    const what = name === 'content-type' ? 'the Content-Type' : 'the Content-Length';
    return [otherHead(operation, what, { got: asked, expected: first })];
  });
}

function otherHead(
  { pointer, path }: Operation,
  what: string,
  { got, expected }: { readonly got: string; readonly expected: string },
): Violation {
  return {
    at: pointer,
    message: `HEAD ${path} returns ${what} ${got}; GET returns ${expected} before and after it.`,
    expected,
    actual: got,
    cause: `HEAD ${what}`,
  };
}

/**
 * Header fields that HTTP requires for a status: RFC 9110, sections 15.5.2 and 15.5.6; RFC 6585,
 * section 4. Many conforming services omit them.
 */
function missingFields({ contract, operation }: CheckInput, response: HttpResponse): Violation[] {
  const lacks = (name: string): boolean => headerValue(response.headers, name) === undefined;
  const note = (at: Violation['at'], name: string, what: string): Violation => ({
    at,
    message: `A ${String(response.status)} response has no header ${name}, ${what}.`,
    expected: `the header ${name}`,
    actual: 'no such header',
    cause: `${String(response.status)} without ${name}`,
    severity: 'note',
  });
  switch (response.status) {
    case 401:
      return lacks('www-authenticate')
        ? [
            note(
              isSecured(operation) ? securityPointer(contract, operation) : operation.pointer,
              'WWW-Authenticate',
              'which names the authentication scheme (RFC 9110, section 15.5.2)',
            ),
          ]
        : [];
    case 405:
      return lacks('allow')
        ? [
            note(
              parentPointer(operation.pointer),
              'Allow',
              'which lists the allowed methods (RFC 9110, section 15.5.6)',
            ),
          ]
        : [];
    case 429:
      return lacks('retry-after')
        ? [
            note(
              joinPointer(operation.pointer, 'responses'),
              'Retry-After',
              'which says when to retry (RFC 6585, section 4)',
            ),
          ]
        : [];
    default:
      return [];
  }
}

/** The `Location` of a create: a valid address on the same host (RFC 9110, section 10.2.2). */
function strangeLocation(subject: CheckInput, { status, headers }: HttpResponse): Violation[] {
  const { operation } = subject;
  const { baseUrl, request } = subject.exchange;
  const location = headerValue(headers, 'location');
  if (status !== 201 || location === undefined) return [];
  const base = basePartsOf(baseUrl);
  const path = pathBelow(base, request.target, location);
  if (path !== undefined)
    return [otherRecord(subject, { location, path, basePath: base.path })].flat();
  return [
    {
      at: joinPointer(operation.pointer, 'responses'),
      message:
        `The header Location of a 201 response is ${JSON.stringify(location)}, ` +
        `which is not an address on ${base.host}.`,
      expected: `an address on ${base.host}`,
      actual: location,
      cause: 'Location elsewhere',
      severity: 'note',
    },
  ];
}

/**
 * The path of an address on the same host as the request; undefined for other addresses. Most are a
 * path without a host.
 */
function pathBelow(
  { host, origin }: BaseParts,
  target: string,
  location: string,
): string | undefined {
  if (/^(\/[\w-]+)+$/.test(location)) return location;
  const address = URL.parse(location, origin + target);
  return address?.host === host ? address.pathname : undefined;
}

/**
 * A `Location` of a create that does not exist, although the record can be read at the path of the
 * contract (RFC 9110, section 10.2.2).
 */
function lostLocation(
  { case: { intent, request }, contract, earlier }: CheckInput,
  { status }: HttpResponse,
): Violation[] {
  if (intent.kind !== 'condition') return [];
  const create = earlier.find((step) => step.case.operation.id === request.locatedBy);
  const location = headerValue(create?.exchange.response?.headers ?? [], 'location');
  const isThere = earlier.some(
    ({ case: { operation }, exchange: { response } }) =>
      roleOf(contract, operation)?.action === 'read' && isSuccess(response?.status ?? 0),
  );
  if (
    create?.exchange.response?.status !== 201 ||
    location === undefined ||
    !isThere ||
    (status !== 404 && status !== 410)
  )
    return [];
  const { operation } = create.case;
  const declared = operation.responses
    .filter((response) => response.status.startsWith('2'))
    .flatMap(({ headers }) => headers)
    .find(({ name }) => name.toLowerCase() === 'location');
  return [
    {
      at: declared?.pointer ?? joinPointer(operation.pointer, 'responses'),
      message:
        `The header Location of a 201 response is ${JSON.stringify(location)}, and ` +
        `reading it returned ${String(status)}; the record can be read at the path ` +
        'in the contract.',
      expected: 'the address of the record',
      actual: `${String(status)} at ${location}`,
      cause: 'Location leads nowhere',
      ...(declared === undefined ? {} : { basis: 'inferred', severity: 'error' }),
    },
  ];
}

/** A `Location` as written, its path, and the base path of the contract. */
interface Located {
  readonly location: string;
  readonly path: string;
  readonly basePath: string;
}

/**
 * An address of the contract's read operation for such records, with another identifier than the
 * body. Any other address cannot be judged.
 */
function otherRecord(
  { contract, operation, answer }: CheckInput,
  { location, path, basePath }: Located,
): Violation | Violation[] {
  const role = roleOf(contract, operation);
  if (role?.action !== 'create' || !path.startsWith(`${basePath}/`)) return [];
  const { read } = role.resource.operations;
  const record = shownRecord(role.resource, answer);
  const { field, parameter = '' } = role.resource.identifier;
  const own = record?.[field];
  if (read === undefined || record === undefined || own === undefined || own === null) return [];
  const named = readPath(read.path, path.slice(basePath.length))?.get(parameter);
  if (named === undefined) return [];
  // An address may name the record by another unique field, such as its name.
  const decoded = decodePercent(named) ?? named;
  if (Object.values(record).some((value) => String(value) === decoded)) return [];
  return {
    at: joinPointer(operation.pointer, 'responses'),
    message:
      `The header Location of a 201 response is ${JSON.stringify(location)}, but ` +
      `the ${field} of the record that was created is ${showValue(own)}.`,
    expected: `the address of the record whose ${field} is ${showValue(own)}`,
    actual: location,
    cause: 'Location of another',
  };
}
