import { namesOf, type NameOf } from '../serving/plant.ts';

/** What teams get wrong in an API of stored files, by kind. */
export const defects = {
  listings: {
    'page-skips-entry': 'the pages behind the first begin one entry too late',
    'full-page-has-more': 'has_more is true on a last page that is full',
    'recursive-lost-on-continue': 'the further pages of a recursive listing are not recursive',
    'folder-by-prefix': 'a recursive listing has folders whose names only begin alike',
    'deleted-listed': 'a listing has deleted entries that were not asked for',
    'capitals-first': 'entries are sorted by path_display, capitals first',
    'changes-miss-deletions': 'the changes of a folder leave out what was deleted',
    'changes-miss-moves': 'the changes of a folder leave out what was moved away',
    'changes-of-whole-home': 'the changes of a folder are those of everything',
  },
  paths: {
    'path-case-sensitive': 'a path in another case is not found',
    'display-stale-in-moved-folder': 'path_display of what lies in a moved folder is the old one',
    'change-of-case-refused': 'a move that only changes the case of a name is a conflict',
    'file-as-folder': 'a file can be uploaded below a file',
    'number-behind-extension': 'autorename puts the number behind the extension',
    'autorename-tries-once': 'autorename gives up if its first name is taken',
  },
  writes: {
    'add-overwrites': 'an upload that adds overwrites the file that is there',
    'update-ignores-rev': 'an upload that updates overwrites any revision',
    'rev-kept-by-overwrite': 'a file keeps its rev when it gets new contents',
    'client-modified-ignored': 'client_modified is the time of the upload, whatever was given',
    'size-in-characters': 'size counts characters',
    'hash-of-first-contents': 'content_hash is that of the first revision',
    'tag-twice': 'a tag that is there already is added again',
  },
  moves: {
    'move-loses-revisions': 'a moved file has only its current revision',
    'moved-into-itself': 'a folder can be moved into itself',
    'copy-keeps-id': 'a copy has the id of its original',
    'copy-of-folder-is-flat': 'the copy of a folder lacks what lies in its folders',
    'copy-has-tags': 'a copy has the tags of its original',
  },
  deletions: {
    'deleted-folder-keeps-contents': 'what lies in a deleted folder is still there',
    'deleted-again': 'what is deleted already is deleted again',
    'parent-rev-ignored': 'a delete does not look at parent_rev',
    'links-survive-deletion': 'a shared link leads to a deleted file',
    'deleted-files-use-space': 'the used space has that of deleted files',
  },
  batches: {
    'batch-stops-at-failure': 'the entries of a batch behind one that fails are not done',
    'batch-forgets-autorename': 'autorename has no effect in a batch',
  },
  revisions: {
    'revisions-oldest-first': 'the oldest revision is listed first',
    'restore-brings-rev-back': 'a restored file has the rev of the old revision',
    'restore-drops-later': 'restoring removes the later revisions',
    'old-revision-is-current': 'a download of an old revision has the current contents',
  },
  search: {
    'search-minds-case': 'a search minds the case of letters',
    'search-beyond-path': 'a search finds files outside of its path',
    'extension-without-dot': 'a search for an extension finds names that end in its letters',
    'oldest-found-first': 'a search by time finds the oldest first',
  },
  links: {
    'second-link-made': 'a second link is made for the same file',
    'settings-left-out-reset': 'a change of a link resets the settings that it leaves out',
    'past-expiry-accepted': 'a link can expire in the past',
    'expired-link-works': 'a link that has expired can be read',
    'link-password-not-asked': 'a link with a password is read without it',
    'team-link-for-everybody': 'a link for the team is read by other teams',
    'direct-only-ignored': 'direct_only lists the links of the folders above too',
    'link-of-others-changed': 'links can be revoked by other people',
  },
  sharing: {
    'nested-folder-shared': 'a folder in a shared folder can be shared',
    'members-added-before-refusal': 'a refusal to add members has added those before the bad one',
    'editor-invites': 'editors can add members',
    'viewer-writes': 'viewers can write',
    'path-root-not-checked': 'the files of a shared folder are open to all accounts',
  },
  access: {
    'any-token-accepted': 'any bearer token is accepted',
    'id-of-other-account': 'a file of another account is found by its id',
    'member-selects-members': 'team members who are no administrators act as others',
    'member-of-other-team-selected': 'an administrator acts as a member of another team',
    'team-space-of-one': 'the used space of the team is that of the account alone',
  },
} as const;

export type DefectName = NameOf<typeof defects>;

export const defectNames: readonly DefectName[] = namesOf(defects);
