import { namesOf, type NameOf } from '../serving/plant.ts';

/** What teams get wrong in a service of a public transport authority, by kind. */
export const defects = {
  answers: {
    'target-missing': 'errors do not tell which member is at fault',
    'request-id-differs': 'requestId of an error is not that of the header',
    'broken-json-500': 'a body that is no JSON is an internal error',
    'departure-times-local': 'the times of departures have no offset',
  },
  network: {
    'coordinates-swapped': 'lat and lon of stops are exchanged',
    'line-ends-know-no-line': 'the last stop of a line does not have the line in its lineIds',
    'terminus-departs': 'trips are shown among the departures of their last stop',
    'expected-time-without-delay': 'expectedTime is the planned time also where there is a delay',
  },
  filters: {
    'bbox-latitude-first': 'bbox is read as south, west, north, east',
    'until-inclusive': 'a departure at the moment until is listed',
    'offset-ignored': 'the offset of from and until of departures is not looked at',
    'severity-first-only': 'of several severities only the first one is looked for',
    'active-at-misses-open-ended': 'activeAt does not find messages until further notice',
    'modified-since-compares-created': 'modifiedSince does not find messages that were changed',
    'withdrawn-by-default': 'without a status, withdrawn messages are listed as well',
    'stop-filter-misses-via': 'stopId does not find journeys that pass there',
  },
  order: {
    'near-by-id': 'stops near a place come by id',
    'severity-by-alphabet': 'severities are ordered by the alphabet',
  },
  pages: {
    'next-page-repeats-last': 'the next page begins with the last record of the page before',
    'total-of-page': 'total counts the records of the page',
    'next-forgets-filters': 'the link to the next page has no filters',
  },
  selection: {
    'fields-drop-id': 'with fields, the id is there only if it is named',
    'lang-loses-to-header': 'Accept-Language wins over lang',
    'weights-ignored': 'the first language of Accept-Language is taken, whatever its weight',
  },
  caching: {
    'tag-stays': 'the ETag of a service message stays the same when it is changed',
    'private-cached': 'caches may store the records of partners',
    'trip-tag-stays': 'the ETag of a trip does not look at the seats that are left',
  },
  preconditions: {
    'old-tag-accepted': 'a change with an old tag is made',
    'refused-patch-kept': 'a change that is refused for its tag is stored',
  },
  creates: {
    'days-default-all': 'a journey without days is for all seven',
    'status-from-body': 'the status of a new service message can be sent',
  },
  updates: {
    'null-leaves-member': 'null in a patch of a service message leaves the member',
    'put-keeps-note': 'replacing a journey without a note keeps the old one',
    'patch-resets-stops': 'a patch without stopIds empties them',
    'modified-at-stays': 'modifiedAt of a service message stays the same when it is changed',
  },
  unique: {
    'name-in-capitals-free': 'the name of another journey in capitals is accepted',
    'rename-to-taken': 'a journey can be replaced by one with the name of another journey',
  },
  states: {
    'over-published': 'a message whose validity is over can be published',
    'withdrawn-changed': 'a withdrawn message can be changed',
    'published-lines-changed': 'the lines of a published message can be changed',
    'pending-activated': 'a subscription becomes active by a patch, without a code',
    'third-code-locks-not': 'wrong codes never lock a subscription',
  },
  members: {
    'destination-changed': 'a patch changes the destination of a confirmed subscription',
    'secret-shown': 'the secret of a web hook is shown',
  },
  references: {
    'unknown-stop-saved': 'a journey may pass stops that do not exist',
    'journey-leaves-subscriptions': 'the subscriptions to a deleted journey stay',
    'alerts-count-all': 'activeAlerts counts subscriptions that are not active',
  },
  orders: {
    'group-from-six': 'the discount of groups begins with six passengers',
    'discount-on-bicycles': 'groups get 10 % off bicycles too',
    'refund-always-whole': 'a late cancellation refunds everything',
    'seats-not-given-back': 'a cancelled order keeps its seats',
    'last-seats-oversold': 'one passenger more than there are seats left can be booked',
  },
  idempotency: {
    'key-books-twice': 'a repetition with the same Idempotency-Key books again',
    'key-shared': 'an Idempotency-Key of another account gets the order of that account',
  },
  credentials: {
    'key-not-checked': 'any X-Api-Key is accepted',
    'journey-of-other-shown': 'a journey of another account can be read',
    'order-of-other-cancelled': 'an order of another account can be cancelled',
    'drafts-of-others-listed': 'drafts are listed to all with status=draft',
    'partner-drafts': 'accounts that are no operators can draft messages',
  },
  limits: {
    'remaining-stays': 'X-RateLimit-Remaining does not count down',
  },
} as const;

export type DefectName = NameOf<typeof defects>;

export const defectNames: readonly DefectName[] = namesOf(defects);
