import { isKeyParameter } from '../../../contract/protocols/chosen-name.ts';
import type { Contract, EffectReading, Operation, Parameter } from '../../../contract/model.ts';
import { calledAs } from '../../../contract/infer/object-references.ts';
import { addressedBy } from '../../../contract/infer/address-members.ts';
import { isRefusal, isSuccess } from '../../../http/message.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { joinPointer, type Pointer, splitPointer, valueAt } from '../../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { type Case, controlOf, hash, type Intent, mediaOf } from '../../model/case.ts';
import type { RequestTemplate } from '../../model/request-template.ts';
import { roleOf, type Step, hasSuccess } from '../../model/step.ts';
import { listedRecords } from '../../plan/listed-records.ts';
import { newName, uniqueText } from '../../plan/unique-text.ts';
import { createdIdentifier } from '../../reading/created-record.ts';
import { isReference, isWord } from '../../reading/identifiers.ts';
import { namedResource } from '../../reading/path-names.ts';
import { membersOf } from '../../../json/body-members.ts';
import { isNaming, NeighbourSearch, type Refusal, type ValueChange } from './neighbour-search.ts';
import { applyChanges, describeChange, type RequestChange } from '../../reading/request-changes.ts';
import type { SeenValues } from '../memory/seen-values.ts';

/** What a run has learned about one operation: how its planned requests must differ. */
interface Lesson {
  readonly planned: RequestTemplate;
  readonly changes: readonly RequestChange[];
}

/** A planned request that was refused, while another one was accepted. */
export interface Taught {
  /** The refused step; its case states what the service requires. */
  readonly step: Step;
}

export interface LearnOptions {
  readonly contract: Contract;
  readonly effects: ReadonlyMap<Operation, EffectReading>;
  readonly clock: () => Date;
  /** Values in responses, which later requests may use. */
  readonly seen: SeenValues;
  /** The mark of the run, for made-up names. */
  readonly runId: string;
}

/** The step of a case; undefined if it could not be sent. */
export type SendTry = (testCase: Case) => Promise<Step | undefined>;

/** Returns the changes to try after a refusal; undefined if none are left. */
type NextChanges = (refusal: Refusal) => RequestChange[] | undefined;

/** The maximum number of requests that are tried for one operation. */
const maxTries = 10;

/** Refusals that other values cannot avoid: of the credential, method, rate or format. */
const otherRefusals = new Set([401, 402, 403, 405, 406, 407, 408, 411, 413, 414, 415, 429, 431]);

/**
 * What a run learns from refusals. If the first plain request of an operation is refused, similar
 * ones are tried; an accepted change applies to all later requests of the operation. A value that a
 * request tests is never changed.
 */
export class Lessons {
  readonly #keys = new Map<Operation, Pointer[]>();
  /** The parameters of creates that are known to name the new record. */
  readonly #keyParameters = new Set<Parameter>();
  readonly #options: LearnOptions;
  readonly #lessons = new Map<Operation, Lesson>();
  readonly #opening = new Map<Operation, Promise<void>>();
  readonly #opened = new Set<Operation>();
  readonly #taught: Taught[] = [];
  readonly #wholes = new Map<Operation, JsonObject>();

  constructor(options: LearnOptions) {
    this.#options = options;
  }

  /** The planned requests that were refused, while the service accepted another one. */
  get taught(): readonly Taught[] {
    return this.#taught;
  }

  note(step: Step): void {
    const { request, intent } = step.case;
    // What is accepted in spite of a fault shows nothing of plain requests.
    if (request.identity !== undefined || intent.kind !== 'valid') return;
    if (!hasSuccess(step)) return;
    if (intent.rigour !== 'exotic') this.#opened.add(step.case.operation);
    this.#noteKeys(step);
  }

