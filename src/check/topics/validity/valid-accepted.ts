import { firstStateNamed } from '../../../contract/words/mentions.ts';
import { membersOf } from '../../../json/body-members.ts';
import { takesPassword } from '../../../contract/infer/infer-logins.ts';
import { documentsRefusal, type Operation } from '../../../contract/model.ts';
import { asksToWait, type HttpResponse, isRefusal } from '../../../http/message.ts';
import { isJsonObject } from '../../../json/value.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import { requestedFilters, requestedParameters } from '../../reading/list-query.ts';
import { type NamedPart, namedParts, quotedParts } from '../../reading/named-parts.ts';
import {
  type Answer,
  hasSuccess,
  requestPhrase,
  roleOf,
  showValue,
  statusWords,
} from '../../model/step.ts';
import { isLookup } from '../../reading/created-record.ts';
import { referencesIn } from '../../reading/known-identifiers.ts';
import { contradictsPath, mayBeMissing } from '../../reading/may-be-missing.ts';
import { shownRecord } from '../../reading/shown-records.ts';
import {
  documentsStatus,
  isNameTaken,
  documentsSuccess,
  isDocumented,
  isOwnOfHttp,
  refusesGuess,
} from '../../reading/refusal.ts';
import { planRandom } from './plan-random.ts';
import { planBodyBoundaries, planParameterBoundaries, planChangeBoundaries } from './boundary.ts';
import { describedParts } from '../../reading/accepted-parts.ts';
import { partsBesideControl, partsOf, textsOf } from '../../reading/request-parts.ts';
import { controlOf } from '../../model/case.ts';
import type { CheckInput, Violation } from '../../model/knowledge.ts';
import { isReference } from '../../reading/identifiers.ts';
import { isSecured } from '../../../contract/model/operation.ts';
import { check } from '../check.ts';
import type { ValidIntent } from './about-records.ts';
import {
  asksForOther,
  invents,
  isAboutRecord,
  isAmongItems,
  isTold,
  mayBeTaken,
  namesUnknown,
} from './about-records.ts';

/**
 * A valid request is not refused. Exotic values may be, with a status that the contract documents
 * for refusals.
 */
export const validAccepted = check({
  id: 'valid-accepted',
  basis: 'contract',
  harm: 'refuses',
  rule:
    'A valid request is not refused: the plain one, each enum value and bound, only the ' +
    'required fields, and all fields. A refusal that the contract documents counts where the ' +
    'same request without the tested value is accepted.',
  reason: 'A client that conforms to the contract and is refused cannot do anything about it.',
  example: ['> GET /items?limit=100   (maximum: 100)', '< 400 Bad Request'],
  confirm: 'control',
  traits: ['state', 'statuses'],
  sharedCause: ({ parameter, status }) =>
    parameter === undefined ? undefined : `${parameter} ${String(status)}`,
  plan: [
    { at: 'creates', each: planBodyBoundaries },
    { at: 'values', each: planParameterBoundaries },
    { at: 'refusals', each: planChangeBoundaries },
    { at: 'random', each: planRandom },
  ],
  needs: ['creators', 'latencies', 'records', 'accepted'],
  intents: ['valid'],
  covers: ['status-documented'],
  leavesOpen(subject, status) {
    const { operation, case: testCase } = subject;
    const { intent } = testCase;
    if (intent.kind !== 'valid') return false;
    if (isOfNothingDocumented(subject, status, intent)) return true;
    const isAbsent = status === 404 || status === 410;
    if (isAbsent && !documentsStatus(operation, 404) && mayBeMissing(subject)) return true;
    return (
      isNameTaken(subject) ||
      intent.rigour === 'invented' ||
      (intent.rigour === 'exotic' && !documentsRefusal(operation))
    );
  },
  inspect(subject) {
    const {
      case: { intent },
      operation,
      exchange: { response },
    } = subject;
    if (
      intent.kind !== 'valid' ||
      response === undefined ||
      !documentsSuccess(operation) ||
      asksToWait(response)
    )
      return undefined;
    if (isLookup(subject)) return undefined;
    return isRefusal(response.status) ? judgeRefusal(subject, response, intent) : [];
  },
});

/**
 * Whether a refusal is a note here, and the operation documents no refusal of anything: generators
 * leave them all out.
 */
function isOfNothingDocumented(subject: CheckInput, status: number, intent: ValidIntent): boolean {
  const { response } = subject.exchange;
  const isOfInput = status === 400 || status === 422;
  if (response === undefined || !isOfInput || documentsRefusal(subject.operation)) return false;
  const judged = judgeRefusal(subject, response, intent);
  return judged?.every(({ severity }) => severity === 'note') === true;
}

