/** What came of a change to the files that a mock was made from. */
export type ReloadEvent =
  | {
      readonly type: 'reloaded';
      /** The files that had changed, by their absolute paths. */
      readonly files: readonly string[];
      /** Whether one of them is a contract, or part of one. */
      readonly contractChanged: boolean;
      /** How many operations there are now. */
      readonly operations: number;
      /** How many records no longer fitted the contract, over all sessions, and were removed. */
      readonly dropped: number;
      /** Whether the edit before this one was broken. */
      readonly mended: boolean;
    }
  /** The last good state goes on. */
  | { readonly type: 'failed'; readonly files: readonly string[]; readonly error: unknown };
