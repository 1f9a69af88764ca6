import type { Phrase } from '../phrase.ts';

/** Phrases that a check alone reads, or what a page’s mock leaves out: it is built without them. */
export const checkedPhrases = {
  'own-records-only': {
    means: 'only records of the caller can be referred to',
    in: ['contract', 'operation', 'response'],
    patterns: [
      /\b(?:can ?not|must not|may not) be (?:referenc|us)ed\b/i,
      /\b(?:does|do) not (?:have|own|belong)\b/i,
      /\bof the (?:same )?(?:account|user|tenant|organi[sz]ation|workspace|team|company)\b/i,
      /\b(?:an)?other (?:account|user|tenant|organi[sz]ation|workspace|compan)/i,
      /\bonly (?:by|to|for) (?:the|its|their) \w+ (?:that|who|which)\b/i,
    ],
    states: [
      'Payment methods attached to other accounts cannot be used with this PaymentIntent.',
      'Not found, if the user does not have access to the project',
      'Invoices are seen only by the customer that they were written for.',
    ],
    not: ['Creates a user.', 'The account is closed.', 'Refused if the name is taken.'],
  },
  'done-already': {
    means: 'it is refused because it has been done before',
    in: ['response'],
    patterns: [
      /\b(?:is|are|was|were|been)\b[^.;]*\balready\b|\balready\W*$/i,
      /\balready (?:been )?\w+(?:ed|en|id)\b/i,
    ],
    unless: [/\b(?:exists?|another|taken|in use|used|unique|name|has an?)\b/i],
    states: [
      'You are subscribed already',
      'The invoice has already been paid.',
      '409 if the project is archived already.',
    ],
    not: [
      'A user with this email already exists.',
      'The name is already in use.',
      'The order was changed meanwhile.',
    ],
  },
  'empty-placed': {
    means: 'where records without a value stand in an ordered list',
    in: ['operation', 'parameter'],
    patterns: [
      /\bwithout (?:an? |the |its |any )?[\w` ]*?\b(?:comes?|are|is|stands?|sorted|listed) (?<value>first|last)\b/i,
      /\b(?:nulls?|empty values) (?:(?:come|are|stand|sorted|listed) )?(?<value>first|last)\b/i,
    ],
    states: [
      'Tasks without a due date come last in both directions.',
      'Records without a value in the `sort` field are listed first.',
      'Ascending, nulls last.',
    ],
    not: [
      'Tasks without a due date are not listed.',
      'The last tasks come first.',
      'Sorted by due date.',
    ],
  },
  'newest-first': {
    means: 'the list begins with the records that were made last',
    in: ['operation'],
    patterns: [/\b(?:newest|latest|most\s+recent)(?:\s+\w+)?\s+first\b/i],
    unless: [/\b(?:oldest|if|when|whether|unless|can|may|sort|order|=)/i],
    states: [
      'Newest first, without replies.',
      'The messages of a channel, the most recent ones first.',
      'Lists events, latest first.',
    ],
    not: [
      'With `sort=desc`, newest first.',
      'Newest first, or oldest first.',
      'The latest version is shown first if it is stable.',
    ],
  },
  'oldest-first': {
    means: 'the list begins with the records that were made first',
    in: ['operation'],
    patterns: [
      /\b(?:oldest|earliest)(?:\s+\w+)?\s+first\b/i,
      /\bin (?:ascending )?chronological order\b/i,
      /\boldest to newest\b/i,
    ],
    unless: [/\b(?:newest first|reverse|if|when|whether|unless|can|may|sort|order=|=)/i],
    states: [
      'The message that started it, then its replies, oldest first.',
      'Returns the events of an issue in chronological order.',
      'Display the conversation in natural time order (oldest to newest)',
    ],
    not: [
      'Returns the events in reverse chronological order.',
      'With `sort=asc`, oldest first.',
      'Newest first, or oldest first.',
    ],
  },
  'sorted-unless-asked': {
    means: 'the order holds where no other one is asked for',
    in: ['operation'],
    patterns: [/\b(?:without|unless|by default|otherwise|if no (?:sort|order)\w*)\b/i],
    states: [
      'By default, issue comments are ordered by ascending ID.',
      'If no sort option is provided, the collections are sorted by creation date.',
      'Sorted by name unless `sort` says otherwise.',
    ],
    not: [
      'Attributes are paginated and sorted by code.',
      'Sorts the list.',
      'The default page has ten records.',
    ],
  },
  'names-unknown-record': {
    means: 'it is refused because it names a record that does not exist',
    in: ['operation', 'response'],
    patterns: [/\b(?:referenc|refers|does not exist|unknown|no such)/i],
    states: [
      'No such channel exists, or no such user exists.',
      'Resource not found or does not exist',
      'The plan is unknown.',
    ],
    not: ['The request is invalid.', 'The record exists.', 'Not found'],
  },
  'refuses-unknown-references': {
    means: 'a reference to a record that does not exist is refused, in every body',
    in: ['contract'],
    patterns: [
      /\bunknown (?:ids?|identifiers?|references?)\b.*\b(?:4\d\d|refused|rejected|errors?|invalid)\b/i,
      /\breferenced? (?:\w+ )?(?:must|has to|have to) exist\b/i,
      /\breferences? to .*\bdo(?:es)? not exist\b.*\b(?:4\d\d|refused|rejected|errors?|invalid)\b/i,
    ],
    unless: [/\b(?:ignored|not refused)\b/i],
    states: [
      'A reference to a record that does not exist or is deleted is refused (422).',
      'Unknown references are refused with 422.',
      'Every referenced record must exist.',
    ],
    not: [
      'Unknown fields are ignored.',
      'An id that is unknown is answered with an empty list.',
      'The reference of the API.',
    ],
  },
  'keeps-bytes': {
    means: 'a file comes back as it was sent',
    in: ['operation', 'response'],
    patterns: [/\b(?:same|identical|unchanged|exactly)\b/i, /\bbytes?\b/i],
    states: [
      'The file, byte for byte.',
      'Returns the identical content.',
      'The image exactly as it was uploaded.',
    ],
    not: ['A thumbnail of the image.', 'Downloads the file.', 'The file is converted.'],
  },
  'applies-defaults': {
    means: 'what a request leaves out gets its default',
    in: ['operation'],
    patterns: [/\bdefaults?\b/i],
    states: [
      'Fields that are left out get their defaults.',
      'If not present, it will default to `curl`.',
      'Members without a value are set to their default.',
    ],
    not: ['Replaces the record.', 'Members that are left out stay unchanged.', 'Updates it.'],
  },
  'of-one-page': {
    means: 'the total is not that of all records that match',
    in: ['field'],
    patterns: [
      /\b(?:this|the|current|each|per) page\b/i,
      /\b(?:approximat\w*|estimate\w*|regardless of|unfiltered)\b/i,
    ],
    states: [
      'The number of records on the current page.',
      'Approximate number of results.',
      'The total number of records, regardless of filters.',
    ],
    not: ['The total number of activities', 'How many records match.', 'The number of pages.'],
  },
  'counts-its-page': {
    means: 'it is the number of records in its answer',
    in: ['field'],
    patterns: [
      /\bnumber of (?:the )?\w+ (?:(?:that are )?(?:returned|included|contained|shown) )?(?:in|on) (?:the|this) (?:current )?(?:page|response|answer|body)\b/i,
    ],
    unless: [/\b(?:max\w*|at most|up to|requested|per page)\b/i],
    states: [
      'Actual number of items returned in the response body.',
      'The number of records on this page.',
      'Number of the results included in the response.',
    ],
    not: [
      'The total number of records.',
      'The maximum number of items returned in the response.',
      'The number of the page.',
    ],
  },
  'links-to-next': {
    means: 'a Link field leads to the next page',
    in: ['contract', 'operation', 'parameter', 'response'],
    patterns: [/\blink\b[^.]*\bnext\b/i],
    states: [
      'Refer to the `link` header for the next and previous page cursors.',
      'Paginated collections will include a next link: rel="next".',
      'Use the Link header to get the URL for the next page of results.',
    ],
    not: [
      'The link to the record.',
      'The next release is published soon.',
      'A cursor for the next page.',
    ],
  },
  'shows-deleted': {
    means: 'a read shows a record that is deleted, too',
    in: ['operation'],
    patterns: [
      /\b(?:including|even(?: if)?)\b[^,;:]*\bdeleted\b/i,
      /\bdeleted\b[^,;:]*\b(?:too|as well)\b/i,
    ],
    unless: [/\b(?:not|never|no longer|without|except|unless|when)\b|n't\b/i],
    states: [
      'Returns the project, including soft-deleted ones.',
      'Gets an artifact, even if deleted.',
      'Deleted users are returned as well.',
    ],
    not: [
      'Deleted users are not returned.',
      'Its comments are deleted, even those of others.',
      'Gets a record.',
    ],
  },
  'may-differ': {
    means: 'what is sent need not come back: it is ignored, cleared, or shown at times',
    in: ['field'],
    patterns: [
      /(?:^|\b(?:is|are|be|field|value|silently) )ignored\b/i,
      /\b(?:cleared|reset|unset|emptied|overwritten|overridden)\b/i,
      new RegExp(
        '\\bonly (?:be )?(?:returned|shown|included|present|filled|populated|expanded)\\b|' +
          '\\b(?:returned|shown|included|present|filled|populated|expanded) only\\b',
        'i',
      ),
    ],
    unless: [/\b(?:not|never|cannot be)\b/i, /\b(?:case|blanks?|spaces?|whitespace)\b/i],
    states: [
      'Ignored when a depot is created.',
      'Cleared as soon as another status is set.',
      'Only returned where include names it.',
    ],
    not: ['The list of ignored files.', 'Upper and lower case is ignored.', 'It is never cleared.'],
  },
  'set-by-service': {
    means: 'the service sets the field itself',
    in: ['field'],
    patterns: [
      /\bread[- ]?only\b/i,
      /^\W*set to\b/i,
      new RegExp(
        '\\b(?:assigned|set|generated|computed|calculated|filled in|managed|maintained) ' +
          '(?:automatically|by the (?:server|service|system|api|backend))\\b',
        'i',
      ),
      /\bautomatically (?:assigned|set|generated|computed|calculated)\b/i,
      /\b(?:calculated|computed|derived|inferred) (?:using|from)\b/i,
    ],
    states: [
      'Populated by the system. Read-only.',
      'Generated by the server.',
      'The total, calculated from the lines.',
    ],
    not: ['Set it to hide the record.', 'Generated passwords are allowed.', 'The name.'],
  },
  'repeats-header': {
    means: 'the field has the value of a header of the response',
    in: ['field'],
    patterns: [
      new RegExp(
        '^(?:[Aa]s|[Ii]s|[Tt]he (?:same|value)|[Ss]ame|[Ee]quals?|[Aa]lso|[Rr]epeats)\\b' +
          '[\\w ,]*?\\b(?<value>X(?:-[A-Z]\\w*)+|\\w+-Id)\\b',
      ),
    ],
    states: [
      'as X-Request-Id',
      'The value of the header X-Correlation-Id.',
      'Same as the Request-Id header.',
    ],
    not: [
      'Send it as X-Api-Key later.',
      'The identifier of the request.',
      'Limits are in X-RateLimit-Limit.',
    ],
  },
  'http-status': {
    means: 'the field holds the HTTP status',
    in: ['field'],
    patterns: [/\bhttp\b.*\bstatus\b/i, /\bstatus code\b/i],
    states: ['The HTTP status code', 'HTTP response status.', 'The status code of this response.'],
    not: ['The status of the order.', 'The code of the product.', 'Sent over HTTP.'],
  },
  'is-http-status': {
    means: 'the field is nothing but the HTTP status',
    in: ['field'],
    patterns: [/^(?:the )?http (?:response )?status(?: code)?\b/i],
    states: ['The HTTP status.', 'HTTP response status code.', 'HTTP status code of the error.'],
    not: [
      'Suggested HTTP return code for this status, 0 if not set.',
      'The status code, an enum value of google.rpc.Code.',
      'Sent with the HTTP status 400.',
    ],
  },
  'all-or-nothing': {
    means: 'either all entries are handled, or none',
    in: ['operation'],
    patterns: [
      /\b(?:all or nothing|none (?:is|are)|atomic(?:ally)?|either all|as a whole)\b/i,
      /\ball\b.+\bor none\b/i,
    ],
    unless: [/\b(?:not|atomic number)\b/i],
    states: [
      'The whole operation is atomic: if any part fails the environment is left unchanged.',
      'If one entry is invalid, none is created.',
      'All or nothing.',
    ],
    not: [
      'The atomic number of the element.',
      'The batch is not atomic.',
      'Creates all entries that are valid.',
    ],
  },
  'ends-session': {
    means: 'what a client logged in with is refused afterwards',
    in: ['operation'],
    patterns: [
      new RegExp(
        '\\b(?:ends?|clos(?:es?|ing)|terminat\\w+|invalidat\\w+|revok\\w+|destroy\\w*|delet\\w+)' +
          '\\b.*\\b(?:session|token|cookie|credential)\\b',
        'i',
      ),
    ],
    unless: [/\b(?:not|all|every\w*|sessions|client)\b/i],
    states: [
      'End the session of the cookie',
      'Invalidates the access token of the caller.',
      'Logs out and destroys the current session.',
    ],
    not: [
      'Logs out the current user.',
      'Does not revoke the token.',
      'Ends all sessions of the user.',
    ],
  },
  'no-other-moves': {
    means: 'a change of a state that no sentence names is refused',
    in: ['operation'],
    patterns: [
      /\b(?:all|any|every)(?:thing)? else\b|\b(?:all|any|no) other (?:moves?|transitions?)\b|\bother (?:moves|transitions|changes of (?:the )?(?:state|status))\b/i,
    ],
    states: [
      'Anything else is a 409.',
      '409 for other moves.',
      'All else is a 422, as are other transitions.',
    ],
    not: ['Sends it to other people.', 'Nothing changes.', 'The other members stay.'],
  },
  'may-be-repeated': {
    means: 'the operation succeeds again on a record on which it was done',
    in: ['operation'],
    patterns: [
      /\b(?:already|again|twice)\b.*\b(?:20\d|as it is|unchanged|nothing|no effect|succeeds)\b/i,
    ],
    unless: [/\b4\d\d\b|\brefused\b/i],
    states: [
      'One that is cancelled already is answered as it is.',
      'Archiving it twice has no effect.',
      'Cancelling it again is a 200.',
    ],
    not: ['409 if it is closed already.', 'Sends the invoice again.', 'Nothing is sent.'],
  },
  'id-is-of-path': {
    means: 'a body whose identifier is not that of the path is refused',
    in: ['operation', 'contract'],
    patterns: [
      new RegExp(
        '\\b(?:id|identifier)\\b.*\\b(?:that of|(?:the )?same as|match(?:es)?|equals?|equal to)' +
          '\\b.*\\b(?:address|path|ur[li])\\b.*\\b(?:4\\d\\d|refused|rejected)\\b',
        'i',
      ),
    ],
    unless: [/\b(?:ignored|not refused)\b/i],
    states: [
      'The whole patient, whose `id` is that of the address (400).',
      'The id in the body must match the id in the path, otherwise it is a 409.',
      'An identifier that is not the same as in the URL is refused.',
    ],
    not: [
      'The id in the body is ignored.',
      'The id of the path is that of the record.',
      'A path that matches no record is refused.',
    ],
  },
  'takes-seconds': {
    means: 'it is done after as many seconds as the value says',
    in: ['operation'],
    patterns: [/\b(?:within|in|after)\s+(?<value>\w+)\s+seconds?\b/i],
    states: [
      'Makes changes available for verification within 30 seconds across all regions.',
      'The job is done within two seconds.',
      'The link expires after 10 seconds.',
    ],
    not: ['How many seconds it takes.', 'Within a few minutes.', 'The time in UTC.'],
  },
  'has-order': {
    means: 'two fields have an order, in a sentence that names the status of the refusal',
    in: ['field', 'operation'],
    patterns: [
      new RegExp(
        '\\b(?<refused>4\\d\\d)\\b.*\\b(?:if|when) (?:the |its )?`?(?<field>\\w+)`? ' +
          '(?:is|comes|lies) (?<side>after|before|behind|later than|earlier than) ' +
          '(?:the |its )?(?<value>`?\\w+`?)',
        'i',
      ),
      new RegExp(
        '`?(?<field>\\w+)`?(?:, if [^,]+,)? (?:is|comes|lies) ' +
          '(?<side>after|before|behind|later than|earlier than) ' +
          '(?:the |its )?(?<value>`?\\w+`?) \\(4\\d\\d\\)',
        'i',
      ),
    ],
    states: [
      '400 if `start_date` is after `due_date`.',
      '`validUntil`, if there is one, is behind `validFrom` (422).',
      'It is a 422 when the end is before the start.',
    ],
    not: ['404 if it was deleted before.', 'The end is after the start.', 'It is late (409).'],
  },
  unasked: {
    means: 'a filter that is not asked for leaves records out',
    in: ['operation', 'parameter'],
    patterns: [
      /\bwithout `?(?<asked>\w+)`?,? only (?:the )?`?(?<only>\w+)`?(?: ones)?\b/i,
      new RegExp(
        '\\b(?<never>\\w+)(?: ones| \\w+)? (?:are|is) ' +
          '(?:given|shown|listed|returned|included|there) ' +
          'only (?:with|for|if|when) (?:`|(?=\\w+=))(?<asked>\\w+)\\b',
        'i',
      ),
    ],
    states: [
      'Without `status` only the published ones.',
      'Archived members are given only with `status=archived`.',
      'Without it, only open ones.',
    ],
    not: ['Only the published ones.', 'Without a body.', 'Times are given only with an offset.'],
  },
  'of-some': {
    means: 'only some records have it',
    in: ['field'],
    patterns: [
      /\bonly (?:for |with |of |in |if |when |where |on |\w+ (?:have|has)\b)/i,
      /\b(?:empty|none|null|absent|ignored) unless\b/i,
    ],
    states: ['Only texts have one.', 'Empty unless it is a dropdown.', 'Only for companies.'],
    not: ['Only letters and digits.', 'The only name of it.', 'All records have it.'],
  },
  'comes-after': {
    means: 'the moment has an order to that of the field which the sentence names',
    in: ['field'],
    patterns: [
      new RegExp(
        '\\b(?<value>not before|no earlier than|after|later than|not after|no later than|' +
          'before)\\b',
        'i',
      ),
    ],
    states: [
      'Not before from.',
      'Personal Access Tokens cannot be renewed, so after this time the token is unusable.',
      'Always after startsAt.',
    ],
    not: ['When it was created.', 'The afternoon of that day.', 'The end of the period.'],
  },
  'must-be-in-state': {
    means: 'what is named has to be in the state that the value names',
    in: ['operation', 'field'],
    patterns: [
      /^(?<about>.*?)\b(?:must|has to|have to|needs? to) be (?!not\b)(?<value>[^.,;:()]+)/i,
      /^(?<about>)an? (?<value>\w+) \w+ \(4\d\d\)\W*$/i,
    ],
    unless: [/\b(?:if|when|while|unless|except|until|once)\b/i],
    states: [
      'An active client (422)',
      'The product offerings must be Active.',
      'The customer must be there and active.',
    ],
    not: [
      'It must not be closed.',
      'Once paid, the invoice must be closed.',
      'The queue may be active.',
    ],
  },
} as const satisfies Readonly<Record<string, Phrase>>;
