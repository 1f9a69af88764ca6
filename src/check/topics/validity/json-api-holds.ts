import { headerValue, type HttpRequest, isSuccess } from '../../../http/message.ts';
import { requestPhrase } from '../../model/step.ts';
import { isOfClient } from '../../reading/refusal.ts';
import type { Related, RelationFault, RelationFaults } from '../../reading/related.ts';
import { otherStatus } from '../../reading/related.ts';
import { check } from '../check.ts';
import { documentType } from '../../../contract/infer/document-type.ts';
import { closeBody } from '../../../contract/infer/open-envelopes.ts';
import { speaksJsonApi } from '../../../contract/infer/conventions/envelope-styles.ts';
import {
  documentsRefusal,
  type Operation,
  type Parameter,
  type Contract,
  type Schema,
} from '../../../contract/model.ts';
import { documents } from '../../../contract/select-response.ts';
import { ignoresUnknown } from '../../../contract/words/read-list.ts';
import { isJsonObject, memberOf, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { hash, type Case, makeSequence, type Sequence } from '../../model/case.ts';
import type { Argument, BodyTemplate, RequestTemplate } from '../../model/request-template.ts';
import { type Draft, type RecordKind, requestOf } from '../../plan/draft.ts';
import { bodyDraftOf, createStep, type DraftWithBody } from '../../plan/make-create.ts';
import { markedBody } from '../../plan/mark-body.ts';
import { draftCase, draftFor, type PlanContext } from '../../plan/plan-context.ts';
import { bodySchema } from '../../../contract/model/operation.ts';
import { parseMediaType, readJson } from '../../../http/media-type.ts';
import { setHeader, withJson } from '../../mutants/edit-service.ts';
import { mutantsOf, type Place } from '../../mutants/kind.ts';
import { withoutQuery } from '../../mutants/list-place.ts';
import type { Mutator } from '../../mutants/mutant.ts';

/** What the standard refuses, whether the contract documents that status or not. */
const refusals = {
  'media-refused': accepted('415 or 406 (JSON:API 1.1, section 5)'),
  'no-parameter': accepted('400 (JSON:API 1.1, section 6.3)'),
  'client-named': accepted('403 (JSON:API 1.1, section 8.1.3)'),
  conflicting: noConflict,
};

/** What JSON:API says that a service must refuse. */
export const jsonApiHolds = check({
  id: 'json-api-holds',
  basis: 'protocol',
  harm: 'types',
  rule:
    'A service of JSON:API refuses parameters of its media type, query parameters that it does ' +
    'not know, resource objects of another type or id than the endpoint, and ids of clients that ' +
    'it does not support (JSON:API 1.1, sections 5, 8 and 9).',
  reason:
    'A filter that is ignored returns every record, and an update under another id changes a ' +
    'record that nobody meant.',
  example: ['> GET /articles?filter[colour]=red', '< 200 OK   (JSON:API: 400)'],
  plan: [{ at: 'refusals', all: planJsonApi }],
  mutants: [() => jsonApiMutants],
  leavesOpen: ({ case: { intent } }) => intent.kind === 'relation' && intent.rule in refusals,
  relations: refusals,
});

/** A success where the standard has a refusal. */
function accepted(expected: string): (related: Related) => readonly RelationFault[] {
  return ({ subject, status }) =>
    isSuccess(status)
      ? [
          {
            message: `The server accepted (${String(status)}) ${requestPhrase(subject.case)}.`,
            expected,
            actual: String(status),
            momentary: true,
            // The record that was made may be in the way of a repetition.
            conclusive: true,
          },
        ]
      : [];
}

/** Another answer than 409 to a resource object of another type or id than the endpoint. */
function noConflict(related: Related): RelationFaults {
  const { status } = related;
  const expected = '409 (JSON:API 1.1, sections 8.1.4 and 8.2.3)';
  if (isSuccess(status)) return accepted(expected)(related);
  if (![400, 422].includes(status) || isOfClient(status)) return [];
  return { ...otherStatus(related, expected), cause: 'another status than 409' };
}

/** The media type of JSON:API with a parameter that it does not have. */
const withParameter = 'application/vnd.api+json; charset=utf-8';

/** What JSON:API has refused, each behind a request that is as it should be. */
function planJsonApi(context: PlanContext): Sequence[] {
  return [
    ...context.drafts.flatMap((draft) => listRefusals(context, draft)),
    ...context.contract.resources.flatMap((resource) => {
      const create = bodyDraftOf(context, resource.operations.create);
      const update = bodyDraftOf(context, draftFor(context, resource, 'update')?.operation);
      return [
        ...(create === undefined ? [] : createRefusals(context, create)),
        ...(create === undefined || update === undefined
          ? []
          : updateRefusals(context, create, update)),
      ];
    }),
  ];
}

interface Variant {
  readonly title: string;
  readonly rule: 'media-refused' | 'no-parameter' | 'conflicting' | 'client-named';
  readonly of: string;
  readonly record: RecordKind;
  readonly body?: BodyTemplate;
  readonly extra?: readonly Argument[];
  readonly more?: Partial<RequestTemplate>;
  /** The status of the refusal: a contract that does not document it may have none. */
  readonly status: string;
}

function variant(draft: Draft, asked: Variant): Case {
  const { title, rule, of, record, body, extra, more, status } = asked;
  const isDocumented = documents(draft.operation, status);
  const changes = { ...(body && { body }), ...(extra && { extra }) };
  return draftCase(draft, {
    title,
    request: { ...requestOf(draft, record, changes), ...more },
    relation: { rule, of: [of], ...(isDocumented ? {} : { doubtful: true as const }) },
  });
}

/** An Accept that has the media type only with a parameter, and a filter that is none. */
function listRefusals(context: PlanContext, draft: Draft): Sequence[] {
  const { operation, role } = draft;
  if (role?.action !== 'list' || !speaksJsonApi(operation)) return [];
  const title = 'a plain request for the list';
  const plain = draftCase(draft, { title, record: 'known' });
  const about = { of: title, record: 'known' } as const;
  const media = variant(draft, {
    ...about,
    title: `Accept is ${withParameter}`,
    status: '406',
    rule: 'media-refused',
    more: { headers: [['Accept', withParameter]] },
  });
  const unknown = unknownFilter(operation).filter(
    ({ parameter }) => !ignoresUnknown(context.contract, operation, parameter),
  );
  const filters = unknown.map((argument) =>
    variant(draft, {
      ...about,
      title: `${argument.parameter.name} is given, which no list has`,
      status: '400',
      rule: 'no-parameter',
      extra: [argument],
    }),
  );
  // Few services look at the parameters of Accept: it is tried where the contract says so.
  const refused = documents(operation, '406') ? [media] : [];
  return filters.length + refused.length === 0 ? [] : [makeSequence(plain, ...refused, ...filters)];
}

/** A filter of the family that the list has, under a name that it does not have. */
function unknownFilter({ parameters }: Operation): Argument[] {
  const known = parameters.find(
    ({ in: location, name }) => location === 'query' && /^filter\[\w+\]$/.test(name),
  );
  if (known === undefined) return [];
  const parameter: Parameter = { ...known, name: 'filter[vouchUnknown]' };
  return [{ parameter, source: { kind: 'text', text: '1' } }];
}

const of = 'a record is created, for what is to be refused beside it';

/** A create as another document: with other members in its resource object, or another label. */
function createRefusals(context: PlanContext, create: DraftWithBody): Sequence[] {
  const { operation } = create;
  const about = { of, record: 'known' } as const;
  const labelled = documentOf(context, create, 'another label');
  if (labelled === undefined || !speaksJsonApi(operation)) return [];
  const cases: Case[] = [
    variant(create, {
      ...about,
      title: `the body is labelled ${withParameter}`,
      status: '415',
      rule: 'media-refused',
      body: { ...labelled, mediaType: withParameter },
    }),
  ];
  // Where any text is a type by the contract, the plain request has a made-up one too.
  const { envelope } = create.body.media;
  const isTyped = envelope !== undefined && documentType(envelope.whole) !== undefined;
  const typed = documentOf(context, create, 'another type', { type: unknownType });
  if (typed !== undefined && isTyped && documentsRefusal(operation, ['409']))
    cases.push(
      variant(create, {
        ...about,
        title: 'the resource object has a type that no collection has',
        status: '409',
        rule: 'conflicting',
        body: typed,
      }),
    );
  const id = clientId(context, operation);
  const named = documentOf(context, create, 'an id of the client', { id });
  if (named !== undefined && refusesClientIds(create))
    cases.push(
      variant(create, {
        ...about,
        title: 'the resource object has an id of the client',
        status: '403',
        rule: 'client-named',
        body: named,
      }),
    );
  return cases.length === 0 ? [] : [makeSequence(createStep(context, create, of), ...cases)];
}

const unknownType = 'vouch-unknown';

function clientId({ runId }: PlanContext, { id }: Operation): string {
  const digits = hash(`${runId} ${id} of the client`);
  return `${runId}-${digits}`;
}

/** An update whose resource object has another id than the path. */
function updateRefusals(
  context: PlanContext,
  create: DraftWithBody,
  update: DraftWithBody,
): Sequence[] {
  const { operation } = update;
  if (!speaksJsonApi(operation) || !documentsRefusal(operation, ['409'])) return [];
  const made = 'a record is created, to be updated under another id';
  const before = 'a plain update of the record';
  const body = documentOf(context, update, 'another id', { id: clientId(context, operation) });
  if (body === undefined) return [];
  return [
    makeSequence(
      createStep(context, create, made),
      draftCase(update, { title: before, record: 'created' }),
      variant(update, {
        of: before,
        record: 'created',
        title: 'the resource object has an id of another record',
        status: '409',
        rule: 'conflicting',
        body,
      }),
    ),
  ];
}

/** The whole document of a plain request, with other members in its resource object. */
function documentOf(
  { runId }: PlanContext,
  { operation, body }: DraftWithBody,
  about: string,
  members: JsonObject = {},
): Extract<BodyTemplate, { kind: 'json' }> | undefined {
  const label = `${operation.id} with ${about}`;
  const marked = markedBody(body, body.value, { runId, label });
  const envelope = marked.kind === 'content' ? marked.media.envelope : undefined;
  if (marked.kind !== 'content' || envelope === undefined) return undefined;
  const value = closeBody(envelope, marked.value);
  const data: JsonValue | undefined = memberOf(value, 'data');
  if (!isJsonObject(value) || !isJsonObject(data)) return undefined;
  const whole = { ...value, data: { ...data, ...members } };
  return { kind: 'json', mediaType: marked.media.mediaType, value: whole };
}

/**
 * Whether a create says that it takes no id of the client: it documents 403, and no other operation
 * on its records does, which a lack of rights would forbid as well.
 */
function refusesClientIds({ operation, role }: Draft): boolean {
  const { read, update, delete: remove } = role?.resource.operations ?? {};
  const others = [read, update, remove].filter((one) => one !== undefined);
  const forbids = (one: Operation): boolean => documents(one, '403');
  return forbids(operation) && others.length > 0 && !others.some(forbids);
}

const mutant = mutantsOf('validation');
const mediaType = 'application/vnd.api+json';

/** The operations of JSON:API for an action on records that document a refusal. */
function speaking(
  { resources }: Contract,
  action: 'list' | 'create' | 'update',
  status: string,
): Place[] {
  const all = resources.map(({ operations }) => operations[action]);
  const isRecord = ({ path }: Operation): boolean => action !== 'update' || path.endsWith('}');
  return [...new Set(all.filter((operation) => operation !== undefined))]
    .filter(isRecord)
    .filter((operation) => speaksJsonApi(operation) && documents(operation, status))
    .map((operation) => ({ operation }));
}

/** The filters that an operation declares: a family of parameters. */
function filtersOf({ parameters }: Operation): string[] {
  return parameters.map(({ name }) => name).filter((name) => /^filter\[\w+\]$/.test(name));
}

/** The filters in a request that the operation does not declare. */
function unknownFilters({ target }: HttpRequest, operation: Operation): string[] {
  const query = new URLSearchParams(target.slice(target.indexOf('?') + 1));
  const known = operation.parameters.map(({ name }) => name);
  return [...query.keys()].filter((name) => name.startsWith('filter[') && !known.includes(name));
}

/** The only type that the resource object of a body may have. */
function typeIn(schema: Schema | undefined): string | undefined {
  const data = schema?.flatten().properties.get('data');
  const type = data && schema?.flatten(data).properties.get('type');
  const node = type && schema?.flatten(type).node;
  const only = node?.const ?? (node?.enum?.length === 1 ? node.enum[0] : undefined);
  return typeof only === 'string' ? only : undefined;
}

/** The request with other members in its resource object, where they differ from those it has. */
function withMembers(request: HttpRequest, members: JsonObject): HttpRequest | undefined {
  const body = readJson(request);
  const data = memberOf(body, 'data');
  if (!isJsonObject(body) || !isJsonObject(data)) return undefined;
  const isOther = Object.entries(members).some(
    ([name, value]) => typeof data[name] === 'string' && data[name] !== value,
  );
  return isOther ? withJson(request, { ...body, data: { ...data, ...members } }) : undefined;
}

interface TypePlace extends Place {
  readonly type: string;
}

/** Mutations of what JSON:API has refused. */
const jsonApiMutants: readonly Mutator[] = [
  mutant('takes-media-parameters', {
    rule: 'The media type of JSON:API is accepted with any parameters.',
    where: (contract) => speaking(contract, 'create', '415'),
    says: 'takes its media type with parameters',
    request: (request) => {
      const label = headerValue(request.headers, 'content-type') ?? '';
      return label !== mediaType && parseMediaType(label)?.essence === mediaType
        ? setHeader(request, 'Content-Type', mediaType)
        : undefined;
    },
  }),
  mutant('ignores-unknown-filter', {
    rule: 'A filter that the list does not have is ignored.',
    where: (contract) =>
      speaking(contract, 'list', '400').filter(({ operation }) => filtersOf(operation).length > 0),
    says: 'ignores a filter that it does not have',
    request: (request, { operation }) => withoutQuery(request, unknownFilters(request, operation)),
  }),
  mutant('takes-another-type', {
    rule: 'A resource object of another type is accepted as one of the endpoint.',
    where: (contract) =>
      speaking(contract, 'create', '409').flatMap(({ operation }): TypePlace[] => {
        const type = typeIn(bodySchema(operation));
        return type === undefined || !documentsRefusal(operation, ['409'])
          ? []
          : [{ operation, type }];
      }),
    says: 'takes resource objects of another type',
    request: (request, { type }) => withMembers(request, { type }),
  }),
  mutant('takes-another-id', {
    rule: 'An update takes a resource object with the id of another record.',
    where: (contract) => speaking(contract, 'update', '409'),
    says: 'takes a resource object with another id than the path',
    request: (request) => {
      const id = /([^/]+)$/.exec(request.target.replace(/\?.*$/, ''))?.[1];
      return id === undefined ? undefined : withMembers(request, { id: decodeURIComponent(id) });
    },
  }),
];