  /**
   * A word of a create's body or query that its answer shows as the identifier of the record is a
   * key.
   */
  #noteKeys({ case: testCase, sent, answer, exchange }: Step): void {
    const role = roleOf(this.#options.contract, testCase.operation);
    if (role?.action !== 'create') return;
    const identifier = createdIdentifier(role.resource, { answer, exchange, sent });
    for (const [parameter, value] of sent.arguments)
      if (parameter.in === 'query' && isWord(value) && value === identifier)
        this.#keyParameters.add(parameter);
    if (sent.body === undefined || !isJsonObject(sent.body)) return;
    for (const [name, value] of Object.entries(sent.body))
      if (name !== role.resource.identifier.field && isWord(value) && value === identifier)
        this.avoidKey(testCase, joinPointer('', name));
  }

  /**
   * Waits while the first plain request of the operation is in flight, so that its result is known.
   * For that first request itself, returns a function that ends the wait of the others.
   */
  async enter(testCase: Case): Promise<(() => void) | undefined> {
    const { operation } = testCase;
    if (this.#opened.has(operation)) return undefined;
    const opening = this.#opening.get(operation);
    if (opening !== undefined) {
      await opening;
      return undefined;
    }
    if (!isPlain(testCase)) return undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#opening.set(operation, promise);
    this.#lessons.set(operation, { planned: testCase.request, changes: this.#fromSeen(testCase) });
    return resolve;
  }

  /** The case to send, with what the run has learned about its operation. */
  adapt(planned: Case): Case {
    const testCase = this.#withNewName(planned);
    const lesson = this.#lessons.get(testCase.operation);
    if (lesson === undefined || lesson.changes.length === 0 || testCase.learned !== undefined)
      return testCase;
    const request = this.#apply(testCase.request, lesson);
    const adapted: Case = {
      ...testCase,
      request,
      intent: this.#isAgainst(testCase.request, lesson)
        ? asGuess(testCase.intent)
        : testCase.intent,
      learned: '',
    };
    if (testCase.control === undefined) return adapted;
    const control = (): RequestTemplate =>
      this.#apply(controlOf(testCase) ?? lesson.planned, lesson);
    return { ...adapted, control };
  }

  /** A create whose query names the new record gives it a name that no request had before. */
  #withNewName(testCase: Case): Case {
    const { operation, request } = testCase;
    const role = roleOf(this.#options.contract, operation);
    if (role?.action !== 'create' || request.arguments.length === 0) return testCase;
    const renamed = request.arguments.map((argument) => {
      const { parameter, source } = argument;
      const isKey = this.#keyParameters.has(parameter) || isKeyParameter(role.resource, parameter);
      // A value that the schema excludes is what the request tests.
      if (!isKey || source.kind !== 'value' || !parameter.schema.accepts(source.value, 'request'))
        return argument;
      const name = newName(parameter);
      return name === undefined ? argument : { parameter, source: name };
    });
    return renamed.some((argument, index) => argument !== request.arguments[index])
      ? { ...testCase, request: { ...request, arguments: renamed } }
      : testCase;
  }

  /**
   * Learns that a member of a create's body is a key: later requests of the operation have a name
   * of the run there. False if that is known already.
   */
  avoidKey({ operation, request }: Case, at: Pointer): boolean {
    const lesson = this.#lessons.get(operation) ?? { planned: request, changes: [] };
    if (lesson.changes.some((change) => change.at === at)) return false;
    const model = valueOf(lesson.planned, { at, to: { kind: 'dropped' } });
    if (typeof model !== 'string') return false;
    const changes = [...lesson.changes, { at, to: { kind: 'like', model } } as const];
    this.#lessons.set(operation, { ...lesson, changes });
    this.#keys.set(operation, [...this.keysOf(operation), at]);
    return true;
  }

  /** The members of a create's body that are known to name its record. */
  keysOf(operation: Operation): readonly Pointer[] {
    return this.#keys.get(operation) ?? [];
  }

  /** Whether a request tests a place where the service is known to require another value. */
  #isAgainst(template: RequestTemplate, { planned, changes }: Lesson): boolean {
    // What a JSON Patch needs says nothing about the fields of a merge patch.
    if (mediaTypeOf(template) !== mediaTypeOf(planned)) return false;
    return changes.some((change) => {
      const [before, expected] = [valueOf(template, change), valueOf(planned, change)];
      const isTested = this.#apply(template, { planned, changes: [change] }) === template;
      if (!isTested) return false;
      if (change.to.kind === 'dropped') return before !== undefined;
      return change.to.kind === 'like'
        ? before !== expected
        : !equalJson(before ?? null, change.to.value);
    });
  }

