import { namesOf, type NameOf } from '../serving/plant.ts';

/** What teams get wrong in a marketing API of lists, members and campaigns, by kind. */
export const defects = {
  answers: {
    'member-exists-200': 'an address that the list has is answered with 200 and its member',
    'problem-as-json': 'problems have the type application/json',
    'instance-differs': 'instance is not the X-Request-Id of the answer',
    'archive-answers-200': 'archiving a member is answered with 200 and a body',
    'challenge-missing': 'a 401 has no WWW-Authenticate',
    'self-link-broken': 'the self link of a member has its address in place of the hash',
    'count-1001-accepted': 'a count of 1001 is accepted',
    'negative-offset-500': 'a negative offset is an unhandled error',
    'status-archived-accepted': 'a member can be added as archived',
    'number-as-text-accepted': 'a merge field for numbers takes any text',
    'required-field-skipped': 'a new member needs no value for a required merge field',
    'schedule-off-quarter': 'a campaign can be scheduled at any minute',
  },
  lists: {
    'total-of-page': 'total_items is the number of records in the page',
    'offset-counts-pages': 'offset is taken for the number of the page',
    'archived-listed': 'archived members stay in the list of members',
    'since-opt-excludes-moment': 'since_timestamp_opt leaves out the moment itself',
    'times-compared-as-texts': 'times are compared as texts, whatever their offset',
    'before-send-finds-unsent': 'before_send_time finds campaigns without a send time',
    'vip-only-false-filters': 'vip_only=false finds only VIPs',
    'sort-dir-ignored': 'sort_dir does nothing',
    'fields-parent-whole': 'fields gives all of a nested object for one of its names',
    'exclude-dotted-ignored': 'exclude_fields does nothing for names with dots',
    'list-email-case-matters': 'email finds lists only by the address in the same case',
  },
  records: {
    'merge-fields-replaced': 'a change of one merge field takes the others away',
    'put-takes-status-if-new': 'PUT gives status_if_new to a member that exists',
    'put-drops-tags': 'PUT takes the tags of a member away',
    'hash-of-address-as-given': 'ids are the MD5 of addresses in the case they were given',
    'old-hash-answers': 'a member is found under the hash of its former address too',
    'archived-returns-empty': 'a member that comes back from the archive has no merge fields',
    'settings-replaced': 'a change of one setting of a campaign empties the others',
    'refused-change-kept': 'a change that is refused for a merge field has changed the rest',
    'deleted-field-remains': 'members keep the values of a merge field that was deleted',
    'default-not-shown': 'members that were there before a merge field do not get its default',
    'last-changed-still': 'a change of a member leaves last_changed',
  },
  references: {
    'merge-tag-taken': 'a list can have two merge fields with one tag',
    'segment-of-other-list': 'a campaign can have a segment of another list',
    'segment-frozen': 'a saved segment keeps the members of when it was added',
    'any-taken-for-all': 'a segment that matches any condition needs all of them',
    'tag-not-a-segment': 'tags are not among the segments of the list',
    'list-name-stays': 'campaigns show the former name of a list',
    'list-with-schedule-deleted': 'a list with a scheduled campaign can be deleted',
  },
  states: {
    'cleaned-resubscribed': 'a cleaned member can be subscribed',
    'cleaned-by-batch': 'a batch subscribes cleaned members',
    'send-twice': 'a campaign that was sent can be sent again',
    'scheduled-changed': 'a scheduled campaign can be changed',
    'unscheduled-send-time': 'an unscheduled campaign keeps its send_time',
    'replica-is-sent': 'the replica of a sent campaign is sent too',
    'reason-stays': 'a member that is subscribed again keeps its unsubscribe_reason',
  },
  figures: {
    'pending-counted': 'member_count counts pending members',
    'unsubscribes-only-grow': 'unsubscribe_count keeps those that subscribed again',
    'sent-to-all': 'a campaign is sent to members that are not subscribed',
    'recipients-without-segment': 'recipient_count is that of the list, whatever the segment',
    'since-send-not-reset': 'member_count_since_send goes on after a campaign was sent',
  },
  batches: {
    'batch-stops-at-error': 'entries behind one that is not possible are left out',
    'batch-updates-unasked': 'a batch without update_existing changes members',
    'batch-repeats-taken': 'an address twice in a batch is taken twice',
  },
  access: {
    'any-key-accepted': 'any API key is accepted',
    'members-of-other-account': 'the members of a list of another account can be listed',
    'campaign-of-other-sent': 'a campaign of another account can be sent',
    'campaign-to-list-of-other': 'a campaign can be for a list of another account',
  },
} as const;

export type DefectName = NameOf<typeof defects>;

export const defectNames: readonly DefectName[] = namesOf(defects);
