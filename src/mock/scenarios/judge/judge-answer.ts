import type {
  HeaderSpec,
  Operation,
  ResponseSpec,
  Schema,
  SchemaIssue,
} from '../../../contract/model.ts';
import { decodeParameter } from '../../../contract/parameter/decode-parameter.ts';
import { headerForm } from '../../../contract/parameter/parameter-form.ts';
import { selectResponse } from '../../../contract/select-response.ts';
import { type HeaderList, headerValue } from '../../../http/message.ts';
import { joinPointer, type Pointer } from '../../../json/pointer.ts';
import type { JsonArray, JsonObject, JsonValue } from '../../../json/value.ts';
import { isJsonArray, isJsonObject } from '../../../json/value.ts';
import { suggestWord } from '../../../errors.ts';
import { plainValue } from '../../../values/plain-value.ts';
import { judgeContent as judgeValue } from '../../answer/generate-body.ts';
import { findExamples } from '../../answer/show-status.ts';
import { describeIssue } from '../../errors/describe-issue.ts';
import type {
  AnswerContent,
  AnswerPlan,
  OperationPlan,
  OperationPlans,
} from '../../model/request.ts';
import { fieldsOf } from '../../records/record-fields.ts';
import { applyPatch, documentedContent, isScripted } from '../play-answer.ts';
import { type Concerned, oneFault, type ScenarioFault, slipOf } from '../scenario-fault.ts';
import { headerPlaces, type ScenarioAnswer, type AnswerTemplates } from '../scenario.ts';
import type { OpenPlace } from '../templates/json-template.ts';
import type { Placeholder } from '../templates/read-template.ts';

/** The operations of an answer, and its location. */
export interface AnswerPlace {
  readonly concerned: Concerned;
  readonly plans: OperationPlans;
  readonly pointer: Pointer;
}

/** The hint for an answer that violates the contract intentionally. */
const meant = 'Say offContract: true if that is meant.';

/**
 * The violations of the contract in an answer, for every operation that can return it. Violations
 * are allowed with `offContract`.
 */
export function judgeAnswer(
  answer: ScenarioAnswer,
  { concerned, plans, pointer }: AnswerPlace,
): ScenarioFault[] {
  const { operations, named } = concerned;
  const judged = named || operations.length <= maxTried ? answer : withoutPatch(answer);
  return operations.flatMap((operation) => {
    const plan = plans.get(operation.id);
    return plan === undefined
      ? []
      : judgeFor(judged, plan, named).map((fault) => ({
          ...fault,
          pointer: pointer + fault.pointer,
        }));
  });
}

/**
 * A patch is tested on a generated value of at most this many answers; others are validated at run
 * time.
 */
const maxTried = 100;

function withoutPatch({ patch: _patch, ...rest }: ScenarioAnswer): ScenarioAnswer {
  return rest;
}

function judgeFor(answer: ScenarioAnswer, plan: OperationPlan, isNamed: boolean): ScenarioFault[] {
  const impossible = [
    ...(isNamed ? judgePlaceholders(answer.templates, plan.operation) : []),
    ...(answer.example === undefined ? [] : judgeExample(answer.example, answer, plan)),
    ...(answer.patch === undefined
      ? []
      : judgePatchForm(answer.patch, plan.answerPlan(plan.status))),
  ];
  if (answer.offContract || impossible.length > 0) return impossible;
  const isBare = isScripted(answer)
    ? false
    : answer.patch === undefined && answer.headers === undefined;
  return isBare
    ? []
    : judgeParts(answer, plan).map((fault) => ({
        ...fault,
        hint: fault.hint === undefined ? meant : `${fault.hint} ${meant}`,
      }));
}

/** A missing example cannot be shown, even with `offContract`. */
function judgeExample(
  name: string,
  { status }: ScenarioAnswer,
  plan: OperationPlan,
): ScenarioFault[] {
  const examples = findExamples(plan, status);
  if (examples.some((example) => example.name === name)) return [];
  const of =
    status === undefined ? plan.operation.id : `The ${String(status)} of ${plan.operation.id}`;
  return oneFault(
    '/example',
    `${of} has no example ${name}.`,
    suggestWord(name, [...new Set(examples.map((example) => example.name))]),
  );
}

