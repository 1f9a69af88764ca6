import type { FlatSchema, Schema } from '../../contract/model.ts';
import type { JsonValue } from '../../json/value.ts';
import { nearestWord } from '../../nearest-word.ts';
import { normaliseName } from '../../values/named-texts.ts';
import type { ValueResult } from '../../values/plain-value.ts';
import type { FaultIssue } from '../model/fault.ts';
import type { SchemaField } from '../records/record-fields.ts';
import { cutText } from './visible-text.ts';
import { alternatives, namePattern } from '../../values/name-pattern.ts';

/** The fields of one object: what a name means may depend on what stands beside it. */
export type Siblings = readonly SchemaField[];

/** What a field of a certain name and type says in an error body. */
interface Role {
  readonly type: 'string' | 'number' | 'boolean';
  /** Of the normalised name: lower case, letters and digits only. */
  readonly names: RegExp;
  readonly tell: (
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
  'field fieldname property propertyname param parameter pointer path propertypath name key',
  'attribute target loc location source',
);
const fieldNames = namePattern(`^(${fields})$`);
const numericStatusNames = /^(status|code|(http|error)?(status)?code|httpstatus)$/;

const roles: readonly Role[] = [
  { type: 'number', names: numericStatusNames, tell: ({ status }) => status },
  { type: 'boolean', names: /^(success|successful|ok|valid)$/, tell: () => false },
  { type: 'boolean', names: /^(error|iserror|failed|failure)$/, tell: () => true },
  // Beside a number `status` is a word.
  {
    type: 'string',
    names: /^(status|(http)?statuscode|httpstatus)$/,
    tell: (facts, field, siblings) =>
      siblings.some(isNumericStatus) ? chooseCode(facts, field) : String(facts.status),
  },
  {
    type: 'string',
    names: /^(code|(error|err|reason)(code|key|type|id)|rule|keyword)$/,
    tell: chooseCode,
  },
  {
    type: 'string',
    names: sentenceNames,
    tell: ({ message }, { node }) => cutText(message, node.maxLength ?? Infinity),
  },
  // Beside a sentence `error` is a word for machines (RFC 6749, section 5.2); alone, it is the
  // sentence.
  {
    type: 'string',
    names: /^(error|err)$/,
    tell: (facts, field, siblings) =>
      siblings.some(isSentence) ? chooseCode(facts, field) : facts.message,
  },
  {
    type: 'string',
    names: /^(title|summary|statustext|reasonphrase|shortmessage|heading)$/,
    tell: ({ title, message }, _field, siblings) => (siblings.some(isSentence) ? title : message),
  },
  // RFC 9457, section 4.2.1: a problem that is no more than its status is of this type.
  {
    type: 'string',
    names: /^type$/,
    tell: (facts, field) =>
      field.node.format?.startsWith('uri') === true ? 'about:blank' : chooseCode(facts, field),
  },
  {
    type: 'string',
    names: fieldNames,
    tell: ({ issue }, { node }) =>
      issue && (node.format === 'json-pointer' ? pointerOf(issue.name) : issue.name),
  },
  {
    type: 'string',
    names: /^(in|place|where|location|source)$/,
    tell: ({ issue }) => issue?.place,
  },
  {
    type: 'string',
    names: /^(instance|path|requestpath|requesturi|requesturl|uri|url|resource)$/,
    tell: ({ instance }) => instance,
  },
  {
    type: 'string',
    names: /^(timestamp|time|date|datetime|occurredat|at|createdat)$/,
    tell: ({ now }, { node }) =>
      node.format === 'date' ? now.toISOString().slice(0, 10) : now.toISOString(),
  },
];

/** What the facts have to say in a field; undefined where its name or type means nothing. */
export function tellField(
  { normalised, flat }: SchemaField,
  facts: ErrorFacts,
  siblings: Siblings,
): JsonValue | undefined {
  for (const { names, type, tell } of roles) {
    if (!names.test(normalised) || !hasType(flat, type)) continue;
    const value = tell(facts, flat, siblings);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Whether a field's name promises the sentence for people. */
export function isSentence({ normalised, flat }: SchemaField): boolean {
  return sentenceNames.test(normalised) && hasType(flat, 'string');
}

function isNumericStatus({ normalised, flat }: SchemaField): boolean {
  return numericStatusNames.test(normalised) && hasType(flat, 'number');
}

function hasType({ types }: FlatSchema, type: Role['type']): boolean {
  // A field that may be anything is best served by a text.
  if (types.includes('string')) return type === 'string';
  return types.includes(type) || (type === 'number' && types.includes('integer'));
}

function pointerOf(name: string): string {
  return name === '' ? '' : `/${name.replaceAll(/\[(\d+)\]/g, '/$1').replaceAll('.', '/')}`;
}

/** The code, or where the contract lists the codes the one among them that comes nearest. */
function chooseCode({ code, title, status }: ErrorFacts, { node }: FlatSchema): string {
  const known = (node.enum ?? (node.const === undefined ? [] : [node.const])).filter(
    (value) => typeof value === 'string',
  );
  if (known.length === 0) return code;
  const words = [code, title, ...synonyms(status)].map(normaliseName);
  const same = words.flatMap((word) => known.filter((value) => normaliseName(value) === word));
  const alike = words.flatMap((word) =>
    known.filter(
      (value) => normaliseName(value).includes(word) || word.includes(normaliseName(value)),
    ),
  );
  return same[0] ?? alike[0] ?? nearestWord(code, known) ?? known[0] ?? code;
}

/** What contracts call the errors of a status, and at last those that have no name of their own. */
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

/** What an error body can tell, in whatever words its schema has. */
export interface ErrorFacts {
  readonly status: number;
  /** The word for machines. */
  readonly code: string;
  /** The name of the status: `Bad Request`. */
  readonly title: string;
  readonly message: string;
  /** The path that was asked for, without the query. */
  readonly instance: string;
  readonly now: Date;
  readonly issues: readonly FaultIssue[];
  /** The part of the request that is meant, where the facts are those of one issue. */
  readonly issue?: FaultIssue;
  /** A value for what the facts say nothing of. */
  readonly fill: (schema: Schema) => ValueResult;
}

/** The facts as one issue tells them. */
export function factsOfIssue(facts: ErrorFacts, issue: FaultIssue): ErrorFacts {
  return { ...facts, code: issue.rule, message: issue.message, issues: [], issue };
}