  /**
   * Searches for a request that the service accepts instead of a planned one, whose step is given.
   * Returns the accepted step; undefined if the planned request was accepted, or none was found.
   */
  async explore(testCase: Case, step: Step, send: SendTry): Promise<Step | undefined> {
    const lesson = this.#lessons.get(testCase.operation);
    if (lesson === undefined || !isPlain(testCase) || !mayBeTaught(step)) return undefined;
    const nextChanges = this.#searchFor(testCase, lesson);
    let refused = step;
    for (let tries = 0; tries < maxTries; tries += 1) {
      const changes = nextChanges?.(refusalOf(refused));
      if (changes === undefined) break;
      const next = await send(this.#variant(testCase, lesson, changes));
      if (next === undefined) continue;
      if (next.exchange.response === undefined) break;
      if (isSuccess(next.exchange.response.status)) {
        this.#keep(step, lesson, changes);
        return { ...next, case: { ...next.case, title: testCase.title, id: testCase.id } };
      }
      refused = next;
    }
    return undefined;
  }

  /** Whether a refused plain replacement may be accepted with what the record shows. */
  mayBeWhole(testCase: Case, step: Step): boolean {
    const role = roleOf(this.#options.contract, testCase.operation);
    const isOpen = role?.action === 'replace' && !this.#opened.has(testCase.operation);
    return isOpen && isPlain(testCase) && mayBeTaught(step);
  }

  /**
   * Sends a replacement with what the record shows in place of what was planned; later ones of the
   * operation are sent so too if the service accepts it.
   */
  async asWhole<Sent extends { readonly ok: boolean; readonly step?: Step }>(
    { operation, request: { body } }: Case,
    send: () => Promise<Sent>,
  ): Promise<Sent | undefined> {
    const value = body === undefined || body.kind === 'bytes' ? undefined : body.value;
    if (value === undefined || !isJsonObject(value)) return undefined;
    this.#wholes.set(operation, value);
    const outcome = await send();
    const isAccepted = outcome.step !== undefined && hasSuccess(outcome.step);
    if (!isAccepted) this.#wholes.delete(operation);
    return isAccepted ? outcome : undefined;
  }

  /** The planned body of a replacement that is sent with what its record shows. */
  wholeOf(operation: Operation): JsonObject | undefined {
    return this.#wholes.get(operation);
  }

  #apply(template: RequestTemplate, lesson: Lesson): RequestTemplate {
    const ownName = (): string => `${this.#options.runId}-${uniqueText({ digits: 6 })}`;
    return applyChanges(template, { ...lesson, ownName });
  }

  #variant(testCase: Case, { planned }: Lesson, changes: readonly RequestChange[]): Case {
    const request = this.#apply(testCase.request, { planned, changes });
    const what = changes.map(describeChange).join(', ');
    const title = `a request in which ${what}`;
    const id = hash(`${testCase.id} ${title}`);
    return { ...testCase, id, title, request, learned: '' };
  }

