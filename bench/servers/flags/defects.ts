import { namesOf, type NameOf } from '../serving/plant.ts';

/** What teams get wrong in an API for feature flags, by kind. */
export const defects = {
  lists: {
    'limit-101-accepted': 'a limit of 101 is accepted',
    'total-of-page': 'totalCount counts the page',
    'total-counts-archived': 'totalCount of flags counts those that are archived',
    'next-loses-filter': 'the address of the next page has not the filter of the request',
    'offset-in-pages': 'offset counts pages, not records',
    'page-before-sort': 'the page is sorted, not the list',
  },
  filters: {
    'filter-first-part-only': 'of several parts of a filter only the first counts',
    'filter-unknown-accepted': 'a name that the filter of a list does not know is ignored',
    'query-in-keys-only': 'query does not find names',
    'tags-any': 'of several tags one is enough',
    'archived-listed': 'archived flags are listed without being asked for',
    'on-in-any-environment': 'on finds flags that are on in any environment',
    'env-ignored-in-list': 'env does nothing in the list of flags',
    'expand-ignored-in-list': 'expand does nothing in the list of projects',
  },
  patches: {
    'patch-test-ignored': 'a test of a JSON Patch that fails is passed over',
    'add-at-index-replaces': 'add at an index of an array replaces the entry there',
    'read-only-accepted': 'a patch of a property that is read-only is answered, and does nothing',
    'unknown-instruction-skipped': 'an instruction of an unknown kind is left out',
    'comment-not-required': 'an environment that requires comments takes instructions without one',
    'target-in-two-variations': 'a target that is added to a variation stays in the other one',
  },
  atomicity: {
    'refused-patch-kept': 'a JSON Patch that is refused has kept what came before its fault',
    'refused-instructions-kept': 'instructions that are refused have kept those before the fault',
    'refused-invitations-kept': 'of invitations that are refused the others are members',
  },
  versions: {
    'version-per-instruction': '_version grows with each instruction',
    'version-without-change': '_version grows with a patch that changes nothing',
    'versions-of-all-environments': 'a change in one environment moves the versions of all',
    'copy-version-ignored': 'a copy does not look at currentVersion',
    'last-modified-still': 'a change in an environment leaves lastModified',
  },
  states: {
    'archived-changed': 'an archived flag can be changed',
    'archived-date-stays': 'a flag that is restored keeps archivedDate',
    'archived-evaluated': 'archived flags are evaluated',
    'prerequisite-archived': 'a flag that is a prerequisite can be archived',
    'prerequisite-deleted': 'a flag that is a prerequisite can be deleted',
    'last-admin-demoted': 'the last admin can get another role',
  },
  references: {
    'prerequisite-circle': 'two flags can be prerequisites of each other',
    'prerequisite-missing': 'a prerequisite can be a flag that does not exist',
    'variation-in-use-removed': 'a variation with targets can be removed',
    'indexes-stay-after-removal': 'indexes behind a variation that is removed do not move up',
    'segment-in-use-deleted': 'a segment that a rule names can be deleted',
    'environment-stays-in-flags': 'flags keep their settings of a deleted environment',
  },
  evaluation: {
    'weights-not-summed': 'the weights of a rollout can add up to anything',
    'summary-counts-entries': 'the summary counts the variations with targets, not the targets',
    'last-rule-decides': 'the last rule that matches decides',
    'negated-absent-matches': 'a negated clause matches where the attribute is absent',
    'off-prerequisite-met': 'a prerequisite that is off is met by its offVariation',
    'excluded-by-clauses': 'a context that is excluded is in the segment by its clauses',
  },
  uniqueness: {
    'flag-key-taken-replaces': 'a new flag with a key that is taken replaces the old one',
    'email-taken-in-other-case': 'a member is invited again in another case of letters',
  },
  access: {
    'any-token-accepted': 'any access token is accepted',
    'reader-changes-flags': 'a reader can change flags',
    'revoked-token-works': 'a token that is revoked still works',
    'project-of-other-account': 'a project of another account can be read',
    'audit-of-other-account': 'the audit log has the entries of all accounts',
    'token-listed': 'the list of access tokens has the tokens',
  },
  errors: {
    'missing-project-empty': 'a project that does not exist has an empty list of flags',
    'unknown-property-accepted': 'a property that is not described is ignored in a new flag',
  },
  'audit-log': {
    'comment-lost': 'the comment in the envelope of a JSON Patch is not in the audit log',
    'copy-not-logged': 'a copy writes no entry',
    'refusal-logged': 'a patch that is refused writes an entry',
    'before-includes-it': 'before finds entries of this moment too',
  },
} as const;

export type DefectName = NameOf<typeof defects>;

export const defectNames: readonly DefectName[] = namesOf(defects);
