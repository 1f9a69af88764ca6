import type { Phrase } from '../phrase.ts';

/** What contracts say of the parameters and the order of lists. */
export const listPhrases = {
  'bound-included': {
    means: 'the bound itself is in the range',
    in: ['parameter'],
    patterns: [
      /\b(?:at|on) or (?:after|before|later|earlier)\b/i,
      /\bor (?:an? )?(?:more|less|later|earlier|equal|newer|older|higher|lower)\b/i,
      /\b(?:at (?:least|most)|no (?:more|less|later|earlier) than)\b/i,
      /(?<!\bnot )\binclusive\b/i,
      /\bth(?:is|at|e) (?:day|date) and (?:later|earlier)\b/i,
    ],
    states: [
      'Only with this day or a later one.',
      'Only show tasks updated at or after this time (ISO 8601 timestamp)',
      'This is the start date of the selected range (inclusive).',
    ],
    not: [
      'Only show repositories updated after the given time.',
      'Returns the items below this price, including those that are sold.',
      'The end of the range, not inclusive.',
    ],
  },
  'writes-orders': {
    means: 'an order is written with more than the name of a field',
    in: ['parameter'],
    patterns: [/(?:\b|_)(?:asc|desc)|[:=`"(]|\bformat\b/i],
    states: [
      'Use `name:asc` or `name:desc`.',
      'name_asc, date_desc',
      'In the format field,direction',
    ],
    not: [
      'of name, date and id',
      'The attributes to sort by.',
      'Name or date, - in front reverses.',
    ],
  },
  'joins-alternatives': {
    means: 'a record matches if it has one of several values with commas between them',
    in: ['parameter'],
    patterns: [
      /^(?=.*\bvalues\b)(?=.*\bcommas?\b).*\b(?:alternatives?|any (?:one )?of|one of|ORed)\b/is,
    ],
    states: [
      'Filters: several values with commas between them are alternatives.',
      'Comma-separated values, one of which has to be the status.',
      'Takes several values separated by commas and finds what has any of them.',
    ],
    not: [
      'Several values with commas between them must all match.',
      'Any of the tags.',
      'The values of a row have commas between them.',
    ],
  },
  'compares-whole': {
    means: 'a filter compares the whole value',
    in: ['parameter'],
    patterns: [
      /\bexact(?:ly)? (?:match|th(?:is|at|e)|name|value|text)\b/i,
      /\bmatch(?:es|ed|ing)? exactly\b/i,
      /\b(?:of|with|has|have|is|equals?) exactly\b(?! (?:one|two|three|\d))/i,
    ],
    states: ['Only products of exactly this vendor.', 'The name (exact match).', 'The exact name.'],
    not: [
      'Has exactly one of these tags.',
      'The exact algorithm may change.',
      'A part of the name.',
    ],
  },
  'divided-by-commas': {
    means: 'a text is several values with commas between them',
    in: ['parameter'],
    patterns: [
      /\bcomma(?:[- ]or[- ]\w+)?[- ](?:separated|delimited|divided)\b/i,
      /\b(?:separated|delimited|divided) (?:by|with) (?:a )?commas?\b/i,
      /\bcommas between them\b/i,
    ],
    states: [
      'Only records with these ids, comma-separated.',
      'A comma separated list of groups to filter by.',
      'Identifiers of users, separated by commas.',
    ],
    not: ['Latitude and longitude, with a comma.', 'The amount, with a decimal comma.', 'One id.'],
  },
  'orders-by-signs': {
    means: 'an order names fields with commas between them, and a minus in front descends',
    in: ['parameter'],
    patterns: [
      new RegExp(
        '^(?=.*\\bcommas?\\b)(?=.*\\bdescend).*' +
          '(?:(?:\\bminus|\\bhyphen|(?<!\\w)-(?!\\w))[`\'" )]*\\b(?:in front|before|prefix|sign)|' +
          '\\b(?:prefix|preced|lead|start)\\w*\\b[^.]*' +
          '(?:\\bminus|\\bhyphen|[`\'" (]-))',
        'is',
      ),
    ],
    states: [
      'sort takes attributes with commas between them, - in front is descending.',
      'Comma-separated fields, those prefixed with a minus are in descending order.',
      'Fields separated by commas, a `-` before a field sorts it in descending order.',
    ],
    not: [
      'sort takes attributes with commas between them.',
      'A field, - in front is descending.',
      'Comma-separated fields, each with asc or desc behind it, descending ones first.',
    ],
  },
  'bound-excluded': {
    means: 'the bound itself is not in the range',
    in: ['parameter'],
    patterns: [
      /\b(?:after|before|later than|earlier than|more than|less than|above|below|exclusive)\b/i,
      /\bwith (?:an? |the )?(?:greater|larger|higher|lower|smaller) \w+\W*$/i,
    ],
    unless: [
      /\b(?:at|on) or (?:after|before)\b/i,
      /\b(?:no|not) (?:after|before|more|less|later|earlier)\b/i,
      /\bor (?:more|less|later|earlier|after|before|equal)\b/i,
    ],
    states: [
      'Only show repositories updated after the given time.',
      'Only items with a greater id.',
      'The end of the range, exclusive.',
    ],
    not: [
      'Filter tokens created at or before this ISO 8601 timestamp.',
      'The start date of the selected range.',
      'Only items that are no more than this.',
    ],
  },
  'searches-beginnings': {
    means: 'the list has the records with a text that begins with the value',
    in: ['parameter'],
    patterns: [
      /\b(?:starts?|begins?|starting|beginning) with (?:the|this|a given) (?:\w+ )?(?:term|text|prefix|string|query|letters)\b/i,
      /\bprefix (?:of|to (?:search|filter|match))\b/i,
      /^(?:the )?(?:beginning|first letters) of (?:the|its|their)\b/i,
    ],
    states: [
      'Limits the results to only groups whose `name` starts with the search term.',
      'Return customers with names beginning with the given text.',
      'The beginning of the name.',
    ],
    not: [
      'The first page starts with the newest record.',
      'A text that starts with a letter.',
      'Notes since the beginning of the week.',
    ],
  },
  'searches-texts': {
    means: 'the list has the records in whose texts the value occurs',
    in: ['parameter'],
    patterns: [
      /\bsearch (?:terms?|texts?|strings?|quer(?:y|ies)|phrases?|keywords?)\b/i,
      /\b(?:contains?|containing|include|including|match(?:es|ing)?) (?:the|this|a given) (?:\w+ )?(?:term|text|string|query|keyword)\b/i,
      /\b(?:full[- ]text|free[- ]text) search\b/i,
    ],
    states: [
      'The search term.',
      'Returns articles whose title contains the given text.',
      'Full-text search in all fields.',
    ],
    not: [
      'The text of the message.',
      'Only articles that contain the category.',
      'Searches are kept for a day.',
    ],
  },
  'bounds-moment': {
    means: 'it bounds the moment that the verb names',
    in: ['parameter'],
    patterns: [
      new RegExp(
        '\\b(?:that|which|were|was|\\w+s) (?<verb>start|beg[ia]n|end|finish|creat|updat|modif|' +
          'complet|expir|clos|open)\\w*(?: (?:on|at|in))?(?: or)? ' +
          '(?<side>after|since|from|before|until)\\b',
        'i',
      ),
      new RegExp(
        '(?:^|\\b(?:that|which|were|was) )(?<verb>creat|updat|modif|complet|clos|open)\\w* ' +
          '(?:on|at) th(?:is|at|e) (?:day|date|moment|time) or (?<side>later|earlier)\\b',
        'i',
      ),
    ],
    states: [
      'Only show tasks updated at or after this time (ISO 8601 timestamp)',
      'Only bookings that end after this moment.',
      'created on this day or later',
    ],
    not: [
      'If specified, the query only searches for events after this cursor.',
      'The date on which the booking ends.',
      'When the subscription was created.',
    ],
  },
  'adds-fields': {
    means: 'it adds fields to each record and selects none',
    in: ['parameter'],
    patterns: [
      new RegExp(
        '\\b(?:includes?|expands?|embeds?|returns?|adds?|shows?)\\b.*' +
          '\\b(?:information|details?|fields?|data|section|object|' +
          'in the (?:response|answer|result))\\b',
        'i',
      ),
    ],
    unless: [/\b(?:only|filter)\b/i],
    states: [
      'Include DNSSEC information',
      'Whether to return the details of each member.',
      'Includes the billing data of the account in the response.',
    ],
    not: [
      'Returns only objects that are active.',
      'Show archived projects.',
      'Filter: include items with details.',
    ],
  },
  'selects-all': {
    means: 'a record matches if it has all of the values',
    in: ['parameter'],
    patterns: [
      /\b(?:have|has|having|with|match(?:es|ing)?|contain(?:s|ing)?) (?:all|every one|each) of\b/i,
      /\b(?:have|has|having) (?:all|every)\b/i,
    ],
    states: [
      'Multiple `has` filters can be passed to filter for alerts that have all of the values.',
      'Only rooms that have all of these.',
      'Records matching all of the tags.',
    ],
    not: [
      'Servers may ignore the limit and will return all of the available results.',
      'Records that have any of the tags.',
      'All of the tags are listed.',
    ],
  },
  searches: {
    means: 'it is searched for in the fields that the value names',
    in: ['parameter', 'operation'],
    patterns: [
      /\b(?:whose|by|in|of) (?<value>.+?)\b(?:contains?|includes?|containing|has|have)\b/i,
      new RegExp(
        '\\b(?:part|substring|fragment|partial match(?:es)?) of ' +
          '(?:an? |the |its |their )?(?<value>.+)$',
        'i',
      ),
    ],
    states: [
      'Searches for partial matches of name, username, or email.',
      'This will filter all customers whose name, firstname or email contain the search term.',
      'A part of the name.',
    ],
    not: [
      'Only commits with this file path will be returned.',
      'The number of items on a page.',
      'Finds customers.',
    ],
  },
  'ignores-case': {
    means: 'upper and lower case are the same',
    in: ['parameter', 'operation', 'response', 'field'],
    patterns: [
      /\bcase[- ]?insensitiv/i,
      /\bcase (?:does not|do not|doesn't|don't) matter\b|\bwhatever (?:the )?case\b/i,
      /\b(?:whether )?in (?:capitals|capital letters) or not\b/i,
      /\b(?:not case[- ]?sensitive|in upper (?:or|and) lower case)\b/i,
      new RegExp(
        '\\b(?:regardless|irrespective|without regard|independent(?:ly)?) (?:of|to) (?:the )?' +
          '(?:letter |upper and lower[- ]?)?case\\b',
        'i',
      ),
    ],
    unless: [
      /\bnot case[- ]?insensitiv/i,
      /(?<!\bcase of (?:its |the |their )?)\b(?:letters|characters)\b/i,
    ],
    states: [
      'Regardless of case, this code must be unique across all active promotion codes.',
      'A part of the title, upper and lower case do not matter.',
      'Unique in the shop, whatever the case of its letters.',
    ],
    not: [
      'May only contain upper and lowercase letters a-z, numbers 0-9, and -.',
      'The search is case-sensitive.',
      'Names are not case-insensitive.',
    ],
  },
  'sorted-by': {
    means: 'the list is in the order of the field that the value names',
    in: ['operation'],
    patterns: [
      /\b(?:(?:sorted|ordered) by|in (?:the )?order of) (?:their |its |the )?(?<value>[^.,;:()]+)/i,
      /^by (?<value>[^\s.,;:()]+)(?:[.;]|$)/i,
    ],
    unless: [/\b(?:can|may) be (?:sorted|ordered)\b/i],
    states: [
      'By Number.',
      'Comments are ordered by ascending ID.',
      'The customers are returned sorted by creation date, with the most recent ones first.',
    ],
    not: [
      'The results can be sorted by name.',
      'An order by phone is not possible.',
      'Sorts the list.',
    ],
  },
  descending: {
    means: 'the order is descending',
    in: ['operation', 'parameter'],
    patterns: [/\b(?:descending|reversed?|newest|latest|last|highest|most recent(?:ly)?)\b/i],
    unless: [/\bascending\b/i, /\boldest to newest\b/i],
    states: [
      'The results are sorted by stars in descending order.',
      'The customers are returned sorted by creation date, with the most recent ones first.',
      'The whole order of the list is reversed.',
    ],
    not: [
      'Comments are ordered by ascending ID.',
      'Display the conversation in natural time order (oldest to newest)',
      'Attributes are paginated and sorted by code.',
    ],
  },
  'compares-amounts': {
    means: 'texts with decimals are compared by their size',
    in: ['parameter'],
    patterns: [/\b(?:amounts?|numbers?|numeric(?:ally)?|by (?:size|value))\b/i],
    unless: [/\b(?:number of|page number|maximum number)\b/i],
    states: [
      'Totals are compared as amounts.',
      'Sorts numerically.',
      'The number that identifies the issue.',
    ],
    not: ['The page number.', 'The maximum number of results to return.', 'The number of items.'],
  },
  'next-until-end': {
    means: 'a page names a next one exactly while there are more records',
    in: ['contract', 'operation', 'parameter', 'response', 'field'],
    patterns: [
      new RegExp(
        '^(?=.*(?:next|cursor|token)).*\\b(?:empty|absent|null|omitted|missing)\\b.*' +
          '\\b(?:last\\s+page|(?:at|on)\\s+the\\s+ends?|no\\s+(?:more|further|next|such))\\b',
        'is',
      ),
      new RegExp(
        '^(?=.*(?:next|cursor|token)).*' +
          '\\b(?:last\\s+page|no\\s+(?:more|further|next)\\s+\\w+)\\b.*' +
          '\\b(?:empty|absent|null|omitted|missing)\\b',
        'is',
      ),
      new RegExp(
        '^(?=.*(?:next|cursor|token)).*' +
          '\\b(?:if|when|while|as\\s+long\\s+as)\\s+' +
          '(?:there\\s+(?:are|is)\\s+(?:any\\s+)?more\\b|(?:more|further)\\s+\\w+\\s+follow\\b)',
        'is',
      ),
      /\bon\s+the\s+last\s+page,?\s+there\s+is\s+no\b.*\bnext\b/is,
      /^(?:empty|absent|null|omitted|missing)\s+(?:on|for)\s+the\s+last\s+page\b/i,
      // What is said of `it` stands in the clause before.
      new RegExp(
        '^(?:on|for)\\s+the\\s+last\\s+page,?\\s+(?:it|this)\\s+(?:is|will\\s+be)\\s+' +
          '(?:empty|absent|null|omitted|missing)\\b',
        'i',
      ),
    ],
    unless: [/\bthere\s+(?:are|is)\s+(?:any\s+)?more\s+than\b/i],
    states: [
      'If there are more results, a `next` value is included in the response.',
      'On the last page it is empty or absent.',
      'If there is no next page, `null` will be returned.',
    ],
    not: [
      'The cursor of the next page.',
      'The last page may be empty.',
      'The token is missing or has expired.',
    ],
  },
  'links-keep-query': {
    means: 'the addresses of other pages keep parameters of the request',
    in: ['contract', 'operation', 'parameter', 'response'],
    patterns: [
      new RegExp(
        '\\b(?:address(?:es)?|links?|urls?|both)\\b[^.]*?\\b(?:carr(?:y|ies)|keeps?|ha(?:s|ve)|' +
          'contains?|includes?|preserves?)\\s+(?<value>[^.;:]*(?:`|\\bparameters\\b)[^.;:]*?)' +
          '\\s+of\\s+the\\s+(?:\\w+\\s+)?request\\b',
        'i',
      ),
    ],
    unless: [/\b(?:none|not?|never|without)\b/i],
    states: [
      'The addresses in `links` have the filters and the `per_page` of the request.',
      'These links carry the `limit` of the request, and a cursor.',
      'The next URL includes all query parameters of the original request.',
    ],
    not: [
      'The address of the next page has a cursor.',
      'Links keep none of the parameters of the request.',
      'The link has the `id` of the record.',
    ],
  },
  'ignores-unknown': {
    means: 'unknown names in a query are ignored',
    in: ['contract', 'operation', 'parameter'],
    patterns: [
      new RegExp(
        '^(?=.*\\b(?:unknown|unrecogni[sz]ed|unsupported)\\b)' +
          '.*\\b(?:ignor(?:e|es|ed|ing)|skip(?:s|ped))\\b',
        'is',
      ),
    ],
    unless: [/\b(?:not|never) (?:ignored?|skipped)\b/i],
    states: [
      'Unknown fields are silently ignored.',
      'Names of unsupported relationships in include are ignored.',
      'The service ignores unknown properties in a filter.',
    ],
    not: [
      'Unknown fields are refused with INVALID_ARGUMENT.',
      'Unknown names are never ignored.',
      'The list ignores deleted records.',
    ],
  },
} as const satisfies Readonly<Record<string, Phrase>>;