function judgeParts(answer: ScenarioAnswer, plan: OperationPlan): ScenarioFault[] {
  const { operation } = plan;
  if (answer.status !== undefined && selectResponse(operation, answer.status) === undefined)
    return [{ pointer: '/status', message: undocumented(operation, answer.status) }];
  if (isStatusAlone(answer)) return [];
  const shown =
    answer.example === undefined
      ? undefined
      : findExamples(plan, answer.status).find(({ name }) => name === answer.example);
  const status = answer.status ?? shown?.status ?? plan.status;
  const documented = plan.answerPlan(status);
  const { response } = documented;
  if (response === undefined)
    return answer.pass === true ? [] : [{ pointer: '', message: undocumented(operation, status) }];
  const about: About = {
    name: `The ${String(status)} of ${operation.id}`,
    open: answer.templates?.open ?? [],
  };
  return [
    ...(answer.body === undefined
      ? []
      : judgeBody(answer.body, documented, about, answer.headers ?? [])),
    ...(shown === undefined ? [] : judgeShown(shown, { ...about, open: [] })),
    ...(answer.patch === undefined ? [] : judgePatch(answer.patch, documented, about)),
    ...judgeHeaders(answer.headers ?? [], response, about),
  ];
}

/** The answer in messages, and its places that only a request fills in. */
interface About {
  readonly name: string;
  readonly open: readonly OpenPlace[];
}

/** A status alone is completed from the contract; this check does not need the operation's plan. */
function isStatusAlone({ status, body, example, headers }: ScenarioAnswer): boolean {
  return (
    status !== undefined && body === undefined && example === undefined && headers === undefined
  );
}

function judgeShown(
  { content, value }: ReturnType<typeof findExamples>[number],
  about: About,
): ScenarioFault[] {
  return judgeIn(content, value, about).map((fault) => ({ ...fault, pointer: '/example' }));
}

function undocumented({ id, responses }: Operation, status: number): string {
  return (
    `${id} documents no ${String(status)}, only ` +
    `${responses.map((each) => each.status).join(', ') || 'nothing'}.`
  );
}

function judgeBody(
  body: JsonValue,
  documented: AnswerPlan,
  about: About,
  headers: HeaderList,
): ScenarioFault[] {
  const { status, contents, response } = documented;
  if (status === 204 || status === 205 || status === 304)
    return [{ pointer: '/body', message: `${about.name}: an answer of this status has no body.` }];
  if (contents.length === 0) return [];
  const type = headerValue(headers, 'content-type');
  const content = type === undefined ? contents[0] : documentedContent(documented, type);
  if (content === undefined)
    return [
      {
        pointer: '/headers',
        message:
          `${about.name}: the media type ${type ?? ''} is none of those that are ` +
          'documented: ' +
          `${(response?.content ?? []).map(({ mediaType }) => mediaType).join(', ')}.`,
      },
    ];
  return judgeIn(content, body, about);
}

function judgeIn(content: AnswerContent, body: JsonValue, about: About): ScenarioFault[] {
  const issues = judgeValue(body, content).filter((issue) => !isOpen(issue, '/body', about.open));
  const broken = issues.map((issue) => ({
    pointer: joinPointer('', 'body') + issue.at,
    message: `${about.name}: ${describeIssue(issue, body, { location: 'body', name: '' }).message}`,
  }));
  return broken.length > 0 || content.schema === undefined
    ? broken
    : judgeMembers(content.schema, body, '/body', about);
}

/**
 * The violations in header fields of an answer: an invalid value, or a name that is probably a
 * misspelling of a documented one.
 */
