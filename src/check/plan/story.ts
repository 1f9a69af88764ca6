import type { ForeignKey, Operation, Resource } from '../../contract/model.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { defined, isJsonObject, objectOf } from '../../json/value.ts';
import { joinPointer } from '../../json/pointer.ts';
import { movesOf, wayBetween } from '../../contract/words/read-moves.ts';
import {
  allowedStates,
  setsState,
  stateFieldOf,
  verbInto,
} from '../../contract/words/read-states.ts';
import type { Case, Intent, Sequence } from '../model/case.ts';
import { hash, makeCase, makeSequence } from '../model/case.ts';
import type { Argument, BodyTemplate, Fill, RequestTemplate } from '../model/request-template.ts';
import { type Draft, requestOf } from './draft.ts';
import { withRows } from './full-body.ts';
import { bodyDraftOf, type DraftWithBody, namingDraft } from './make-create.ts';
import { argumentsOf, type Made, nameOf } from './made.ts';
import { markedBody } from './mark-body.ts';
import { keysOf } from './references.ts';
import {
  draftOf,
  plainIntent,
  type PlanContext,
  type Relation,
  relationTo,
} from './plan-context.ts';

export { foundIn, nameOf, type Made } from './made.ts';
export { keysOf } from './references.ts';
export { relationTo } from './plan-context.ts';

/** What one step of a story sends and is compared with. */
export interface StoryStep {
  readonly title: string;
  /** The records that the path names. */
  readonly of?: readonly Made[];
  readonly intent?: Intent | undefined;
  /** In the place of an intent. */
  readonly relation?: Relation;
  readonly extra?: readonly Argument[];
  readonly value?: JsonValue;
  /** Members that another answer gives. */
  readonly fills?: readonly Fill[];
  /** Members that no mark changes, such as the moments of a period. */
  readonly fixed?: JsonObject;
  /** Set if a repetition must not move its period: other steps state the same moments. */
  readonly isStill?: true;
  /** A body that is sent as it is. */
  readonly body?: BodyTemplate | undefined;
  readonly more?: Partial<RequestTemplate>;
  /** In the place of the address of the contract. The step is left out if no answer showed it. */
  readonly address?: RequestTemplate['address'];
  readonly optional?: true;
}

/** What a story creates a record with; `of`: what it belongs to or refers to, not new ones. */
export interface MakeOptions extends Partial<
  Omit<StoryStep, 'intent' | 'value' | 'body' | 'more' | 'address' | 'optional'>
> {
  /** Members of the body that replace the planned ones. */
  readonly value?: JsonObject;
  readonly intent?: Intent;
}

/** How the records of a resource are created. */
interface Maker {
  readonly resource: Resource;
  readonly draft: DraftWithBody;
  readonly isNamed: boolean;
}

/** The deepest chain of records that a story creates for one. */
const deepest = 4;

/**
 * A sequence that shows how records relate to each other. Each record that it reads or changes is
 * one that it created.
 */
export class Story {
  readonly context: PlanContext;
  readonly #about: string;
  readonly #cases: Case[] = [];
  /** The records that it creates, in their order. */
  readonly made: Made[] = [];
  #isTold = true;

  /** `about` distinguishes its records from those of other stories: `the count roomCount`. */
  constructor(context: PlanContext, about: string) {
    this.context = context;
    this.#about = about;
  }

  /** The story as a sequence; none if the run cannot create what it is about. */
  sequences(): Sequence[] {
    return this.#isTold && this.#cases.length > 1 ? [makeSequence(...this.#cases)] : [];
  }