/** The meaning of a refusal of a valid request; undefined if it has another reason. */
function judgeRefusal(
  subject: CheckInput,
  response: HttpResponse,
  intent: ValidIntent,
): Violation[] | undefined {
  const { case: tried, operation } = subject;
  const { status } = response;
  const mayBe = mayRefuse(operation, response);
  if (tried.learned !== undefined && tried.learned !== '' && intent.rigour !== 'plain' && mayBe)
    return [taught(subject, status, tried.learned)];
  if (
    isAboutCredential(subject, status) ||
    isAboutRecord(subject, status) ||
    namesUnknown(subject, status) ||
    invents(subject, intent) ||
    isNameTaken(subject) ||
    mayBeTaken(subject, status) ||
    cannotBeShown(subject) ||
    isBeyondPages(subject)
  )
    return undefined;
  const missing = emptyAsMissing(subject, status);
  if (missing !== undefined) return [{ ...refused(subject, status), ...missing }];
  // What nobody knows, such as a token that a service gives out, is no valid request.
  if (intent.rigour === 'invented' && isNeverAccepted(subject)) return [shut(subject, status)];
  const isOpen = isUnclear(subject, intent) || !hasSeenSuccess(subject, status);
  if (!mayBe || !isOpen) return [refused(subject, status)];
  return [isNeverAccepted(subject) ? shut(subject, status) : expected(subject, status)];
}

/**
 * Whether the same request with other values was accepted, so that only the tested one can be the
 * reason. Without that, a documented refusal is the service's business: a login, a coupon, a state.
 * A refusal that names another part is about how the two fit, and one of a part that no accepted
 * request had beside the others is about what the contract says of it in words.
 */
function hasSeenSuccess(subject: CheckInput, status: number): boolean {
  const { operation, case: tried, knowledge } = subject;
  if (!isDocumented(operation, status) && documentsRefusal(operation)) return true;
  const tested = partsBesideControl(tried) ?? partsUnlearned(tried);
  if (tested === undefined) return isLost(subject, status);
  const described = describedParts(tried);
  const named = namedParts(subject);
  return (
    (tested.length < 2 || named.length > 0) &&
    !isAmongItems(tried, named) &&
    !isTransition(subject, tested) &&
    !isTold(subject, status, tested) &&
    !isUnknownName(subject, [...named, ...quotedParts(subject)]) &&
    named.every(
      ({ part }) =>
        tested.includes(part) && (!described.has(part) || knowledge.accepted.has(tried, part)),
    )
  );
}

/**
 * Whether a refusal names or quotes a place whose text differs from that of the control, where no
 * two texts were ever accepted: like a reference to a record, it takes what the service knows. One
 * that names nothing may be about a text beside the tested value by which a request asks: `{
 * property, direction }`.
 */
function isUnknownName(
  { contract, operation, case: tried, knowledge }: CheckInput,
  named: readonly NamedPart[],
): boolean {
  const control = controlOf(tried);
  const [own, usual] = [textsOf(tried), control && textsOf({ request: control })];
  const title = tried.title.replaceAll(/\[\d+\]/g, '');
  const beside = [...own.keys()].filter(
    (path) => usual?.has(path) === false && !title.startsWith(`${path} `),
  );
  const asks = named.length === 0 && contract.effects.get(operation)?.effect === 'reads';
  if (asks && beside.some((path) => !knowledge.accepted.takesTexts(operation, path))) return true;
  return named.some(({ path, isListed }) => {
    const text = own.get(path);
    const isOther = text !== undefined && text !== usual?.get(path);
    return isOther && !isListed && !knowledge.accepted.takesTexts(operation, path);
  });
}

/** Whether a change sets what no create sets: its value depends on the state of the record. */
function isTransition({ contract, operation }: CheckInput, tested: readonly string[]): boolean {
  const { resource, action } = roleOf(contract, operation) ?? {};
  if (action !== 'update' && action !== 'replace') return false;
  const schemas = resource?.operations.create?.requestBody?.content ?? [];
  const made = new Set(
    schemas.flatMap(({ schema }) => [...(schema?.flatten().properties.keys() ?? [])]),
  );
  return made.size > 0 && tested.some((part) => part !== '' && !made.has(part));
}

/** The parts of a request beside which the run found an accepted one. */
function partsUnlearned(tried: CheckInput['case']): string[] | undefined {
  const { learned = '' } = tried;
  return learned === '' ? undefined : [...partsOf(tried).keys()];
}

/**
 * Whether a request is refused as if the record that it names did not exist. A body may name others
 * in words that only the service knows, unless it was accepted for another record.
 */
function isLost(subject: CheckInput, status: number): boolean {
  const { contract, operation, sent } = subject;
  if (status !== 404 && status !== 410) return false;
  return sent.body === undefined
    ? operation.path.includes('{') || referencesIn(contract, operation, sent).length > 0
    : operation.path.includes('{') && !isNeverAccepted(subject);
}

