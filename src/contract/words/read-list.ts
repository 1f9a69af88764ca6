import { lastWord } from '../infer/conventions/path-styles.ts';
import { spanField } from '../infer/infer-filters.ts';
import { namesCreation } from './names.ts';
import { recordFields } from '../infer/record-fields.ts';
import type { Contract } from '../model.ts';
import { documentsRefusal, type Operation, type Parameter } from '../model/operation.ts';
import type { Sort, TextSearch } from '../model/resource.ts';
import type { Schema } from '../model/schema.ts';
import {
  contractTexts,
  type Fact,
  factIn,
  factsIn,
  generalTexts,
  operationTexts,
  parameterTexts,
  textsAround,
  type ToldText,
} from './facts.ts';
import { mentions } from './mentions.ts';
import { sentencesOf } from './text.ts';

/** The order of a list, and the sentence that states it. */
export interface StatedOrder {
  readonly field: string;
  readonly descending: boolean;
  readonly fact: Fact;
}

/** The order of a list that its description states: `Sorted by creation date`, `Newest first`. */
export function statedOrder(operation: Operation, record: Schema): StatedOrder | undefined {
  return orderByField(operation, record) ?? orderByAge(operation, record);
}

/** What a list says, and what the API says of its lists, or of the order of such records. */
function listTexts(operation: Operation): ToldText[] {
  const general = generalTexts(operation, 'operation', (sentence) => /\blists\b/i.test(sentence));
  const named = sentencesOf(operation.general ?? '').flatMap((text): ToldText[] => {
    const [subject = '', order] = text.split(/\bare (?:sorted|ordered) by\b/i);
    const isOwn = order !== undefined && mentions(subject, lastWord(operation.path));
    return isOwn ? [{ kind: 'operation', text, pointer: '/info/description' }] : [];
  });
  return [...operationTexts(operation), ...named, ...general];
}

/** Whether a list says, or the API of all filters, that values with commas are alternatives. */
export function joinsAlternatives(operation: Operation, parameter: Parameter): boolean {
  const general = generalTexts(operation, 'parameter', (text) => /\bfilters?\b/i.test(text));
  return factIn([...parameterTexts(parameter), ...general], 'joins-alternatives') !== undefined;
}

/** Whether a parameter that is true or false says that it reverses the order of a list. */
export function reversesOrder(parameter: Parameter): boolean {
  const isFlag = parameter.schema.flatten().types.join() === 'boolean';
  const facts = isFlag ? factsIn(parameterTexts(parameter), 'descending') : [];
  return facts.some(({ sentence }) => /\b(?:sort|order)/i.test(sentence));
}

/** Whether an order is of several fields, of which those behind a minus descend. */
export function ordersBySigns(operation: Pick<Operation, 'general'>, by: Parameter): boolean {
  const general = generalTexts(operation, 'parameter', (text) => mentions(text, by.name));
  return factIn([...parameterTexts(by), ...general], 'orders-by-signs') !== undefined;
}

function orderByField(operation: Operation, record: Schema): StatedOrder | undefined {
  const texts = listTexts(operation);
  const fact = factIn(texts, 'sorted-by');
  if (fact === undefined) return undefined;
  // `by creation date unless the caller asks for another order`
  const [phrase = ''] = (fact.value ?? '').split(/ (?:unless|if|when|and|or) /i);
  const fields = recordFields(record).filter(({ many, name }) => !many && !name.includes('.'));
  // `By creation date` is no `date` of another kind.
  const field = creationWords.test(phrase)
    ? fields.find(({ plain }) => namesCreation(plain))
    : fields.find(({ name }) => mentions(phrase, name));
  const isDescending = factsIn(texts, 'descending').some(
    ({ sentence }) => sentence === fact.sentence,
  );
  return field && { field: field.name, descending: isDescending, fact };
}

/**
 * The order by the moment at which records, or items of a list, were made: the field that `oldest`
 * and `latest` bound, or the moment of the creation.
 */
export function orderByAge(operation: Operation, record: Schema): StatedOrder | undefined {
  const texts = listTexts(operation);
  const fact = factIn(texts, 'newest-first');
  if (fact === undefined) return undefined;
  const made = recordFields(record).find(({ many, plain }) => !many && namesCreation(plain));
  const field = spanField(operation.parameters, record) ?? made?.name;
  return field === undefined ? undefined : { field, descending: true, fact };
}

/** Which of two records that are made one after the other a list has first, as it says. */
export function firstOfTwo(operation: Operation): 'the older' | 'the newer' | undefined {
  const texts = listTexts(operation);
  if (factIn(texts, 'newest-first') !== undefined) return 'the newer';
  return factIn(texts, 'oldest-first') === undefined ? undefined : 'the older';
}