  #keep(step: Step, { planned }: Lesson, changes: readonly RequestChange[]): void {
    const { case: testCase } = step;
    const { operation, intent } = testCase;
    this.#lessons.set(operation, { planned, changes });
    const learned = changes.map(describeChange).join(' and ');
    const isShown = (mediaOf(testCase)?.examples.length ?? 0) > 0;
    const softened = isShown ? intent : asGuess(intent);
    this.#taught.push({ step: { ...step, case: { ...testCase, learned, intent: softened } } });
  }

  #searchFor({ operation }: Case, { planned, changes }: Lesson): NextChanges | undefined {
    const { body } = planned;
    const inBody = body !== undefined && body.kind !== 'bytes';
    const values = inBody ? body.value : argumentsOf(planned);
    if (!isJsonObject(values) && !Array.isArray(values)) return undefined;
    const place = (change: ValueChange): RequestChange[] => placed(change, inBody, operation);
    const search = new NeighbourSearch(
      {
        planned: values,
        schema: inBody ? mediaOf({ operation, request: planned })?.schema : undefined,
        seen: (name) => this.#options.seen.valuesAt(operation, name),
        listed: (name) => this.#options.seen.listedAt(operation, name),
        referred: (name, text) => [
          ...this.#referred(operation, name),
          ...this.#called(operation, name, text),
        ],
        write: (expected) => {
          const request = this.#apply(planned, { planned, changes: expected.flatMap(place) });
          const { body: changed } = request;
          if (!inBody) return argumentsOf(request);
          return changed === undefined || changed.kind === 'bytes' ? values : changed.value;
        },
        now: this.#options.clock(),
      },
      changes.flatMap(({ at, to }) => (typeof at === 'string' ? [{ at, to }] : [])),
    );
    return (refusal) => search.next(refusal)?.flatMap(place);
  }

  /**
   * Changes of a planned body before it is sent, from seen records: the targets of references, and
   * the format of technical names, such as host names.
   */
  #fromSeen({ operation, request: { body } }: Case): RequestChange[] {
    if (body === undefined || body.kind === 'bytes') return [];
    return membersOf(body.value).flatMap(({ at, name, value }): RequestChange[] => {
      if (typeof value === 'string' && isNaming(name) && !isReference(name)) {
        const model = technicalForm(value, this.#options.seen.valuesAt(operation, name));
        if (model !== undefined) return [{ at, to: { kind: 'like', model } }];
      }
      if (!this.#refers(operation, name) || isOwnIdentifier(at, body.identifier)) return [];
      // An address gets that of a record that exists, when the request is sent.
      if (addressedBy({ examples: [value] }, this.#options.contract.resources) !== undefined)
        return [];
      const [first] = this.#referred(operation, name).filter(
        (other) => typeof other === typeof value,
      );
      return first === undefined ? [] : [{ at, to: { kind: 'value', value: first } }];
    });
  }

  /**
   * The possible targets of a reference: an operation without a record gets no record of others.
   */
  #referred(operation: Operation, name: string): readonly JsonValue[] {
    if (!this.#refers(operation, name) || /^_?(id|uuid)$/i.test(name)) return [];
    const effect = this.#options.effects.get(operation)?.effect;
    return effect !== undefined && referring.has(effect)
      ? [...this.#shownBy(name), ...this.#options.seen.identifiersFor(name)]
      : [];
  }

  /**
   * The identifiers in the list whose records a member is called after, in the singular or plural:
   * tried only where the service refuses what stands there.
   */
  #called(operation: Operation, name: string, text?: string): readonly JsonValue[] {
    const { contract, effects } = this.#options;
    const effect = effects.get(operation)?.effect;
    const [named] = calledAs(name, contract.resources);
    const isOther = named !== undefined && named !== roleOf(contract, operation)?.resource;
    const { list } = named?.operations ?? {};
    return isOther && list !== undefined && effect !== undefined && referring.has(effect)
      ? this.#options.seen.listedAt(list, named.identifier.field, text)
      : [];
  }

  /** Whether a member of a body refers to another record than that of the operation. */
  #refers(operation: Operation, name: string): boolean {
    const { contract } = this.#options;
    // What a bulk create calls its records refers to none that exists.
    if (listedRecords(contract.inference.placementOf(operation))?.field === name) return false;
    if (isReference(name)) return true;
    const named = namedResource(contract, name);
    return named !== undefined && named !== roleOf(contract, operation)?.resource;
  }

  /** The identifiers in the list of the resource to which a name refers. */
  #shownBy(name: string): readonly JsonValue[] {
    const named = namedResource(this.#options.contract, name);
    if (named?.operations.list === undefined) return [];
    return this.#options.seen.listedAt(named.operations.list, named.identifier.field);
  }
}

