/** How long Prism is waited for. Times are in milliseconds. */
export interface PrismLimits {
  /** For loading Prism and the contract. */
  readonly startMillis: number;
  /** Between two signs of life of the child. */
  readonly beatMillis: number;
  /**
   * Signs of life in a row that may fail to come; after that the child counts as frozen and is
   * killed.
   */
  readonly missedBeats: number;
  /** From a whole request to its answer, restarts of the child included. */
  readonly answerMillis: number;
  /** From asking the child to end to killing it. */
  readonly endMillis: number;
}

/** The limits where nobody sets others. */
export const defaultLimits: PrismLimits = {
  startMillis: 60_000,
  beatMillis: 1_000,
  missedBeats: 5,
  answerMillis: 10_000,
  endMillis: 2_000,
};
