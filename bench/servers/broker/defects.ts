import { namesOf, type NameOf } from '../serving/plant.ts';

/** What teams get wrong in the management of a message broker, by kind. */
export const defects = {
  credentials: {
    'any-password-accepted': 'the password is not looked at',
    'old-password-accepted': 'after a change of the password the old one is accepted as well',
    'untagged-user-let-in': 'a user without tags can use the API',
    'tags-as-text': 'whoami has the tags as a text with commas',
  },
  cluster: {
    'overview-of-all-vhosts': 'the overview counts virtual hosts that the user does not see',
    'overview-ready-only': 'the total of messages leaves out the unacknowledged ones',
    'backlog-limit-itself-fails': 'the check fails for a queue of as many messages as the limit',
  },
  definitions: {
    'export-without-arguments': 'exported queues have no arguments',
    'import-in-part': 'an import that is refused leaves what came before the conflict',
    'import-changes-queue': 'an import replaces the arguments of a queue',
    'import-counts-all': 'an import counts what existed already',
    'import-dangling-binding': 'an import can bind a queue that does not exist',
  },
  vhosts: {
    'vhosts-of-others-listed': 'the list has virtual hosts without a permission',
    'vhost-tags-kept': 'replacing a virtual host without tags keeps the old ones',
    'vhost-of-others-replaced': 'a virtual host that the user does not see can be replaced',
    'vhost-leaves-permissions': 'deleting a virtual host leaves the permissions for it',
    'vhost-by-anyone': 'a user who is no administrator can create a virtual host',
  },
  exchanges: {
    'redeclared-201': 'declaring an exchange again is answered with 201',
    'exchange-type-changed': 'declaring an exchange with another type changes it',
    'exchange-leaves-bindings': 'the bindings of a deleted exchange stay',
    'exchange-if-unused-ignored': 'if-unused does nothing for an exchange',
    'publish-in-routed-only': 'publish_in leaves out messages that reach no queue',
  },
  lists: {
    'page-count-rounded-down': 'page_count does not count the last page that is not full',
    'total-count-filtered': 'total_count is that of the filtered entries',
    'name-case-sensitive': 'name distinguishes upper and lower case',
    'regex-as-text': 'use_regex does nothing',
    'numbers-sorted-as-texts': 'numbers are sorted as texts',
    'reverse-within-page': 'sort_reverse reverses each page, not the list',
    'nested-columns-whole': 'a dotted column selects the whole object',
    'second-page-overlaps': 'pages from the second on begin one entry too early',
  },
  publishing: {
    'hash-needs-a-word': '# in a topic does not stand for no word',
    'one-copy-per-binding': 'a queue gets the message once for each binding that matches',
    'base64-not-decoded': 'a payload in base64 is stored as that text',
    'properties-lost': 'the properties of a message are not stored',
    'full-drops-newest': 'a full queue drops the new message, not the oldest one',
  },
  queues: {
    'queue-not-durable': 'a queue is not durable unless told',
    'other-arguments-accepted': 'declaring a queue with other arguments is a 204',
    'unknown-argument-accepted': 'a queue can have arguments that are not known',
    'if-empty-ignored': 'if-empty does nothing',
    'queue-if-unused-ignored': 'if-unused does nothing for a queue',
    'purge-takes-unacknowledged': 'a purge removes the unacknowledged messages too',
    'queue-of-others-shown': 'a queue can be read without a permission for its virtual host',
  },
  getting: {
    'requeued-to-the-end': 'requeued messages go to the end of the queue',
    'never-redelivered': 'a requeued message is not marked as redelivered',
    'message-count-with-itself': 'message_count of a message includes that message',
  },
  bindings: {
    'binding-twice': 'the same binding is made a second time',
    'arguments-not-compared': 'a binding with other arguments is taken for the same one',
    'location-not-encoded': 'the key in Location is not percent-encoded',
    'unbind-all-of-pair': 'deleting a binding deletes all of its pair',
    'bindings-of-any-exchange': 'the list has bindings of the queue to other exchanges',
    'missing-queue-bound': 'a queue that does not exist can be bound',
  },
  users: {
    'user-loses-permissions': 'replacing a user removes its permissions',
    'patterns-find-part': 'a pattern of a permission may match a part of the name',
    'publish-needs-configure': 'publishing looks at the pattern configure',
    'empty-patterns-keep-access': 'three empty patterns do not take the permission away',
  },
  policies: {
    'lowest-priority-applies': 'of several policies the one with the lowest priority applies',
    'deleted-policy-applies': 'a deleted policy still applies',
    'policy-limit-alone': 'the limit is that of the policy, also where that of the queue is lower',
    'apply-to-ignored': 'a policy for exchanges applies to queues',
    'priority-kept': 'replacing a policy without a priority keeps the old one',
  },
} as const;

export type DefectName = NameOf<typeof defects>;

export const defectNames: readonly DefectName[] = namesOf(defects);