  /**
   * Creates the records that the path of a draft names, in the state that the operation wants, and
   * then sends cases of that draft to them. As they are if the run cannot create those records.
   */
  onNewParents(draft: Draft, cases: readonly Case[]): readonly Case[] {
    const parents = this.makeNamed(draft);
    if (parents.length === 0) return cases;
    for (const parent of parents) this.prepare(parent, draft.operation);
    if (!this.#isTold) return cases;
    const own = argumentsOf(draft, parents);
    const below = ({ request, ...rest }: Case): Case =>
      makeCase({
        ...rest,
        request: {
          ...request,
          arguments: [
            ...request.arguments.filter(
              ({ parameter }) => !own.some((other) => other.parameter === parameter),
            ),
            ...own,
          ],
        },
      });
    return [...this.#cases, ...cases.map(below)];
  }

  /** Creates the records that the path of a draft names. */
  makeNamed({ names }: Pick<Draft, 'names'>): Made[] {
    return names
      .filter(({ parent }) => parent === undefined)
      .map(({ resource }) => this.make(resource));
  }

  /** Creates a record, and before it those that it belongs to and refers to. */
  make(resource: Resource, options: MakeOptions = {}, depth = 0): Made {
    const maker = makerOf(this.context, resource);
    if (maker === undefined || depth > deepest) return this.#untold(resource);
    const { draft } = maker;
    const value = withMembers(wholeFor(this.context, maker), options.value);
    const belonging = parentsOf(maker).map((parent) => this.#one(parent, options, depth));
    for (const parent of belonging) this.prepare(parent, draft.operation);
    // What the run cannot make is one that a list shows, when the request is sent.
    const keys = openKeys(maker, value, options.of ?? []).filter(
      ({ resource: target }) =>
        isMakeable(this.context, target) ||
        (options.of ?? []).some((made) => made.resource.collection === target.collection) ||
        target.operations.list === undefined,
    );
    const named = keys.map(({ field, resource: target }) => ({
      field,
      made: this.#one(target, options, depth),
    }));
    const fills = named.map(({ field, made }): Fill => ({
      at: joinPointer('', field),
      source: nameOf(made),
    }));
    this.#link(maker.resource, [...belonging, ...named.map(({ made }) => made)]);
    const title = options.title ?? this.#newTitle(maker.resource);
    const made: Made = { title, resource: maker.resource, operation: draft.operation };
    this.step(draft, {
      ...options,
      title,
      of: belonging,
      value,
      fills: [...fills, ...(options.fills ?? [])],
      extra: [...(options.extra ?? []), ...(maker.isNamed ? this.#ownName(draft, title) : [])],
    });
    this.made.push(made);
    return made;
  }

  /** Adds a request to the story. */
  step(draft: Draft | undefined, step: StoryStep): void {
    if (draft === undefined) {
      this.#isTold = false;
      return;
    }
    const { title, of = [], extra = [], relation, address } = step;
    const { intent = relation === undefined ? plainIntent(draft) : relationTo(draft, relation) } =
      step;
    const request = requestOf(draft, 'own', {
      extra: [
        ...argumentsOf(draft, of).filter(({ parameter }) =>
          extra.every((other) => other.parameter !== parameter),
        ),
        ...extra,
      ],
      body: this.#bodyOf(draft, step),
    });
    this.#cases.push(
      makeCase({
        title,
        phase: 'sequence',
        operation: draft.operation,
        request: { ...request, ...step.more, ...defined({ address }) },
        intent,
        optional: address === undefined ? step.optional : true,
      }),
    );
  }

  /** Adds a request that is made elsewhere, and compares it with earlier steps. */
  add(testCase: Case, intent: Intent): void {
    this.#cases.push(makeCase({ ...testCase, intent }));
  }

  /** Reads a record by its path. */
  read(made: Made, title: string, step: Partial<StoryStep> = {}): void {
    this.step(readerOf(this.context, made.resource), { of: [made], ...step, title });
  }

  /**
   * Brings a record into a state by the operations that set it, such as `POST …/send`, which makes
   * it `sent`, or by an update. False if none does.
   */
  bring(made: Made, value: string, field?: string, depth = 0): boolean {
    const { context } = this;
    const way = depth > deepest ? undefined : wayTo(context, made.resource, value, field);
    if (way === undefined) return this.#update(made, value);
    const state = value === 'true' || value === 'false' ? `${field ?? ''} ${value}` : value;
    const title = `a plain ${way.operation.method} that makes ${made.title} ${state}`;
    if (this.#cases.some((step) => step.title === title)) return true;
    const before = allowedStates(way.operation, made.resource)?.values.filter(
      (other) => other !== value && wayTo(context, made.resource, other) !== undefined,
    );
    const [first] = before ?? [];
    if (first !== undefined && !this.bring(made, first, undefined, depth + 1)) return false;
    this.step(way, { title, of: [made] });
    return true;
  }

  /** Updates the field that holds the state of a record. False if no update takes that. */
  #update(made: Made, value: string): boolean {
    const field = stateFieldOf(made.resource.record, value);
    const update = (['update', 'replace'] as const)
      .map((action) => draftOn(this.context, made.resource, action))
      .find((draft) => draft?.body !== undefined);
    if (field === undefined || update?.body === undefined) return false;
    const { value: plain, schema } = update.body;
    const isSet = schema?.flatten().properties.has(field) === true;
    const verb = isSet ? undefined : schema && verbInto(schema, value);
    if (verb !== undefined && schema?.accepts(verb, 'request') === true) {
      const title = `an update that makes ${made.title} ${value}`;
      this.step(update, { title, of: [made], value: verb });
      return true;
    }
    const moves = movesOf(update.operation, made.resource);
    const sent = this.bodyOf(made);
    const given = sent?.kind === 'json' && isJsonObject(sent.value) ? sent.value[field] : undefined;
    // Where the document says how states follow each other, each one is set in turn.
    const states = (moves && wayBetween(moves, value, given)) ?? [value];
    const bodies = states.map((state) => ({
      ...objectOf(plain),
      [field]: state,
    }));
    if (!bodies.every((body) => schema?.accepts(body, 'request') === true)) return false;
    for (const body of bodies)
      this.step(update, {
        title: `an update that makes ${made.title} ${String(body[field])}`,
        of: [made],
        value: body,
      });
    return true;
  }

  /**
   * Brings a record into a state that an operation below it wants: `Only a sent invoice takes
   * payments`, where an operation of the contract sets it. A state that none sets is that of a new
   * record.
   */
  prepare(parent: Made, operation: Operation): void {
    const states = allowedStates(operation, parent.resource)?.values ?? [];
    const isLater = (state: string): boolean =>
      wayTo(this.context, parent.resource, state) !== undefined;
    const [state] = states.every(isLater) ? states : [];
    if (state !== undefined) this.bring(parent, state);
  }

  /** The body that a record was created with. */
  bodyOf({ title }: Made): BodyTemplate | undefined {
    return this.#cases.find((step) => step.title === title)?.request.body;
  }

  #bodyOf(draft: Draft, step: StoryStep): BodyTemplate | undefined {
    const { title, value, fills = [], body, fixed } = step;
    if (body !== undefined || draft.body === undefined) return body;
    const { runId } = this.context;
    const label = `${draft.operation.id} ${this.#about} ${title}`;
    const moved = markedBody(draft.body, value ?? draft.body.value, { runId, label });
    const marked =
      moved.kind !== 'bytes' && fixed !== undefined && isJsonObject(moved.value)
        ? { ...moved, value: { ...moved.value, ...fixed } }
        : moved;
    if (marked.kind === 'bytes') return marked;
    const { period, ...still } = marked;
    return {
      ...still,
      ...defined({ period: step.isStill === true ? undefined : period }),
      ...(fills.length > 0 ? { fills: [...(still.fills ?? []), ...fills] } : {}),
    };
  }

  /** Brings records together that a create names both, where another one does that. */
  #link(resource: Resource, named: readonly Made[]): void {
    for (const { draft, from, to, key } of linksAmong(this.context, resource, named)) {
      const title = `a plain POST that adds ${to.title} to ${from.title}`;
      if (this.#cases.some((step) => step.title === title)) continue;
      const fills = [{ at: joinPointer('', key.field), source: nameOf(to) }];
      this.step(draft, { title, of: [from], fills, optional: true });
    }
  }

  #one(resource: Resource, { of = [] }: MakeOptions, depth: number): Made {
    return (
      of.find((made) => made.resource.collection === resource.collection) ??
      this.make(resource, { of }, depth + 1)
    );
  }

  #untold(resource: Resource): Made {
    this.#isTold = false;
    const operation = this.context.contract.operations[0];
    if (operation === undefined) throw new Error('A contract without operations has no stories.');
    return { title: '', resource, operation };
  }

  #newTitle({ name }: Resource): string {
    const title = `a record of ${name} is created for ${this.#about}`;
    const count = this.#cases.filter((step) => step.title.startsWith(title)).length;
    return count === 0 ? title : `${title} (${String(count + 1)})`;
  }

