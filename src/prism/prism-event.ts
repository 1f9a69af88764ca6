/** What happens to the child, as it happens. */
export type PrismEvent =
  | { readonly type: 'started'; readonly pid: number; readonly millis: number }
  /**
   * The child ended without being asked to; `reason` reads after "Prism": "was killed by SIGKILL".
   */
  | { readonly type: 'died'; readonly pid: number; readonly reason: string }
  | {
      readonly type: 'restarted';
      readonly pid: number;
      readonly millis: number;
      readonly restarts: number;
    }
  /** It died too often and is not started again; `reason` is that of the last death. */
  | { readonly type: 'gave-up'; readonly deaths: number; readonly reason: string };