function judgeHeaders(headers: HeaderList, response: ResponseSpec, about: About): ScenarioFault[] {
  const names = response.headers.map(({ name }) => name);
  const places = headerPlaces(headers);
  return headers.flatMap(([name, value], index) => {
    const pointer = places[index] ?? '/headers';
    const spec = response.headers.find(
      (header) => header.name.toLowerCase() === name.toLowerCase(),
    );
    const nearest = spec === undefined ? slipOf(name, names) : undefined;
    if (nearest !== undefined)
      return {
        pointer,
        message: `${about.name} documents no header ${name}.`,
        hint: `Did you mean ${nearest}?`,
      };
    return spec === undefined || about.open.some(({ at }) => at === pointer)
      ? []
      : judgeHeaderValue(spec, value).map((message) => ({
          pointer,
          message: `${about.name}: the header ${spec.name} ${message}.`,
        }));
  });
}

function judgeHeaderValue(header: HeaderSpec, value: string): string[] {
  const { name, schema } = header;
  const reading = decodeParameter(headerForm(header), {
    path: new Map(),
    rawQuery: '',
    headers: [[name, value]],
  });
  if (reading.kind === 'absent') return [];
  if (reading.kind === 'unreadable') return [reading.message];
  return schema.validate(reading.value, 'response').map((issue) => issue.message);
}

/** Allowed members whose names are probably misspellings of declared ones. */
function judgeMembers(
  schema: Schema,
  value: JsonValue,
  pointer: Pointer,
  about: About,
): ScenarioFault[] {
  const { node, items: listed } = schema.flatten();
  if (node.oneOf !== undefined || node.anyOf !== undefined) return [];
  if (isJsonArray(value)) {
    const items = listed && schema.part(listed);
    return items === undefined
      ? []
      : value.flatMap((item, index) =>
          judgeMembers(items, item, joinPointer(pointer, index), about),
        );
  }
  if (!isJsonObject(value)) return [];
  const fields = fieldsOf(schema);
  return Object.entries(value).flatMap(([name, member]) => {
    const field = fields.get(name);
    const place = joinPointer(pointer, name);
    if (field !== undefined) return judgeMembers(field.schema, member, place, about);
    const nearest = slipOf(
      name,
      [...fields.keys()].filter((known) => !Object.hasOwn(value, known)),
    );
    return nearest === undefined
      ? []
      : {
          pointer: place,
          message: `${about.name}: the contract names no member ${name} there.`,
          hint: `Did you mean ${nearest}?`,
        };
  });
}

/**
 * Why a patch can never apply: the answer is not JSON, or its steps are invalid (RFC 6902, section
 * 4).
 */
function judgePatchForm(
  patch: JsonObject | JsonArray,
  { contents, status }: AnswerPlan,
): ScenarioFault[] {
  const [content] = contents;
  if (content !== undefined && content.form !== 'json')
    return oneFault(
      '/patch',
      `The ${String(status)} is ${content.mediaType}, which cannot be patched.`,
      'Write a body of your own.',
    );
  return isJsonArray(patch)
    ? patch.flatMap((step, index) => judgeStep(step, joinPointer('/patch', index)))
    : [];
}

const needed: Readonly<Record<string, readonly string[]>> = {
  add: ['path', 'value'],
  replace: ['path', 'value'],
  test: ['path', 'value'],
  remove: ['path'],
  move: ['path', 'from'],
  copy: ['path', 'from'],
};

function judgeStep(step: JsonValue, pointer: string): ScenarioFault[] {
  if (!isJsonObject(step))
    return oneFault(
      pointer,
      'A step of a patch must be an object.',
      'Write one such as { op: replace, path: /name, value: x }.',
    );
  const op = String(step['op']);
  const members = Object.hasOwn(needed, op) ? needed[op] : undefined;
  if (members === undefined)
    return oneFault(
      joinPointer(pointer, 'op'),
      `${op} is no step of a patch.`,
      suggestWord(op, Object.keys(needed)),
    );
  const missing = members
    .filter((name) => !Object.hasOwn(step, name))
    .map((name) => ({ pointer, message: `The step ${op} must have the member ${name}.` }));
  const path = step['path'];
  const isPointer = path === undefined || (typeof path === 'string' && /^(\/|$)/.test(path));
  return isPointer
    ? missing
    : [
        ...missing,
        {
          pointer: joinPointer(pointer, 'path'),
          message: 'The path of a step must be a JSON Pointer.',
          hint: `Begin with a slash: /${String(path)}`,
        },
      ];
}

