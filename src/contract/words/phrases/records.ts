import type { Phrase } from '../phrase.ts';

/** What contracts say of the fields of records. */
export const recordPhrases = {
  unique: {
    means: 'no two records have the same value',
    in: ['operation', 'field'],
    patterns: [
      new RegExp(
        '\\bunique (?:within|in|per|inside) ' +
          '(?:(?:an?|the|its|each|this|your|given) )*(?<value>[a-z]+)',
        'i',
      ),
      /\b(?:unique|taken|in use)\b/i,
      /\bno two (?<all>\w+) (?:(?:can|may|ever) )?(?:have|share) (?:the same|one)\b/i,
      /\balready (?:there|exists?|has|have|used)\b/i,
    ],
    unless: [/\b(?:not|never|need not be|no longer) (?:be )?unique\b/i],
    states: [
      'Must be unique within the organization.',
      'No two vouchers have the same code.',
      'Regardless of case, this code must be unique across all active promotion codes.',
    ],
    not: [
      'Not unique because it can be the same for multiple events (e.g., start and end).',
      'Duplicates are allowed',
      'The name of the record.',
    ],
  },
  'always-shown': {
    means: 'it is shown whatever a request asks for',
    in: ['field', 'parameter', 'operation'],
    patterns: [
      /\balways (?:be )?(?:returned|shown|included|present|sent|there|part of)\b/i,
      /\b(?:these|only|chosen|named)\b.*\band (?:the )?`?\w+`? always\b/i,
    ],
    unless: [/\b(?:not|never)\b/i],
    states: [
      'The name is always returned.',
      'Fields to show; `id` is always part of it.',
      'Only these members of each record, and `id` always.',
    ],
    not: ['Always a number.', 'It is not always returned.', 'Returns all fields.'],
  },
  identifies: {
    means: 'it identifies what the sentence names',
    in: ['field'],
    patterns: [/\b(?:identifier|id|key) (?:of|for) (?:the|an?|this|each|its) (?<value>[a-z]+)/i],
    states: ['A unique identifier for the room.', 'The ID of the customer.', 'Key of the project.'],
    not: ['A unique name.', 'The identifier that the service gives.', 'The keyboard of the room.'],
  },
  'names-record': {
    means: 'it holds the name of the record that the sentence names',
    in: ['field'],
    patterns: [
      /^(?:the )?(?:full |resource )*name (?:of|for) (?:the|this|its) (?<value>[a-z]+)\b/i,
      /\bresource (?:name|path) (?:of|for) (?:the )?(?<value>[a-z]+)\b/i,
    ],
    states: [
      'The name of the cluster.',
      'Server-defined resource path for the target of the operation.',
      'Resource name of the backup.',
    ],
    not: ['A name for humans.', 'The names of all clusters.', 'It names the color of the shelf.'],
  },
  'value-taken': {
    means: 'it is refused because another record has the value',
    in: ['response'],
    patterns: [
      /\b(?:unique|taken|duplicate|in use|already|exists?|another|the same)\b/i,
      /\b(?:has|have) (?:an?|the|one) (?:\w+ )?(?:with|of) (?:this|that|such an?)\b/i,
    ],
    states: [
      'A user with this email already exists.',
      'Another customer has this email.',
      'The tenant has a contract with this reference.',
    ],
    not: ['The request is invalid.', 'Conflict', 'The record has been changed meanwhile.'],
  },
  upserts: {
    means: 'a create with a known value returns or changes the record that has it',
    in: ['operation', 'field'],
    patterns: [
      /\b(?:idempotent|upserts?)\b/i,
      /\breturns? (?:the|an) existing\b/i,
      /\b(?:existing|same) \w+ is returned\b/i,
    ],
    unless: [/\bnot idempotent\b/i],
    states: [
      'The existing session is returned with `isCached: true`.',
      'If there is a conversation between these users, the endpoint returns the existing one.',
      'Upsert patient',
    ],
    not: ['This operation is not idempotent.', 'Creates a patient.', 'Refused if the name exists.'],
  },
  'keeps-the-rest': {
    means: 'a change leaves what is not sent as it is',
    in: ['operation', 'contract'],
    patterns: [
      /\bleav(?:es?|ing) (?:all |the )?(?:others?|rest)(?: \w+)? (?:as (?:it is|they are)|un\w+|alone)\b/i,
      /\b(?:left out|omitted|absent|missing|not (?:sent|present|given|included|provided))\b[^.;]*\b(?:stays?|remains?|keeps?|kept|un(?:changed|touched|modified)|preserved|not changed)\b/i,
      /\bpartial(?:ly)? (?:updates?|changes?|modif\w+)\b/i,
      /\bonly (?:the )?(?:\w+ )?(?:fields|members|attributes|properties|values)(?: that)?(?: are| were)? (?:sent|given|present|provided|passed|specified)\b[^.;]*\b(?:changed|updated|modified)\b/i,
    ],
    states: [
      'PUT changes the members that are sent and leaves all others as they are.',
      'Attributes that are omitted stay unchanged.',
      'Partially updates a user.',
    ],
    not: [
      'Replaces the whole record.',
      'Members that are left out get their default again.',
      'The missing items are created.',
    ],
  },
  'makes-or-changes': {
    means: 'it makes the record if there is none, and changes it if there is one',
    in: ['operation'],
    patterns: [
      /\b(?:creates?|adds?|makes?) (?:or|and\/or) (?:updates?|replaces?|overwrites?|changes?)\b/i,
      /\b(?:updates?|replaces?|changes?) or (?:creates?|adds?|makes?)\b/i,
      /(?<!\b(?:without|no) )\bupserts?\b/i,
      /\b(?:created|added) (?:if|when) (?:it|none|there) (?:does not|doesn't|exists?|is)\b/i,
    ],
    states: [
      'Create or update an alias',
      'Upserts the route.',
      'The alias is created if it does not exist.',
    ],
    not: [
      'Creates an alias.',
      'Updates an alias as the other one does, without upserts.',
      'Create, update or delete aliases with the other operations.',
    ],
  },
  'shows-current': {
    means: 'what is shown of another record is what that has now',
    in: ['contract', 'operation', 'field'],
    patterns: [
      /\bof (?:related|other|linked|referenced|named) \w+\b.*\b(?:have|has|are|is) now\b/i,
      /\bshows? (?:its|their) (?:new|current) \w+/i,
      /\b(?:name|title) of (?:the|its) \w+ now\b|\bcurrent (?:name|title) of\b/i,
    ],
    states: [
      'Names of related records are always those that the records have now.',
      'Campaigns of the list show its new name.',
      'the name of the list now',
    ],
    not: ['The name of the list.', 'A list shows new members.', 'The name is shown now.'],
  },
  'shows-former': {
    means: 'what is shown of another record is what that had at some time',
    in: ['field'],
    patterns: [/\b(?:at|from) the (?:time|moment)\b|\bsnapshot\b|\b(?:when|as) .+ w(?:as|ere)\b/i],
    states: [
      'The name at the time of the order.',
      'A snapshot of it.',
      'The title when it was sold.',
    ],
    not: ['The name of the customer.', 'The time of the order.', 'The current title.'],
  },
  'identifies-record': {
    means: 'it is the identifier of a record of the kind that the value names',
    in: ['field'],
    patterns: [
      new RegExp(
        '\\b(?:id|identifier|key|uuid) of (?:the|an?|another|its)(?: parent| other)? ' +
          '(?<value>[\\w-]+)(?=[.,;:(]|$| (?:that|which|to|whose|this|it)\\b)',
        'i',
      ),
    ],
    states: [
      'id of another ticket',
      'Identifier of the parent category.',
      'The ID of the customer that pays.',
    ],
    not: ['The id.', 'The key of the map entries.', 'Number of the tickets.'],
  },
  'must-exist': {
    means: 'it names a record that exists, and anything else is refused',
    in: ['field'],
    patterns: [
      /\bmust (?:already )?exist\b/i,
      new RegExp(
        '\\b(?:must|has to|needs to) (?:be|name|reference|refer to|match) ' +
          '(?:the \\w+ of )?an? existing\\b',
        'i',
      ),
      new RegExp(
        '\\b(?:INVALID_ARGUMENT|FAILED_PRECONDITION|NOT_FOUND|4\\d\\d)(?: error)?,? (?:if|when) ' +
          '(?:.* (?:does not exist|is unknown|is not found)|there is (?:none|no \\w+))\\b',
      ),
    ],
    unless: [/\bneed not\b/i],
    states: [
      'The network must already exist in the project.',
      'Must reference an existing customer.',
      'Returns NOT_FOUND if the Product does not exist.',
    ],
    not: [
      'Created if it does not exist.',
      'The parent of the folder, null if there is none.',
      'The file must not exist.',
    ],
  },
  'never-changes': {
    means: 'a record keeps the value that it was created with',
    in: ['field'],
    patterns: [
      /(?:^\W*|\b(?:is|are) )immutable\b/i,
      new RegExp(
        '\\b(?:can ?not|can never|may not|must not|is not|is never|are not|are never) ' +
          '(?:be )?(?:changed|modified|updated|edited|altered)\\b',
        'i',
      ),
      new RegExp(
        '\\b(?:another|any other|a different|a new) \\w+ (?:in|with|by) (?:an?|the) ' +
          '(?:change|update|replacement|patch|put) (?:is|gets|returns) ' +
          '(?:4\\d\\d|INVALID_ARGUMENT|FAILED_PRECONDITION|refused|rejected|an error)\\b',
        'i',
      ),
    ],
    unless: [
      /\bnot immutable\b/i,
      /\b(?:once|when|while|if|unless|until|after)\b(?!(?:\W+\w+){0,5}?\W+(?:creat|set)\w*)/i,
      /\b(?:creat|set)\w* (?:nor|or|and)\b/i,
    ],
    states: [
      'Immutable. The identifier of the network.',
      'The partition key cannot be changed after the table is created.',
      'Another currency in an update is 400.',
    ],
    not: [
      'The machine type cannot be changed while the instance is running.',
      'The mutable labels of the resource.',
      'The number of immutable snapshots.',
    ],
  },
  'counts-all': {
    means: 'the field counts what the value names',
    in: ['field'],
    patterns: [/\b(?:how many|number of|count of) (?<value>.+)$/i],
    states: [
      'The number of forks.',
      'Count of resources associated to the group',
      'How many comments it has.',
    ],
    not: ['The number that identifies the issue.', 'A count.', 'The forks.'],
  },
  'replaces-what-is-sent': {
    means: 'the service may keep another value than it is sent',
    in: ['field'],
    patterns: [/\b(?:whatever|no matter what|regardless of what) (?:is|was) (?:given|sent|set)\b/i],
    states: [
      'Its cost is 0.42 for each kilometer, whatever is given.',
      'Rounded, no matter what was sent.',
      'Always the owner, whatever is sent.',
    ],
    not: ['Whatever the case of its letters.', 'The cost, as it is given.', 'What is sent.'],
  },
} as const satisfies Readonly<Record<string, Phrase>>;