/** Whether the run found no request that the operation accepts. */
function isNeverAccepted({ operation, knowledge }: CheckInput): boolean {
  return !knowledge.latencies.has(operation.id);
}

/** One note for an operation that refuses all that the run can make up, in the service's words. */
function shut(subject: CheckInput, status: number): Violation {
  const said = saidBy(subject.answer, subject.exchange.response);
  return openRule(
    subject,
    status,
    `The server refused every valid request, with ${statusWords(subject.exchange)}` +
      `${said === '' ? '' : `: ${showValue(said)}`}; the contract does not say what it takes.`,
  );
}

/** One note for an operation that refuses some valid requests. */
function expected(subject: CheckInput, status: number): Violation {
  const said = saidBy(subject.answer, subject.exchange.response);
  const because = reasonNamed(subject, namedParts(subject));
  const quoted = said === '' ? '' : ` (${showValue(said)})`;
  return {
    ...openRule(
      subject,
      status,
      `The server answered ${statusWords(subject.exchange)} to ` +
        `${requestPhrase(subject.case)}${because}${quoted}; ` +
        'the schemas of the contract allow that request.',
    ),
    blame: 'undecided',
    cause: 'not plain',
    impliedBy: wantsMore,
  };
}

/** The parts that a refusal names and the title of its request does not, as a clause. */
function reasonNamed({ case: { title } }: CheckInput, named: readonly NamedPart[]): string {
  const others = named.filter(({ path }) => !title.startsWith(`${path} `));
  return others.length === 0 ? '' : `, because of ${others.map(({ path }) => path).join(', ')}`;
}

/** What the service requires, but the contract does not say. */
function taught(subject: CheckInput, status: number, learned: string): Violation {
  return openRule(
    subject,
    status,
    `The server answered ${statusWords(subject.exchange)} to a plain request, and accepts one ` +
      `in which ${learned}; the contract does not say so.`,
  );
}

const wantsMore = 'wants more than the contract says';

/** Whatever an operation wants beyond its contract is one cause, and one note. */
function openRule({ operation }: CheckInput, status: number, message: string): Violation {
  return {
    at: operation.pointer,
    message,
    expected: 'a contract that says which values the operation takes',
    actual: String(status),
    severity: 'note',
    blame: 'contract',
    cause: wantsMore,
  };
}

/** What a refusal says to people: the longest text in its JSON, else its text. */
function saidBy(answer: Answer, response: HttpResponse | undefined): string {
  const value = jsonOf(answer);
  const texts = membersOf(value ?? null).flatMap((member) =>
    typeof member.value === 'string' ? [member.value] : [],
  );
  const [longest] = texts.toSorted((left, right) => right.length - left.length);
  if (longest !== undefined) return longest;
  if (typeof value === 'string') return value.trim();
  const isText = answer.mediaType?.startsWith('text/plain') === true;
  return isText ? new TextDecoder().decode(response?.body).trim() : '';
}

/** Whether a correct service may refuse the request: it is not plain, or wants what is not so. */
function isUnclear(subject: CheckInput, { rigour }: ValidIntent): boolean {
  return (
    rigour !== 'plain' ||
    contradictsPath(subject) ||
    asksForOther(subject) ||
    isTooLong(subject) ||
    isInTheWay(subject) ||
    refusesGuess(subject) ||
    isAboutState(subject)
  );
}

/**
 * A list without a match is empty, not missing: an undocumented 404 to a filtered list. A filter
 * that refers to another record may get 404. Two equal requests in a row prove it, because later
 * the list may have a match.
 */
function emptyAsMissing(
  subject: CheckInput,
  status: number,
): Pick<Violation, 'conclusive' | 'evidence'> | undefined {
  const { contract, operation, earlier } = subject;
  if (status !== 404 || isDocumented(operation, 404)) return undefined;
  const { resource, action } = roleOf(contract, operation) ?? {};
  const shape = resource?.list;
  if (action !== 'list' || shape === undefined) return undefined;
  const asked = requestedFilters(shape, subject);
  const isForeign = (name: string): boolean =>
    isReference(name) ||
    contract.resources.some((other) => other.name.toLowerCase().startsWith(name.toLowerCase()));
  if (asked.length === 0 || asked.some(({ filter }) => isForeign(filter.field))) return undefined;
  const isRepeated = earlier.some(
    (step) =>
      step.exchange.response?.status === 404 &&
      requestedParameters(step) === requestedParameters(subject),
  );
  return isRepeated
    ? { conclusive: true, evidence: ' twice in a row, while no record matched.' }
    : {};
}

/** Whether HTTP or the contract has such a refusal, or the contract documents none at all. */
function mayRefuse(operation: Operation, response: HttpResponse): boolean {
  return (
    isOwnOfHttp(response) ||
    isDocumented(operation, response.status) ||
    !documentsRefusal(operation)
  );
}

