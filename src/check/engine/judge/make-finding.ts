import type { Contract } from '../../../contract/model.ts';
import { decodeBase64Text, headerValue, type HttpRequest } from '../../../http/message.ts';
import { curlBody, curlField, shellQuote } from '../../../http/curl.ts';
import { joinPointer, type Pointer, splitPointer } from '../../../json/pointer.ts';
import type { JsonArray, JsonValue } from '../../../json/value.ts';
import { defined, isJsonArray, isJsonObject } from '../../../json/value.ts';
import type { Violation } from '../../model/knowledge.ts';
import { createdIdentifier } from '../../reading/created-record.ts';
import { withoutOthers } from '../../reading/without-others.ts';
import { hash, type Sequence } from '../../model/case.ts';
import type { Blame, Finding, ReplayForm, Severity } from '../../model/finding.ts';
import { nameOperation } from '../../model/finding.ts';
import { actionFor } from '../../reading/overlay-action.ts';
import { writeReplay } from './write-replay.ts';
import { redactAction, type Redactor } from '../../secrets/redact.ts';
import type { Secret } from '../../secrets/secrets.ts';
import { sessionOf } from '../../secrets/session.ts';
import { gatherKnowledge } from './gather-knowledge.ts';
import { type SuspicionGroup, timesSeen } from './group.ts';
import { withEvidence } from './evidence.ts';
import { showsAgain, type Suspicion } from './judge.ts';
import type { Exchange } from '../../model/exchange.ts';
import { roleOf, type Step } from '../../model/step.ts';

/** What is needed to write a finding. */
export interface FindingWriter {
  readonly contract: Contract;
  /** The mark of the run, if it wrote any. */
  readonly runId?: string;
  readonly redactor: Redactor;
  /** Secrets that a shell command reads from its environment. */
  readonly shellSecrets: readonly Secret[];
}

/** A confirmed group as a finding, fit for every output. Undefined if the suspicion was dropped. */
export function makeFinding(
  group: SuspicionGroup,
  confirmation: Confirmation,
  writer: FindingWriter,
): Finding | undefined {
  const last = confirmation.steps.at(-1);
  if (confirmation.severity === undefined || last === undefined) return undefined;
  const { contract, redactor, shellSecrets } = writer;
  const { suspicions } = group;
  const { check, violation: first } = suspicions[0];
  // The message of a whole group stays; otherwise it is that of the shown requests.
  const violation = group.violation === first ? confirmation.violation : group.violation;
  const blame = violation.blame ?? 'server';
  const { operation = last.case.operation } = violation;
  const { text } = redactor;
  const shown = asSent(last.exchange);
  const action = actionFor(contract, violation, { operation, response: shown.response });
  // When a service stops, any of the requests in flight may be the cause.
  const inFlight = last.exchange.serviceEnd?.others ?? [];
  const count = timesSeen(group);
  const identity = {
    check: check.id,
    at: violation.at,
    cause: violation.cause ?? '',
    blame,
    everywhere: group.everywhere === true,
  };
  return withEvidence({
    id: findingId(identity, contract.document),
    check: check.id,
    basis: violation.basis ?? check.basis,
    severity: confirmation.severity,
    blame,
    operation: nameOperation(operation),
    ...(violation.cause === undefined ? {} : { cause: text(violation.cause) }),
    message: text(violation.message),
    expected: text(violation.expected),
    actual: text(violation.actual),
    trying: text(last.case.title),
    pointer: violation.at,
    place: violation.stated?.place ?? contract.locate(violation.at),
    frame: violation.stated?.frame ?? contract.frame(violation.at),
    exchange: redactor.exchange(shown),
    control: confirmation.control && redactor.exchange(confirmation.control),
    curl: [
      ...toCommands(confirmation.steps, contract, shellSecrets),
      ...inFlight.map(({ exchange }) => toCurl(exchange, shellSecrets)),
    ].map(redactor.own),
    count,
    operations: [...new Set(suspicions.map(operationAtFault))],
    ...(group.storedBy === undefined ? {} : { storedBy: group.storedBy.map(({ id }) => id) }),
    confirmation: confirmation.evidence,
    ...defined({ overlayAction: redactAction(action, text) }),
    replay: replayOf(check, confirmation, writer),
  });
}

