import { plainName, alternatives, namePattern } from '../../contract/infer/infer-names.ts';
import type { FlatSchema, Schema } from '../../contract/model.ts';
import { numberListed } from '../../contract/words/listed-numbers.ts';
import type { JsonValue } from '../../json/value.ts';
import { nearestWord } from '../../errors.ts';
import type { ValueResult } from '../../values/plain-value.ts';
import type { FaultIssue } from '../model/reply.ts';
import type { SchemaField } from '../records/record-fields.ts';
import { isStatusObject } from './canonical-code.ts';
import { cutText } from './visible-text.ts';

/** The fields of one object: the meaning of a name can depend on its siblings. */
export type Siblings = readonly SchemaField[];

/** The value of an error field with a certain name and type. */
interface Role {
  readonly type: 'string' | 'number' | 'boolean' | 'array';
  /** For the normalised name: lower case, letters and digits only. */
  readonly names: RegExp;
  readonly value: (
    facts: ErrorFacts,
    field: FlatSchema,
    siblings: Siblings,
  ) => JsonValue | undefined;
}

const sentences = alternatives(
  'message msg detail details description text info explanation reason',
  '(error|user|developer|long|status)(message|msg|description|detail)',
);
const sentenceNames = namePattern(`^(${sentences})$`);

const fields = alternatives(
  'field fieldname property propertyname param parameter path propertypath name key',
  'attribute target loc location source',
);
const fieldNames = namePattern(`^(${fields})$`);
const numericStatusNames = /^(status|code|(http|error)?(status)?code|httpstatus)$/;

const roles: readonly Role[] = [
  { type: 'number', names: numericStatusNames, value: listedCode },
  { type: 'number', names: numericStatusNames, value: ({ status }) => status },
  { type: 'boolean', names: /^(success|successful|ok|valid)$/, value: () => false },
  { type: 'boolean', names: /^(error|iserror|failed|failure)$/, value: () => true },
  // Beside `code` and `message`, `status` is the name of a canonical code (Google AIP-193).
  {
    type: 'string',
    names: /^status$/,
    value: ({ canonical }, { node }, siblings) =>
      node.enum === undefined && isStatusObject(siblings) ? canonical : undefined,
  },
  // Beside a numeric field, `status` is a text.
  {
    type: 'string',
    names: /^(status|(http)?statuscode|httpstatus)$/,
    value: (facts, field, siblings) =>
      siblings.some(isNumericStatus) ? chooseCode(facts, field) : String(facts.status),
  },
  {
    type: 'string',
    names: /^(code|(error|err|reason)(code|key|type|id)|rule|keyword)$/,
    value: chooseCode,
  },
  // Where codes alone tell refusals apart, a text with a pattern is one.
  {
    type: 'string',
    names: /^(error|err|reason|fault|problem)$/,
    value: (facts, field) =>
      facts.isCoded && (field.node.pattern !== undefined || field.node.enum !== undefined)
        ? chooseCode(facts, field)
        : undefined,
  },
  {
    type: 'string',
    names: sentenceNames,
    value: ({ message }, { node }) => cutText(message, node.maxLength ?? Infinity),
  },
  // Beside a message, `error` is a code (RFC 6749, section 5.2), or the name of a status which is
  // beside it as a number; alone, it is the message.
  {
    type: 'string',
    names: /^(error|err)$/,
    value: (facts, field, siblings) => {
      if (facts.isCoded !== true && !siblings.some(isSentence)) return facts.message;
      const isNamed = facts.isCoded !== true && siblings.some(isNumericStatus);
      return isNamed && isOpenText(field) ? facts.title : chooseCode(facts, field);
    },
  },
  {
    type: 'string',
    names: /^(title|summary|statustext|reasonphrase|shortmessage|heading)$/,
    value: ({ title, message }, _field, siblings) => (siblings.some(isSentence) ? title : message),
  },
  // RFC 9457, section 4.2.1: a problem with no more information than its status has this type.
  {
    type: 'string',
    names: /^type$/,
    value: (facts, field) =>
      field.node.format?.startsWith('uri') === true ? 'about:blank' : chooseCode(facts, field),
  },
  // A JSON Pointer (RFC 9457, section 3; JSON:API 1.1, section 11.2).
  {
    type: 'string',
    names: /^pointer$/,
    value: ({ issue }, _field, siblings) =>
      issue === undefined || (issue.location === 'query' && has(siblings, 'parameter'))
        ? undefined
        : pointerOf(issue.name),
  },
  // Beside a pointer into the body, it is a parameter of the query (JSON:API 1.1, section 11.2).
  {
    type: 'string',
    names: /^parameter$/,
    value: ({ issue }, _field, siblings) =>
      issue?.location === 'query' && has(siblings, 'pointer')
        ? (issue.parameter ?? issue.name)
        : undefined,
  },
  {
    type: 'string',
    names: fieldNames,
    value: ({ issue }, { node }) =>
      issue && (node.format === 'json-pointer' ? pointerOf(issue.name) : issue.name),
  },
  // Without a list of them, an error has room for one (OData JSON Format 4.01, section 21.1).
  {
    type: 'string',
    names: /^(target|field|fieldname|property|parameter)$/,
    value: ({ issues: [issue, ...more] }) =>
      issue === undefined || issue.name === '' || more.length > 0 ? undefined : issue.name,
  },
  {
    type: 'string',
    names: /^(in|place|where|location|source)$/,
    value: ({ issue }) => issue?.location,
  },
  // The way to what is wrong: `["body", "price"]`, as FastAPI writes it.
  {
    type: 'array',
    names: /^(loc|location|path)$/,
    value: ({ issue }) => issue && [issue.location, ...segmentsOf(issue.name)],
  },
  {
    type: 'string',
    names: /^(instance|path|requestpath|requesturi|requesturl|uri|url|resource)$/,
    value: ({ instance }) => instance,
  },
  {
    type: 'string',
    names: /^(timestamp|time|date|datetime|occurredat|at|createdat)$/,
    value: ({ now }, { node }) =>
      node.format === 'date' ? now.toISOString().slice(0, 10) : now.toISOString(),
  },
];