function refused(subject: CheckInput, status: number): Violation {
  const { case: testCase, operation } = subject;
  const successes = operation.responses
    .filter((response) => response.status.startsWith('2'))
    .map((response) => response.status);
  const parts = namedParts(subject);
  const [named, ...others] = new Set(parts.map(({ at }) => at));
  const tested = testCase.intent.kind === 'valid' ? testCase.intent.at : operation.pointer;
  return {
    // What the refusal names is one cause, whichever of its values were tested.
    at: named !== undefined && others.length === 0 ? named : tested,
    message:
      `The server answered ${statusWords(subject.exchange)} to ${requestPhrase(testCase)}` +
      `${reasonNamed(subject, parts)}; the contract allows that request.`,
    expected: successes.join(' or '),
    actual: String(status),
  };
}

/**
 * Whether other data on the server may be the cause, such as a record with the same address (RFC
 * 9110, section 15.5.10): the operation documents that status, and accepts the request at other
 * times, or acts on a record whose state may not allow it.
 */
function isInTheWay(subject: CheckInput): boolean {
  const { operation, exchange, knowledge } = subject;
  return (
    exchange.response?.status === 409 &&
    operation.responses.some(({ status }) => status === '409') &&
    (knowledge.latencies.has(operation.id) ||
      (operation.path.includes('{') && !isInFirstState(subject)))
  );
}

/**
 * Whether a record is in the state that the description of an operation names first, before the
 * request: `A draft becomes sent`, `Only sent invoices take payments`.
 */
function isInFirstState({ contract, operation, earlier }: CheckInput): boolean {
  const shown = earlier.findLast(({ case: tried, exchange }) => {
    const role = roleOf(contract, tried.operation);
    return role !== undefined && role.action !== 'list' && hasSuccess({ exchange });
  });
  const resource = shown && roleOf(contract, shown.case.operation)?.resource;
  const record = shown && resource && shownRecord(resource, shown.answer);
  if (record === undefined || resource === undefined) return false;
  return [...resource.record.flatten().properties].some(([name, place]) => {
    const states = resource.record.flatten(place).node.enum ?? [];
    const first = firstStateNamed(operation, states);
    return first !== undefined && record[name] === first;
  });
}

/**
 * Whether the state of the record may be the cause: an action on a record (`POST
 * /orders/{id}/cancel`) is refused with a documented status. No schema can say in which states a
 * record takes it; a description may. A 404 or 410 is about the existence of the record instead.
 */
function isAboutState(subject: CheckInput): boolean {
  const { contract, operation, case: testCase, exchange } = subject;
  const status = exchange.response?.status ?? 0;
  return (
    testCase.control === undefined &&
    ![404, 410].includes(status) &&
    !isInFirstState(subject) &&
    contract.effects.get(operation)?.effect === 'acts on one' &&
    documentsStatus(operation, status)
  );
}

/** The length of a request's target that every server should support (RFC 9110, section 4.1). */
const shortestLimit = 8_000;

/** Whether a target is longer than servers must support, even if the contract allows it. */
function isTooLong({ exchange: { request, response } }: CheckInput): boolean {
  return response?.status === 414 && request.target.length > shortestLimit;
}

/** Whether the caller is refused: without the right credential, or with a made-up password. */
function isAboutCredential({ operation }: CheckInput, status: number): boolean {
  return [401, 403].includes(status) && (isSecured(operation) || takesPassword(operation));
}

/** Whether a request asks for a page after the first: a service may refuse one that has nothing. */
function isBeyondPages({ contract, operation, sent }: CheckInput): boolean {
  const pages = roleOf(contract, operation)?.resource.list?.paging ?? [];
  return pages.some(({ kind, parameter, first }) => {
    const asked = kind === 'cursor' ? undefined : sent.arguments.get(parameter);
    return typeof asked === 'number' && asked > first;
  });
}

/**
 * A value that a request may have and no response may show, such as null or a word beyond an enum:
 * the contract contradicts itself, and a server that refuses it may be right.
 */
function cannotBeShown({ contract, operation, sent }: CheckInput): boolean {
  const record = roleOf(contract, operation)?.resource.record;
  if (record === undefined || !isJsonObject(sent.body)) return false;
  const { properties } = record.flatten();
  return Object.entries(sent.body).some(([name, value]) => {
    const shown = properties.get(name);
    const schema = shown && record.part(shown);
    return (
      schema !== undefined &&
      (value === null ||
        (typeof value === 'string' && schema.flatten().types.includes('string'))) &&
      schema.validate(value, 'response').length > 0 &&
      schema.flatten().node['writeOnly'] !== true
    );
  });
}