function operationAtFault({ steps, violation: { operation } }: Suspicion): string {
  return (operation ?? steps.at(-1)?.case.operation)?.id ?? '';
}

/** How often a rare response must not occur before the defect counts as fixed. */
const timesOfRare = 20;

function replayOf(
  check: SuspicionGroup['suspicions'][0]['check'],
  { violation, sequence, steps, repeated, severity }: Confirmation,
  { contract, runId = 'vouch', redactor }: FindingWriter,
): ReplayForm {
  const context = { contract, checks: [check], knowledge: gatherKnowledge(contract, steps, runId) };
  const alone =
    showsAgain({ check, violation, sequence }, withoutOthers(steps, runId), context) !== undefined;
  return writeReplay(
    {
      check: check.id,
      violation,
      sequence,
      alone,
      times: repeated || severity === 'note' ? 1 : timesOfRare,
      mark: runId,
      status: steps.at(-1)?.exchange.response?.status,
    },
    contract,
    redactor.own,
  );
}

/** The facts that identify a finding from run to run. */
interface Identity {
  readonly check: string;
  readonly at: Pointer;
  readonly cause: string;
  readonly blame: Blame;
  /** Whether it occurs at so many places that the first one is arbitrary. */
  readonly everywhere: boolean;
}

/**
 * The id of a finding: independent of the seed, the host, the order of the contract and unrelated
 * parts of it. Only a change of the affected part changes it.
 */
export function findingId(
  { check, at, cause, blame, everywhere }: Identity,
  document: JsonValue,
): string {
  const blamed = blame === 'server' ? '' : ` ${blame}`;
  return hash(
    `finding ${check} ${everywhere ? 'everywhere' : steadyPointer(at, document)} ${cause}${blamed}`,
  );
}

/**
 * A pointer in which an item of a list is identified by its content, so that it stays the same when
 * the list is reordered.
 */
export function steadyPointer(pointer: Pointer, document: JsonValue): Pointer {
  let value: JsonValue | undefined = document;
  let list = '';
  return joinPointer(
    '',
    ...splitPointer(pointer).map((token) => {
      const around = value;
      const name = isJsonArray(around) ? nameItem(around, Number(token), list) : token;
      // The keys of an array are its indexes.
      value =
        typeof around === 'object' && around !== null && Object.hasOwn(around, token)
          ? (around as { readonly [key: string]: JsonValue })[token]
          : undefined;
      list = token;
      return name;
    }),
  );
}

function nameItem(items: JsonArray, index: number, list: string): string {
  const named = wordOf(items[index], list);
  if (named !== undefined) return named;
  // An item without a name is numbered among equal ones: adding a reference before it changes
  // nothing.
  const before = items.slice(0, index).filter((item) => wordOf(item, list) === undefined).length;
  return `unnamed ${String(before)}`;
}

function wordOf(item: JsonValue | undefined, list: string): string | undefined {
  if (!isJsonObject(item))
    return item === undefined || isJsonArray(item) ? undefined : String(item);
  const { $ref, name, in: place, url } = item;
  if (typeof $ref === 'string') return $ref;
  if (typeof name === 'string') return typeof place === 'string' ? `${place} ${name}` : name;
  if (typeof url === 'string') return url;
  return list === 'security' ? Object.keys(item).sort().join(' and ') : undefined;
}
/** The result of reproducing a suspicion. */
export interface Confirmation {
  /** Undefined if it was not reproduced: it is dropped. */
  readonly severity: Severity | undefined;
  /**
   * The violation that the check reports for `steps`, which are the steps of the replay that
   * reproduced it, and their sequence.
   */
  readonly violation: Violation;
  readonly sequence: Sequence;
  readonly steps: readonly Step[];
  /** Whether a replay reproduced it. */
  readonly repeated: boolean;
  /**
   * How it was confirmed, as the sentence continues after `Seen 12 times`: ` in the run, and again
   * when it was replayed.`
   */
  readonly evidence: string;
  /** The control, if one was sent and succeeded. */
  readonly control?: Exchange | undefined;
}