  #ownName({ identifier }: Draft, title: string): Argument[] {
    const { runId } = this.context;
    const value = `${runId}-${hash(`${this.#about} ${title}`).slice(0, 6)}`;
    if (identifier?.schema.accepts(value, 'request') === true)
      return [{ parameter: identifier, source: { kind: 'value', value } }];
    this.#isTold = false;
    return [];
  }
}

/** The plain read of a resource, by any path that leads to its records. */
export function readerOf(context: PlanContext, resource: Resource): Draft | undefined {
  return draftOn(context, resource, 'read');
}

/** The draft for an action on a resource, by any path that leads to the same set of records. */
export function draftOn(
  context: PlanContext,
  resource: Resource,
  action: 'read' | 'replace' | 'update' | 'delete',
): Draft | undefined {
  return sameSet(context, resource)
    .map(({ operations }) => draftOf(context, operations[action]))
    .find((draft) => draft !== undefined);
}

/** The resources that show the same set of records, the resource itself first. */
export function sameSet({ contract }: PlanContext, resource: Resource): Resource[] {
  const others = contract.resources.filter(
    (other) => other !== resource && other.collection === resource.collection,
  );
  return [resource, ...others];
}

/** Whether the run can create records of a resource. */
export function isMakeable(context: PlanContext, resource: Resource): boolean {
  return makerOf(context, resource) !== undefined;
}

