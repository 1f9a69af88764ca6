import { plainName, singularOf, wordsOf } from '../infer-names.ts';
import type { Convention } from './path-styles.ts';

/** The known facts about an identifier before the record is examined. */
export interface IdentifierNames {
  /** The path parameter that carries it: `card_token`. */
  readonly parameter: string | undefined;
  /** The last word of the collection's path: `cards`. */
  readonly word: string;
}

/** A way of naming the field that identifies a record. */
export interface IdentifierStyle extends Convention {
  /** Names of fields, the most likely first; compared without case and separators. */
  names(known: IdentifierNames): readonly string[];
}

/** Common words in names of identifiers. */
const identifying =
  /^(id|ids|uuid|guid|gid|sid|key|slug|code|name|number|token|arn|urn|handle|login|username|ref|reference|hash|symbol|iban|sku|isbn|email|address|path)$/;

/**
 * The names of the identifying field, the most certain first: of the names that a record has, the
 * first counts whose type the path can carry.
 */
export const identifierStyles: readonly IdentifierStyle[] = [
  {
    id: 'identifier.same-name',
    reason: 'The record has a field with the name of the path parameter.',
    examples: ['/books/{isbn} → isbn', '/alerts/{silenceID} → silenceID'],
    // `{comment}` under `/comments` is any name of a comment; the field holds user text.
    names: (known) => (known.parameter === undefined || isNoun(known) ? [] : [known.parameter]),
  },
  {
    id: 'identifier.without-noun',
    reason: 'The parameter repeats the kind of record, and the field does not.',
    examples: [
      '/cards/{card_token} → token',
      '/Calls/{CallSid} → sid',
      '/customers/{external_customer_id} → external_id',
    ],
    names({ parameter, word }) {
      if (parameter === undefined) return [];
      const noun = singularOf(word);
      const words = wordsOf(parameter);
      const rest = words.filter((each) => singularOf(each) !== noun);
      return rest.length === words.length || rest.length === 0 ? [] : [rest.join('_')];
    },
  },
  {
    id: 'identifier.either',
    reason: 'The parameter takes one of two fields.',
    examples: ['/issues/{issueIdOrKey} → id or key', '/projects/{id_or_slug} → id or slug'],
    names({ parameter }) {
      const words = wordsOf(parameter ?? '');
      const at = words.indexOf('or');
      return at < 1 ? [] : [words[at - 1] ?? '', words[at + 1] ?? ''].filter((name) => name !== '');
    },
  },
  {
    id: 'identifier.name-ending',
    reason: 'The last word of the parameter is the field; the words before it name the resource.',
    examples: ['/cards/{card_gid} → gid', '/things/{thingId} → id', '/silences/{silenceID} → id'],
    names({ parameter }) {
      const last = wordsOf(parameter ?? '').at(-1) ?? '';
      // Names in one case, such as `petid`, cannot be split into words.
      const ending = identifying.test(last)
        ? last
        : /(id|uuid|guid|key|slug|code)$/.exec(last)?.[1];
      return ending === undefined ? [] : [ending];
    },
  },
  {
    id: 'identifier.usual',
    reason: 'Its name is usual for an identifier.',
    examples: ['id', 'uuid', 'gid', '_id', 'key', 'slug', 'code'],
    names: () => ['id', 'uuid', 'guid', 'gid', 'sid', 'key', 'slug', 'code'],
  },
  {
    id: 'identifier.of-the-noun',
    reason: 'The field repeats the kind of record.',
    examples: ['/things → thingId', '/domain → domain_key', '/bins → bin_token'],
    names({ word }) {
      if (word === '') return [];
      const noun = singularOf(word);
      return ['id', 'uuid', 'guid', 'key', 'token', 'arn', 'number', 'code', 'slug'].map(
        (ending) => `${noun}_${ending}`,
      );
    },
  },
  {
    id: 'identifier.called',
    reason: 'The parameter is the record itself, by the name that people call it.',
    examples: [
      '/users/{user} → login or username',
      '/tags/{tag} → tag',
      '/repos/{repo_name} → name',
    ],
    names({ parameter, word }) {
      if (parameter === undefined || !isCalled({ parameter, word })) return [];
      return [`${parameter}_name`, 'slug', 'login', 'username', parameter, 'name'];
    },
  },
  {
    id: 'identifier.address',
    reason: 'Only its path identifies the record.',
    examples: ['/hosts/{host} → host', '/accounts/{iban} → iban', '/files/{path} → path'],
    names: ({ parameter }) =>
      parameter === undefined ? ['token', 'arn'] : ['token', 'arn', 'name'],
  },
];

/** How to identify records that show no such field, and how requests name them. */
export const identityStyles: readonly Convention[] = [
  {
    id: 'identifier.own-address',
    reason: 'The address that a record shows of itself ends in the field, or is the identifier.',
    examples: ['url: /users/ann, login: ann → login', 'uri: /things/a, name: A → uri'],
  },
  {
    id: 'identifier.sent',
    reason: 'A create answers nothing and requires one text: the path carries what was sent.',
    examples: ['POST /queues { "label": "a" } → 201; GET /queues/a'],
  },
  {
    id: 'identifier.told',
    reason: 'The description of the path parameter is no more than the name of the field.',
    examples: ['/databases/{database}: Database name → name'],
  },
  {
    id: 'identifier.undeclared',
    reason: 'The path names records that are made, so they have a member that is not described.',
    examples: ['/buckets/{id} → id, where records may have any member'],
  },
  {
    id: 'identifier.hidden',
    reason: 'The path names records that are made, and no answer has room for the identifier.',
    examples: ['POST /things → 201 Location: /things/5'],
  },
  {
    id: 'identity.by-value',
    reason: 'A request on the collection names one record in its body or its query.',
    examples: [
      'PUT /thing { "id": 5, … }',
      'POST /things.delete { "id": 5 }',
      'GET /things.info?id=5',
    ],
  },
];

/** `{user}` under `/users`. */
function isNoun({ parameter, word }: IdentifierNames): boolean {
  return parameter !== undefined && word !== '' && singularOf(parameter) === singularOf(word);
}

/** Whether a parameter is a common name for the key of a record. */
function isCalled({ parameter = '', word }: IdentifierNames): boolean {
  return isNoun({ parameter, word }) || /(name|slug|identifier)$/.test(plainName(parameter));
}
