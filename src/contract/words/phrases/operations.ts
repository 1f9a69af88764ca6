import type { Phrase } from '../phrase.ts';

/** How texts say that something is refused: `are refused`, `get 400`, `is INVALID_ARGUMENT`. */
const isRefused =
  '\\b(?:are|is|gets?|gives?|returns?|causes?|leads? to|results? in)\\s+(?:an?\\s+)?' +
  '(?:refused|rejected|invalid|errors?|4\\d\\d|INVALID_ARGUMENT)\\b';

/** What contracts say of the effects of operations, and of what they refuse. */
export const operationPhrases = {
  'answers-as-first': {
    means: 'a request with a value that came before does nothing, and gets the answer to the first',
    in: ['operation', 'field'],
    patterns: [
      /\bidempoten(?:t|ce|cy)\b/i,
      new RegExp(
        '^(?=.*\\b(?:request|call|message|operation|submission|transaction|payment)s?\\b)' +
          '.*\\b(?:repetition|repeat(?:ed|ing)?|retr(?:y|ies|ied|ying)|resen[dt]) ' +
          '.*\\b(?:first|same|original|existing|once|nothing|ignored?)\\b',
        'im',
      ),
      /\brepeated with the same [\w"'`-]+.*\b(?:answers?|returns?|responds?|gives?|gets?)\b/i,
    ],
    unless: [/\b(?:not idempotent|refused|rejected|fails?|error|conflict|[45]\d\d)\b/i],
    states: [
      'A unique, case-sensitive identifier that you provide to ensure the idempotency of the call.',
      'A repetition with the same key posts nothing and responds with the first message.',
      'Repeated with the same order_key, gives the number of the order made before.',
    ],
    not: [
      'A repeated name is refused, even if the first request was long ago.',
      'Retries use the same queue.',
      'This operation is not idempotent.',
    ],
  },
  'names-fields': {
    means: 'it names the fields of a record that a response shows',
    in: ['parameter'],
    patterns: [
      new RegExp(
        '\\b(?:fields|properties|attributes|columns|members)\\b.*' +
          '\\b(?:return(?:ed)?|response|result|shown?|includ(?:e|ed)|selected|provided|' +
          'answer(?:ed)? with)\\b',
        'i',
      ),
      /\b(?:selects?|returns?|shows?|limits?)\b.*\b(?:fields|properties|attributes|columns)\b/i,
    ],
    unless: [/\b(?:search|sort|order|match|exclude|omit|not)\w*\b/i],
    states: [
      'Comma-separated properties to be provided in response',
      'The fields to return, separated by commas.',
      'Members to answer with, e.g. name,size.',
    ],
    not: [
      'The fields to search in.',
      'Sorts by these properties of the result.',
      'A list of names.',
    ],
  },
  'reads-across': {
    means: 'a hyphen in the place of a parent stands for all of them',
    in: ['operation', 'parameter'],
    patterns: [/(?=.*[`"']-[`"']).*\b(?:all|any|every|across|wildcard)\b/i],
    states: [
      'To list the clusters of all locations, use "-" as the location.',
      'The wildcard `-` stands for the locations of the project.',
      "Specify '-' to list jobs across zones.",
    ],
    not: [
      'All names may have a -.',
      'The range `1-5` of all pages.',
      'A hyphen separates the parts of every name.',
    ],
  },
  'refuses-strays': {
    means: 'query parameters that the operation does not declare are refused',
    in: ['contract', 'operation'],
    patterns: [
      new RegExp(
        '\\b(?:un(?:known|declared|documented|listed|recogni[sz]ed|supported|expected)|other|' +
          'additional|extra)\\s+(?:(?:names\\s+and\\s+|query\\s+|system\\s+)+options?|' +
          `(?:query\\s+|string\\s+)*parameters?)\\b[^.;]*?${isRefused}`,
        'i',
      ),
      new RegExp(
        '\\b(?:parameters|query\\s+options)\\s+(?:that|which)\\s+are\\s+not\\s+' +
          '(?:\\w+\\s+){0,2}(?:named|listed|declared|documented|described|defined|known)\\b' +
          `[^.;]*?${isRefused}`,
        'i',
      ),
    ],
    unless: [/\bignored\b/i, /\bnot\s+(?:refused|rejected|an\s+error)\b/i],
    states: [
      'Unknown query parameters are rejected with an error.',
      'Fields and query parameters that are not named here are refused with INVALID_ARGUMENT.',
      'Other names and options, and those with a wrong syntax or type, are 400.',
    ],
    not: [
      'Unknown query parameters are ignored.',
      'Other fields are refused with 400.',
      'Additional parameters may be sent.',
    ],
  },
} as const satisfies Readonly<Record<string, Phrase>>;
