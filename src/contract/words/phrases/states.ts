import type { Phrase } from '../phrase.ts';

/** What contracts say of the states of records. */
export const statePhrases = {
  'allowed-states': {
    means: 'the operation is allowed only in the states that the value names',
    in: ['operation'],
    patterns: [
      /^only (?<value>.+?) (?<about>(?:can|may|must|could|are|is|takes?|accepts?) .+)$/i,
      new RegExp(
        '\\b(?:can|may)(?: only)? be (?<about>\\w+)(?: only)? (?:if|when|while) ' +
          '(?<value>(?:it|they|its|their|the)\\b.+)$',
        'i',
      ),
      /^(?:only )?(?:from|in) (?<value>the (?:status|state) .+?)(?=$|,|[.]| (?:to|back|at|otherwise)\b| \()/i,
    ],
    unless: [/\b(?:unless|except)\b/i],
    states: [
      'Only pending top-ups can be canceled.',
      'A subscription schedule can only be canceled if its status is not_started or active.',
      'From the status draft to sent at once (otherwise 400).',
    ],
    not: [
      'Only drafts can be deleted unless force is true.',
      'You can delete a draft.',
      'Closing the dispute acknowledges it as lost.',
    ],
  },
  'acts-on-states': {
    means: 'the operation acts on records in the states that the value names',
    in: ['operation'],
    patterns: [
      // A description that names no more than the record: `A submitted order`, `Of a draft`.
      new RegExp(
        '^(?:(?:[\\w ()]+ )?(?:of|to|from) )?(?<value>an? [\\w ]+?)' +
          '(?: that has (?<needs>\\w+)| without (?<lacks>\\w+)(?: becomes [^;]+)?' +
          '| (?:that|which|with|without|whose|becomes) [^;]+)?(?:[,;.].*)?$',
        'i',
      ),
      /^\w+s (?:an?|the) [\w ]+? (?<value>that (?:is|are) [\w ,-]+?)(?:, and .*|[.])?$/i,
    ],
    unless: [/\b(?:unless|except|or any|also|refused|rejected)\b/i],
    states: [
      'Cancels an order that is open or paid, and frees its seats.',
      'Of a draft, with its lines.',
      'A draft that has lines.',
    ],
    not: ['Submits the order.', 'Only drafts can be deleted.', 'The order must be a draft.'],
  },
  'never-in-states': {
    means: 'the operation never acts on records in the states that the value names',
    in: ['operation'],
    patterns: [
      new RegExp(
        '^(?<value>(?:an? |any |all )?[\\w ]+?) ' +
          "(?:(?:is|are|can|may|must|will) ?not|can't|isn't|aren't)(?: be)? (?<about>\\w+)",
        'i',
      ),
      /^not in (?<value>the (?:status|state) .+)$/i,
    ],
    unless: [/\b(?:unless|except|if|when|while|until|once|before|after|by)\b/i],
    states: [
      'A retired vehicle is not changed (FAILED_PRECONDITION, 400).',
      'Not in the status archived (400).',
      "Published posts can't be deleted.",
    ],
    not: [
      'A published post cannot be deleted unless it is empty.',
      'Only drafts can be deleted.',
      'Changes a vehicle.',
    ],
  },
  'refused-states': {
    means: 'the operation is refused in the states that the value names',
    in: ['response'],
    patterns: [
      /\b(?<value>(?:if|when|while|because|since|once|unless|until) .+)$/i,
      /^(?<value>(?:it|they|the|this|an?)\b.+?\b(?:is|are|was|were|has been|have been)\b.+)$/i,
    ],
    unless: [/\b(?:except|only|other than|must|should|cannot|ha(?:s|ve) to)\b|n't\b/i],
    states: [
      'The order is not a draft.',
      'Conflict: returned if the subscription has been canceled.',
      'Refused with 409 unless it is pending.',
    ],
    not: [
      'Somebody else changed the order.',
      'The seat has to be free if the order is paid (409).',
      'Only returned if the invoice is paid.',
    ],
  },
  'sets-state': {
    means: 'the operation brings the record into the state that the value names',
    in: ['operation'],
    patterns: [
      /\b(?:becomes?|is set to|is reset to) (?<value>.+)$/i,
      /\b(?:sets?|transitions?|changes?) .+? to (?<value>.+)$/i,
      /\bmarks? .+? as (?<value>.+)$/i,
      /^from the (?:status|state) .+? to (?<value>[\w-]+)/i,
    ],
    unless: [/^(?!from the (?:status|state)\b).*\b(?:if|when|unless)\b/i],
    states: [
      'Disables a workflow and sets the state of the workflow to disabled_manually.',
      'From the status draft to sent at once (otherwise 400).',
      'The status of the dispute will change from needs_response to lost.',
    ],
    not: [
      'If payment succeeds the subscription will become active.',
      'Returns the notifications that are read.',
      'Advancement is done when status changes to Ready.',
    ],
  },
} as const satisfies Readonly<Record<string, Phrase>>;