/** The exchange with the status that was sent, whatever its answer means. */
function asSent(exchange: Exchange): Exchange {
  const { response } = exchange;
  if (response?.sentStatus === undefined) return exchange;
  const { sentStatus, ...rest } = response;
  return { ...exchange, response: { ...rest, status: sentStatus } };
}

/**
 * The shell commands that send the steps again, in order, to a server that has none of their
 * records: identifiers of created records are taken from the responses and used by later commands,
 * also those of parent records.
 */
export function toCommands(
  steps: readonly Step[],
  contract: Contract,
  secrets: readonly Secret[],
): string[] {
  const captured: CapturedIdentifier[] = [];
  return steps.map((step, index) => {
    const session = sessionOf(step.case, steps);
    const curl = toCurl(step.exchange, session ? [session.secret, ...secrets] : secrets);
    const command = usesCreated(step) ? replaceInUrl(curl, captured) : curl;
    const own = steps.slice(index + 1).some(usesCreated)
      ? captureFrom(step, contract, variableName(captured.length))
      : undefined;
    if (own === undefined) return command;
    captured.push(own);
    return withCapture(command, own);
  });
}

/** An identifier in a response, the shell variable for it, and the `sed` script that finds it. */
interface CapturedIdentifier {
  readonly variable: string;
  readonly identifier: string;
  readonly pattern: string;
}

/** `VOUCH_ID`, then `VOUCH_ID_2` and so on. */
function variableName(index: number): string {
  return index === 0 ? 'VOUCH_ID' : `VOUCH_ID_${String(index + 1)}`;
}

/** How to find the identifier in the response; undefined if a simple pattern does not find it. */
function captureFrom(
  step: Step,
  contract: Contract,
  variable: string,
): CapturedIdentifier | undefined {
  const role = roleOf(contract, step.case.operation);
  const { response } = step.exchange;
  if (role?.action !== 'create' || response === undefined) return undefined;
  const identifier: JsonValue | undefined = createdIdentifier(role.resource, step);
  const { field } = role.resource.identifier;
  if (identifier === undefined || !/^[\w-]+$/.test(String(identifier)) || !/^\w+$/.test(field))
    return undefined;
  const text = new TextDecoder().decode(response.body).replaceAll('\n', '');
  const found = new RegExp(`.*"${field}" *: *"?([^",} ]*).*`).exec(text)?.[1];
  return found === String(identifier)
    ? { variable, identifier: found, pattern: `s/.*"${field}" *: *"?([^",} ]*).*/\\1/` }
    : undefined;
}

/** The response is still printed, but without headers, which could match the pattern too. */
function withCapture(command: string, { variable, pattern }: CapturedIdentifier): string {
  const bodyOnly = command.replace(/ -i /, ' ');
  return `${variable}=$(${bodyOnly} | tee /dev/stderr | tr -d '\\n' | sed -E '${pattern}')`;
}

function usesCreated({ case: { request, phase } }: Step): boolean {
  return request.arguments.some(
    ({ parameter, source }) =>
      parameter.in === 'path' &&
      (source.kind === 'created' || (source.kind === 'link' && phase === 'workflow')),
  );
}