/** The draft of the operation that creates the records of a resource. */
export function creatorDraft(context: PlanContext, resource: Resource): DraftWithBody | undefined {
  return makerOf(context, resource)?.draft;
}

function makerOf(context: PlanContext, resource: Resource): Maker | undefined {
  if (resource.kind === 'singleton') return undefined;
  for (const one of sameSet(context, resource)) {
    const create = bodyDraftOf(context, one.operations.create);
    if (create !== undefined) return { resource: one, draft: create, isNamed: false };
    const named = namingDraft(context, one);
    if (named !== undefined) return { resource: one, draft: named, isNamed: true };
  }
  return undefined;
}

/** The resources that the path of a create names records of. */
function parentsOf({ draft, isNamed }: Maker): Resource[] {
  const own = isNamed ? draft.identifier : undefined;
  return draft.names
    .filter(({ parameter, parent }) => parameter !== own && parent === undefined)
    .map(({ resource }) => resource);
}

/** The references of a body that name a record which has to exist. */
function openKeys(
  { resource, draft }: Maker,
  value: JsonValue,
  given: readonly Made[],
): ForeignKey[] {
  return keysOf(resource, draft).filter(
    ({ field, resource: target }) =>
      (isJsonObject(value) && field in value) ||
      given.some((made) => made.resource.collection === target.collection),
  );
}

/** The operation that brings records of a resource into a state, or sets a flag of theirs. */
export function wayTo(
  context: PlanContext,
  resource: Resource,
  value: string,
  field?: string,
): Draft | undefined {
  const { collection, record } = resource;
  const { actions } = context.contract.inference;
  const action = actions.find(
    ({ resource: own, sets }) =>
      own.collection === collection &&
      (sets?.value === value || (String(sets?.value) === value && sets?.field === field)),
  );
  return (
    draftOf(context, action?.operation) ??
    context.drafts.find(
      ({ operation, names }) =>
        names.at(-1)?.resource.collection === collection && setsState(operation, record, value),
    )
  );
}

/**
 * Creates below one of some records that need nothing but to name another one of them, such as a
 * task that is assigned to a project.
 */
function linksAmong(
  context: PlanContext,
  of: Resource,
  named: readonly Made[],
): { readonly draft: Draft; readonly from: Made; readonly to: Made; readonly key: ForeignKey }[] {
  const within = (target: Resource | undefined): Made | undefined =>
    named.find(({ resource }) => resource.collection === target?.collection);
  return context.contract.resources.flatMap((resource) => {
    const draft = creatorDraft(context, resource);
    const from = within(resource.parents.at(-1)?.resource);
    const required = [...(draft?.body.schema?.flatten().required ?? [])].join();
    const key = draft && keysOf(resource, draft).find(({ field }) => field === required);
    const to = within(key?.resource);
    const isOwn = resource.collection === of.collection;
    return draft && from && key && to && !isOwn ? [{ draft, from, to, key }] : [];
  });
}

/** The body of a create: whole where operations move its records on. */
function wholeFor({ contract }: PlanContext, { resource, draft }: Maker): JsonValue {
  const isMoved = contract.inference.actions.some(
    ({ resource: own, sets }) => own.collection === resource.collection && sets !== undefined,
  );
  return isMoved ? withRows(draft.body) : draft.body.value;
}

/** A body that is no object has no members: it stays as planned. */
function withMembers(planned: JsonValue, members: JsonObject | undefined): JsonValue {
  return isJsonObject(planned) ? { ...planned, ...members } : planned;
}

/** The resources that the run can create, one for each set of records. */
export function eachMade(context: PlanContext): Resource[] {
  const seen = new Set<string>();
  return context.contract.resources.filter((resource) => {
    if (resource.operations.create === undefined && resource.namedCreate === undefined)
      return false;
    if (seen.has(resource.collection) || !isMakeable(context, resource)) return false;
    seen.add(resource.collection);
    return true;
  });
}
