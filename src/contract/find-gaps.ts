import { joinPointer, type Pointer } from '../json/pointer.ts';
import { successSchema } from './infer/conventions/envelope-styles.ts';
import { documentsRefusal } from './model/operation.ts';
import type {
  ContractRules,
  FlatSchema,
  Gap,
  Operation,
  Resource,
  ResponseSpec,
  Schema,
} from './model.ts';
import { sentTag } from './protocols/body-tag.ts';
import { namesNextPage, pageMembersIn } from './protocols/pages.ts';
import { proposeRules } from './words/propose-rules.ts';

/** Every place where the contract does not say what a client or a check needs to know. */
export function findGaps(
  operations: readonly Operation[],
  resources: readonly Resource[],
  rules: ContractRules,
): Gap[] {
  return [
    ...operations.flatMap(gapsOfOperation),
    ...resources.flatMap(gapsOfResource),
    ...ruleGaps(resources, rules),
  ];
}

function gapsOfOperation(operation: Operation): Gap[] {
  return [
    ...refusalGaps(operation),
    ...successGaps(operation),
    ...credentialGaps(operation),
    ...bodyGaps(operation),
  ];
}

function refusalGaps(operation: Operation): Gap[] {
  const constrained = operation.parameters
    .filter((parameter) => parameter.in !== 'path' && isConstrained(parameter.schema))
    .map(({ name }) => name);
  const input =
    operation.requestBody === undefined ? constrained : [...constrained, 'the request body'];
  if (input.length === 0 || documentsRefusal(operation)) return [];
  return [
    responsesGap(operation, {
      kind: 'refusal-undocumented',
      word: 'refusal',
      message:
        `${operation.id} constrains ${input.join(', ')}, ` +
        'but documents no status for invalid values.',
    }),
  ];
}

function isConstrained(schema: Schema): boolean {
  const { node, types } = schema.flatten();
  return (
    types.length < 7 &&
    (!types.includes('string') ||
      node.enum !== undefined ||
      node.pattern !== undefined ||
      node.format !== undefined ||
      node.maxLength !== undefined)
  );
}

function successGaps(operation: Operation): Gap[] {
  const exact = operation.responses.filter(({ status }) => /^[23]\d\d$/.test(status));
  const ranged = operation.responses.filter(({ status }) => status === '2XX' || status === '3XX');
  const open =
    exact.length > 0
      ? []
      : [
          responsesGap(operation, {
            kind: 'success-open',
            word: 'success',
            message: `${operation.id} documents no success status.`,
          }),
        ];
  const shown = [...exact, ...ranged];
  const silent =
    shown.length === 0 ? operation.responses.filter(({ status }) => status === 'default') : shown;
  return [
    ...open,
    ...silent.filter(isPayloadOpen).map((response) => payloadGap(operation, response)),
  ];
}

function isPayloadOpen(response: ResponseSpec): boolean {
  if (['204', '205', '304'].includes(response.status)) return false;
  return (
    response.content.length === 0 ||
    response.content.some((entry) => entry.schema === undefined && entry.itemSchema === undefined)
  );
}

function payloadGap(operation: Operation, response: ResponseSpec): Gap {
  return {
    kind: 'payload-open',
    id: `${operation.id}.${response.status}.payload`,
    operation,
    message: `${operation.id} does not document the body of its ${response.status} response.`,
    pointer: response.pointer,
  };
}

function credentialGaps(operation: Operation): Gap[] {
  const secured =
    operation.security.length > 0 &&
    operation.security.every((requirement) => requirement.length > 0);
  const documented = operation.responses.some(
    ({ status }) => status === '401' || status === '4XX' || status === 'default',
  );
  if (!secured || documented) return [];
  return [
    responsesGap(operation, {
      kind: 'unauthorised-undocumented',
      word: 'unauthorised',
      message:
        `${operation.id} requires a credential, ` +
        'but documents no response for a request without one.',
    }),
  ];
}