/** Replaces identifiers in the URL, which is the first word that begins with http, by variables. */
function replaceInUrl(command: string, captured: readonly CapturedIdentifier[]): string {
  const at = command.search(/['"]https?:\/\//);
  const quoteMark = command[at] ?? "'";
  const end = command.indexOf(quoteMark, at + 1);
  if (at === -1 || end === -1) return command;
  const [path = '', ...query] = command.slice(at + 1, end).split('?');
  const written = replaceSegments(path.split('/'), captured, quoteMark).join('/');
  const url = `${quoteMark}${[written, ...query].join('?')}${quoteMark}`.replace(/"''$/, '"');
  return `${command.slice(0, at)}${url}${command.slice(end + 1)}`;
}

/** The last created record is the last in the path: `/lists/LIST/items/ITEM`. */
function replaceSegments(
  segments: readonly string[],
  captured: readonly CapturedIdentifier[],
  quoteMark: string,
): string[] {
  const written = [...segments];
  for (const { identifier, variable } of captured.toReversed()) {
    const place = written.lastIndexOf(identifier);
    if (place !== -1) written[place] = quoteMark === '"' ? `$${variable}` : `'"$${variable}"'`;
  }
  return written;
}

/**
 * The POSIX shell command that sends the request of an exchange again. Secrets are written as
 * `$VOUCH_TOKEN`; a binary body is piped in. `-i` shows the status, `--path-as-is` keeps the path,
 * `--data-raw` reads no file.
 */
export function toCurl(
  { baseUrl, request, response }: Exchange,
  secrets: readonly Secret[],
): string {
  const isCoded =
    response !== undefined && headerValue(response.headers, 'content-encoding') !== undefined;
  const headers = request.headers
    .filter(([name]) => !isSetByCurl(name))
    .map((field) => headerOption(field, secrets));
  const body = curlBody(request, shellQuote);
  const words = [
    'curl',
    '-sS',
    '-i',
    '--path-as-is',
    ...(isCoded ? ['--compressed'] : []),
    ...methodOptions(request),
    quote(new URL(baseUrl).origin + request.target, secrets),
    ...headers,
    ...body.words,
  ];
  return `${body.pipe}${words.join(' ')}`;
}

function methodOptions(request: HttpRequest): string[] {
  if (request.method === 'GET') return request.body.length === 0 ? [] : ['-X GET'];
  return request.method === 'HEAD' ? ['-I'] : [`-X ${request.method}`];
}

function isSetByCurl(name: string): boolean {
  return [
    'user-agent',
    'vouch-run',
    'accept-encoding',
    'content-length',
    'host',
    'connection',
  ].includes(name.toLowerCase());
}

function headerOption(
  [name, value]: readonly [string, string],
  secrets: readonly Secret[],
): string {
  const isAuthorization = name.toLowerCase() === 'authorization';
  const basic = isAuthorization ? decodedCredential(value, /^basic (.+)$/i) : undefined;
  if (basic !== undefined) return `-u ${quote(basic, secrets)}`;
  const bearer = isAuthorization ? decodedCredential(value, /^bearer (.+)$/i) : undefined;
  if (bearer !== undefined && isSecretPair(bearer, secrets)) {
    // The environment only has the plain pair, so the shell has to encode it.
    const coded = `$(printf %s ${quote(bearer, secrets)} | base64 | tr -d '\\n')`;
    return `-H "${name}: Bearer ${coded}"`;
  }
  return `-H ${quote(curlField(name, value), secrets)}`;
}

function decodedCredential(value: string, scheme: RegExp): string | undefined {
  return decodeBase64Text(scheme.exec(value)?.[1] ?? '');
}

/** Whether a text is a basic credential: it is sent under another scheme in some cases. */
function isSecretPair(pair: string, secrets: readonly Secret[]): boolean {
  return secrets.some(({ value }) => pair === value || pair === `${value}:`);
}

/** In single quotes; in double quotes if the shell has to insert a secret. */
function quote(text: string, secrets: readonly Secret[]): string {
  const parts = splitAtSecrets(text, secrets);
  if (parts.every((part) => typeof part === 'string')) return shellQuote(text);
  const written = parts.map((part, index) =>
    typeof part === 'string'
      ? part.replaceAll(/[\\"$`]/g, '\\$&')
      : expansion(part, parts[index + 1]),
  );
  return `"${written.join('')}"`;
}

/** In braces if the next character could be part of the variable's name. */
function expansion({ shell }: Secret, next: string | Secret | undefined): string {
  const runsOn = typeof next === 'string' && /^\w/.test(next);
  return runsOn ? shell.replace(/^\$(\w+)$/, '${$1}') : shell;
}

function splitAtSecrets(text: string, secrets: readonly Secret[]): (string | Secret)[] {
  const known = secrets
    .filter(({ value }) => value !== '')
    .flatMap((secret) => [secret, { ...secret, value: encodeURIComponent(secret.value) }]);
  const longestFirst = known.sort((left, right) => right.value.length - left.value.length);
  return longestFirst.reduce<(string | Secret)[]>(
    (parts, secret) =>
      parts.flatMap((part) => (typeof part === 'string' ? splitAt(part, secret) : [part])),
    [text],
  );
}

function splitAt(text: string, secret: Secret): (string | Secret)[] {
  return text
    .split(secret.value)
    .flatMap((piece, index) => (index === 0 ? [piece] : [secret, piece]));
}