const creationWords = /^(?:creat|add)/i;
/** Whether the order that a list states is that of a request which asks for none. */
export function isDefaultOrder(operation: Operation): boolean {
  return factIn(listTexts(operation), 'sorted-unless-asked') !== undefined;
}

/** Whether a contract says that unknown names in the value of a parameter are ignored. */
export function ignoresUnknown(
  contract: Pick<Contract, 'description'>,
  operation: Operation,
  parameter: Parameter,
): boolean {
  const texts = [
    ...parameterTexts(parameter),
    ...operationTexts(operation),
    ...contractTexts(contract),
  ];
  return factIn(texts, 'ignores-unknown') !== undefined;
}

/** Whether a contract says that the addresses of other pages keep a parameter of the request. */
export function linksKeep(
  { contract, operation }: { contract: Pick<Contract, 'description'>; operation: Operation },
  { name }: Parameter,
): boolean {
  return factsIn(textsAround(contract, operation), 'links-keep-query').some(
    ({ value = '' }) => /\bparameters\b/i.test(value) || mentions(value, name),
  );
}

/** Where records without a value in a field stand, in either direction, if a list says that. */
export function emptyPlace(operation: Operation, by: Parameter, field: string): string | undefined {
  const isOfAll = (text: string): boolean => /\b(?:value|nulls?|empty)\b/i.test(text);
  const general = generalTexts(operation, 'operation', isOfAll);
  const facts = factsIn(
    [...parameterTexts(by), ...operationTexts(operation), ...general],
    'empty-placed',
  );
  const own = facts.find(({ sentence }) => isOfAll(sentence) || mentions(sentence, field));
  return own?.value?.toLowerCase();
}

/** Whether a sort compares texts with decimals by their size: those of amounts, in any case. */
export function sortsAmounts(sort: Pick<Sort, 'by'> | undefined, field: string): boolean {
  const texts = sort === undefined ? [] : parameterTexts(sort.by);
  return amountNames.test(field) || factIn(texts, 'compares-amounts') !== undefined;
}

const amountNames = /(price|amount|total|sum|balance|cost|fee|tax)$/i;

/** What `a country that has this code` is not. */
const anyPart = /\b(?:contain|part|substring|fragment)/i;

/** A search, and the sentence that states it. */
interface ToldSearch extends TextSearch {
  readonly fact: Fact;
}

/**
 * The search that the description of a parameter states, or that of its operation: `Only groups
 * whose name starts with the search term.` In the fields that it names, else in all texts.
 * Undefined if it states none.
 */
export function toldSearch(
  parameter: Parameter,
  record: Schema,
  operation?: Operation,
): ToldSearch | undefined {
  const own = parameterTexts(parameter);
  const texts = operation === undefined ? own : [...own, ...operationTexts(operation)];
  const fields = recordFields(record)
    .filter(({ types, many }) => !many && types.includes('string'))
    .map(({ name }) => name);
  const namedIn = (text: string): string[] => fields.filter((name) => mentions(text, name));
  const beginning = factIn(texts, 'searches-beginnings');
  const part = factsIn(texts, 'searches').find(({ value = '' }) => namedIn(value).length > 0);
  const fact = beginning ?? part ?? factIn(texts, 'searches-texts');
  if (fact === undefined) return undefined;
  const isPart = fact === part && (operation !== undefined || anyPart.test(fact.sentence));
  const named = namedIn(fact === part ? (part.value ?? '') : fact.sentence);
  return {
    parameter,
    fields: named.length > 0 ? named : fields,
    at: beginning === undefined ? 'anywhere' : 'start',
    isExact: named.length > 0 && (fact === beginning || isPart),
    ignoresCase: factIn(texts, 'ignores-case') !== undefined,
    fact,
  };
}

/**
 * Whether an operation refuses query parameters that it does not declare, as its description or
 * that of the API says: `Unknown query parameters are 400`. Only where it documents a refusal.
 */
export function refusesStrays(
  contract: Pick<Contract, 'description'>,
  operation: Operation,
): boolean {
  const told = [...operationTexts(operation), ...contractTexts(contract)];
  return documentsRefusal(operation) && factIn(told, 'refuses-strays') !== undefined;
}

/** Whether an API says that it ignores the members of a body that it does not know. */
export function ignoresUnknownMembers(contract: Pick<Contract, 'description'>): boolean {
  return factsIn(contractTexts(contract), 'ignores-unknown').some(({ sentence }) =>
    /\b(?:fields|members|properties|attributes|elements|keys|ones)\b/i.test(sentence),
  );
}