/**
 * The violations of a patch: it is tested on the contract's examples and a generated value, and
 * must be valid for one of them. Actual answers are validated again.
 */
function judgePatch(
  patch: JsonObject | JsonArray,
  { contents }: AnswerPlan,
  about: About,
): ScenarioFault[] {
  const [content] = contents;
  if (content === undefined) return [];
  const { schema } = content;
  if (schema === undefined) return [];
  const made = plainValue(schema, { seed: 'patch', direction: 'response', required: 'all' });
  const values = [
    ...content.examples.map(({ value }) => value),
    ...(made.ok ? [made.value] : []),
  ].filter((value) => schema.validate(value, 'response').length === 0);
  const verdicts = values.map((value) => tryOn(value, patch, { schema, about }));
  return verdicts.some((faults) => faults.length === 0) ? [] : (verdicts[0] ?? []);
}

function tryOn(
  value: JsonValue,
  patch: JsonObject | JsonArray,
  { schema, about }: { readonly schema: Schema; readonly about: About },
): ScenarioFault[] {
  const patched = applyPatch(value, patch);
  // The steps may require records that no example contains; they are checked at run time.
  if (!patched.ok) return [];
  // Where the steps put a value is only known for a record.
  if (isJsonArray(patch) && about.open.some(({ at }) => at.startsWith('/patch/'))) return [];
  const issue = schema
    .validate(patched.value, 'response')
    .find((each) => !isOpen(each, '/patch', about.open));
  if (issue !== undefined)
    return [
      {
        pointer: isJsonArray(patch) ? '/patch' : `/patch${issue.at}`,
        message:
          `${about.name}, patched: ` +
          describeIssue(issue, patched.value, { location: 'body', name: '' }).message,
      },
    ];
  return isJsonArray(patch) ? [] : judgeMembers(schema, patch, '/patch', about);
}

/** The placeholders of an answer that no request of an operation has a value for. */
function judgePlaceholders(
  templates: AnswerTemplates | undefined,
  operation: Operation,
): ScenarioFault[] {
  return (templates?.open ?? []).flatMap(({ at, template }) =>
    template.flatMap((part) => {
      const fault = typeof part === 'string' ? undefined : judgeOne(part, operation);
      return fault === undefined ? [] : [{ pointer: at, ...fault }];
    }),
  );
}

function judgeOne(
  placeholder: Placeholder,
  { id, parameters, requestBody }: Operation,
): Omit<ScenarioFault, 'pointer'> | undefined {
  if (placeholder.kind !== 'request') return undefined;
  const { expression, text } = placeholder;
  const unreadable = `{${text}} cannot be read: ${id} `;
  if (expression.kind === 'body')
    return requestBody === undefined ? { message: `${unreadable}takes no body.` } : undefined;
  if (!('name' in expression)) return undefined;
  const { kind, name } = expression;
  const names = parameters.filter((each) => each.in === kind).map((each) => each.name);
  if (kind === 'path')
    return names.includes(name)
      ? undefined
      : { message: `${unreadable}has no path parameter ${name}.`, hint: suggestWord(name, names) };
  const near = slipOf(name, names);
  return near === undefined
    ? undefined
    : { message: `${unreadable}has no ${kind} ${name}.`, hint: `Did you mean ${near}?` };
}

/** Keywords that judge a whole value by what stands within it. */
const combining: ReadonlySet<string> = new Set(
  'oneOf anyOf not if contains uniqueItems dependentRequired discriminator'.split(' '),
);

/**
 * Whether a violation depends on a placeholder, so that only a request can tell. Of a text around a
 * placeholder it is known that it is a text.
 */
function isOpen(
  { at, keyword }: Pick<SchemaIssue, 'at' | 'keyword'>,
  below: Pointer,
  open: readonly OpenPlace[],
): boolean {
  const place = below + at;
  return open.some((each) => {
    if (each.at === place) return keyword !== 'type' || each.template.length === 1;
    if (place.startsWith(`${each.at}/`)) return true;
    return combining.has(keyword) && each.at.startsWith(`${place}/`);
  });
}