function bodyGaps(operation: Operation): Gap[] {
  const schemas = (operation.requestBody?.content ?? []).flatMap((entry) => entry.schema ?? []);
  return schemas.flatMap((schema) => {
    const { properties, required } = schema.flatten();
    const tag = sentTag(operation, schema);
    return [...properties].flatMap(([name, place]): Gap[] => {
      const flat = schema.flatten(place);
      if (flat.node.readOnly === true || name === tag) return [];
      const at = { operation, pointer: place.pointer };
      // A member that a PATCH leaves out keeps its value (RFC 5789, section 2).
      const isOptional = operation.method !== 'PATCH' && !required.has(name);
      const gaps: Gap[] = [];
      if (isOptional && flat.node.default === undefined) gaps.push(defaultGap(name, at));
      if (!isBounded(flat)) gaps.push(unboundedGap(name, at));
      return gaps;
    });
  });
}

interface GapPlace {
  readonly operation: Operation;
  readonly pointer: Pointer;
}

function defaultGap(name: string, { operation, pointer }: GapPlace): Gap {
  return {
    operation,
    pointer,
    kind: 'default-unknown',
    id: `${operation.id}.body.${name}.default`,
    message: `${operation.id} accepts a body without ${name}, which has no documented default.`,
  };
}

function unboundedGap(name: string, { operation, pointer }: GapPlace): Gap {
  return {
    operation,
    pointer,
    kind: 'text-unbounded',
    id: `${operation.id}.body.${name}.length`,
    message: `${operation.id} accepts any text as ${name}: it has no maxLength, pattern or format.`,
  };
}

/** Whether a schema allows no text, or restricts texts. */
function isBounded({ node, types }: FlatSchema): boolean {
  const bounds = [node.maxLength, node.enum, node.const, node.format, node.pattern];
  return !types.includes('string') || bounds.some((bound) => bound !== undefined);
}

function gapsOfResource(resource: Resource): Gap[] {
  const list = resource.operations.list;
  if (list === undefined || leadsOn(resource)) return [];
  return [
    {
      kind: 'paging-unknown',
      id: `${list.id}.paging`,
      operation: list,
      message: `${list.id} documents no way to request further pages.`,
      pointer: list.pointer,
    },
  ];
}

/** Whether a list takes the next page as a parameter, or names it in its answer. */
function leadsOn({ operations: { list }, list: shape }: Resource): boolean {
  if (list === undefined || shape === undefined) return false;
  const schema = successSchema(list);
  const named = [
    ...list.parameters.filter((parameter) => parameter.in === 'query'),
    ...(schema === undefined ? [] : pageMembersIn(schema)),
  ];
  return shape.paging.length > 0 || shape.links || named.some(({ name }) => namesNextPage(name));
}

interface GapText {
  readonly kind: Gap['kind'];
  /** The last part of the gap's id. */
  readonly word: string;
  readonly message: string;
}

function responsesGap(operation: Operation, { kind, word, message }: GapText): Gap {
  const pointer = joinPointer(operation.pointer, 'responses');
  return { kind, id: `${operation.id}.${word}`, operation, message, pointer };
}

/** Rules that descriptions state in words: once for each member, wherever its schema is used. */
function ruleGaps(resources: readonly Resource[], rules: ContractRules): Gap[] {
  const proposals = resources.flatMap(({ record }) => proposeRules(record, record));
  const byPlace = new Map(proposals.map((proposal) => [proposal.pointer, proposal]));
  return [...byPlace.values()]
    .filter(({ pointer }) => !rules.states(pointer))
    .map(({ member, pointer, words, rule }) => ({
      kind: 'rule-unstated',
      id: `${pointer.slice(1).replaceAll('/', '.')}.rule`,
      message:
        `No rule states what the description of ${member} says ("${shorten(words)}"). ` +
        `A proposal for x-vouch-rules: ${rule}`,
      pointer,
    }));
}

const longestWords = 80;

function shorten(words: string): string {
  const line = words.replaceAll(/\s+/g, ' ').trim();
  return line.length > longestWords ? `${line.slice(0, longestWords)}…` : line;
}