/** What an operation does whose request may name records of others. */
const referring: ReadonlySet<string> = new Set([
  'reads',
  'creates one',
  'changes one',
  'acts on one',
]);

/** Whether a case is the plain request of its operation, without any other test. */
export function isPlain({ intent, control, request }: Case): boolean {
  return (
    intent.kind === 'valid' &&
    intent.rigour !== 'exotic' &&
    control === undefined &&
    request.credential === 'given' &&
    request.method === undefined &&
    request.locatedBy === undefined
  );
}

/** The media type of a body as the contract names it. */
function mediaTypeOf({ body }: RequestTemplate): string | undefined {
  return body?.kind === 'content' ? body.media.mediaType : body?.mediaType;
}

/** The same intent for a request that the service may refuse, because it is a guess. */
function asGuess(intent: Intent): Intent {
  return intent.kind === 'valid' && intent.rigour === 'plain'
    ? { ...intent, rigour: 'invented' }
    : intent;
}

/** The value in a template that a change replaces. */
function valueOf(
  { body, arguments: given }: RequestTemplate,
  { at }: RequestChange,
): JsonValue | undefined {
  if (typeof at === 'string')
    return body === undefined || body.kind === 'bytes' ? undefined : valueAt(body.value, at);
  const source = given.find(({ parameter }) => parameter === at)?.source;
  return source?.kind === 'value' ? source.value : undefined;
}

function mayBeTaught({ exchange: { response }, case: { operation } }: Step): boolean {
  // Another value may be necessary for a service that fails instead of refusing.
  if (response === undefined) return false;
  if (!isRefusal(response.status) && response.status !== 500) return false;
  if (otherRefusals.has(response.status)) return false;
  // Another value does not make a missing record exist.
  return !((response.status === 404 || response.status === 410) && operation.path.includes('{'));
}

function refusalOf({ exchange: { response } }: Step): Refusal {
  const text = response === undefined ? '' : new TextDecoder().decode(response.body);
  // Quotes within the texts of JSON are escaped.
  const said = text.slice(0, longestRefusal).replaceAll('\\"', '"');
  return { status: response?.status ?? 0, text: said };
}

const longestRefusal = 4_000;

/**
 * The format of the names in a collection, if none is plain prose but the made-up one is:
 * `example.org.`, `images/team.png`.
 */
function technicalForm(made: string, seen: readonly JsonValue[]): string | undefined {
  const isTechnical = (text: JsonValue): boolean =>
    typeof text === 'string' && /^[^\s]*[a-z0-9][./:_-][^\s]*$/i.test(text);
  const [first] = seen;
  return /\s/.test(made) && typeof first === 'string' && seen.every(isTechnical)
    ? first
    : undefined;
}

function isOwnIdentifier(at: string, path: readonly string[] | undefined): boolean {
  return path !== undefined && at === joinPointer('', ...path);
}

/** The arguments with planned values, by the names of their parameters. */
function argumentsOf({ arguments: given }: RequestTemplate): JsonObject {
  return Object.fromEntries(
    given.flatMap(({ parameter, source }): [string, JsonValue][] =>
      source.kind === 'value' && parameter.in !== 'path' ? [[parameter.name, source.value]] : [],
    ),
  );
}

/** A change of values as a change of the request: of arguments only if a parameter accepts them. */
function placed(change: ValueChange, inBody: boolean, { parameters }: Operation): RequestChange[] {
  if (inBody) return [change];
  const [name = '', ...rest] = splitPointer(change.at);
  const parameter = parameters.find(
    (candidate) => candidate.in !== 'path' && candidate.name === name,
  );
  if (parameter === undefined || rest.length > 0 || !isTaken(parameter, change)) return [];
  return [{ at: parameter, to: change.to }];
}

function isTaken({ required, schema }: Parameter, { to }: ValueChange): boolean {
  if (to.kind === 'dropped') return !required;
  return to.kind !== 'value' || schema.accepts(to.value, 'request');
}