/** The value of a field; undefined if its name or type has no known meaning. */
export function errorFieldValue(
  { normalised, flat }: SchemaField,
  facts: ErrorFacts,
  siblings: Siblings,
): JsonValue | undefined {
  for (const { names, type, value: valueOf } of roles) {
    if (!names.test(normalised) || !hasType(flat, type)) continue;
    const value = valueOf(facts, flat, siblings);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Whether a field contains the message, by its name. */
export function isSentence({ normalised, flat }: SchemaField): boolean {
  return sentenceNames.test(normalised) && hasType(flat, 'string');
}

/** Whether a field names the invalid part of a request. */
export function namesField({ normalised, flat }: SchemaField): boolean {
  return fieldNames.test(normalised) && hasType(flat, 'string');
}

function isOpenText({ node }: FlatSchema): boolean {
  return node.enum === undefined && node.const === undefined && node.pattern === undefined;
}

function isNumericStatus({ normalised, flat }: SchemaField): boolean {
  return numericStatusNames.test(normalised) && hasType(flat, 'number');
}

function hasType({ types }: FlatSchema, type: Role['type']): boolean {
  // A field of any type gets a text.
  if (types.includes('string')) return type === 'string';
  return types.includes(type) || (type === 'number' && types.includes('integer'));
}

function has(siblings: Siblings, name: string): boolean {
  return siblings.some(({ normalised }) => normalised === name);
}

export function pointerOf(name: string): string {
  return name === '' ? '' : `/${name.replaceAll(/\[(\d+)\]/g, '/$1').replaceAll('.', '/')}`;
}

/** `items[0].price` as `items`, 0 and `price`. */
export function segmentsOf(name: string): (string | number)[] {
  return (name.match(/[^.[\]]+/g) ?? []).map((segment) =>
    /^\d+$/.test(segment) ? Number(segment) : segment,
  );
}

/** The number that the description of a code lists for an error; undefined if it lists none. */
function listedCode({ message, issue, issues }: ErrorFacts, field: FlatSchema): number | undefined {
  const names = [issue, ...issues].flatMap((one) => one?.name ?? []);
  return numberListed(field, { message, names });
}

/** The code, or the nearest one that the contract lists. */
function chooseCode({ code, title, status }: ErrorFacts, { node }: FlatSchema): string {
  const known = (node.enum ?? (node.const === undefined ? [] : [node.const])).filter(
    (value) => typeof value === 'string',
  );
  if (known.length === 0) return code;
  const words = [code, title, ...synonyms(status)].map(plainName);
  const same = words.flatMap((word) => known.filter((value) => plainName(value) === word));
  const alike = words.flatMap((word) =>
    known.filter((value) => plainName(value).includes(word) || word.includes(plainName(value))),
  );
  return same[0] ?? alike[0] ?? nearestWord(code, known) ?? known[0] ?? code;
}

/** Common codes for the errors of a status, the general ones last. */
function synonyms(status: number): readonly string[] {
  const words: Readonly<Record<number, readonly string[]>> = {
    400: ['validation', 'invalid', 'badrequest'],
    401: ['unauthorized', 'unauthenticated', 'auth'],
    403: ['forbidden', 'denied'],
    404: ['notfound', 'missing'],
    409: ['conflict', 'exists'],
    412: ['precondition', 'stale', 'conflict'],
    422: ['validation', 'invalid', 'unprocessable'],
  };
  const own = words[status] ?? (status >= 500 ? ['internal', 'server'] : []);
  return [...own, 'other', 'unknown', 'unexpected', 'generic'];
}

/** The facts that an error body can contain. */
export interface ErrorFacts {
  readonly status: number;
  /** The code for programs. */
  readonly code: string;
  /** Whether refusals differ in their codes alone: all have the status of a success. */
  readonly isCoded?: boolean;
  /** The canonical code of Google's AIP-193. */
  readonly canonical: string;
  /** The name of the status: `Bad Request`. */
  readonly title: string;
  readonly message: string;
  /** The requested path without the query. */
  readonly instance: string;
  readonly now: Date;
  readonly issues: readonly FaultIssue[];
  /** The invalid part of the request, if the facts are those of one issue. */
  readonly issue?: FaultIssue;
  /** Generates a value for other required fields. */
  readonly fill: (schema: Schema) => ValueResult;
}

export function factsOfIssue(facts: ErrorFacts, issue: FaultIssue): ErrorFacts {
  return { ...facts, code: issue.rule, message: issue.message, issues: [], issue };
}
