/** One bar: what it stands for, how long it is, and the figure that is written beside it. */
export interface Bar {
  readonly label: string;
  /** In the unit of the whole picture; without it there is no bar, and the text says why. */
  readonly value?: number;
  readonly text: string;
  /** The extremes of the rounds, drawn as a line over the end of the bar. */
  readonly spread?: { readonly lowest: number; readonly highest: number };
  /** Whether it is vouch's own, which stands out. */
  readonly own?: boolean;
}

/** Bars that are compared with one another. */
export interface BarGroup {
  readonly title: string;
  readonly bars: readonly Bar[];
}

/** What a picture shows. */
export interface BarPicture {
  readonly title: string;
  /**
   * One or two sentences below the title, which are also the text alternative: what is
   * measured, and which end is better.
   */
  readonly description: string;
  /**
   * `logarithmic` where the largest value is a hundred times the smallest or more. Without it,
   * `linear`.
   */
  readonly scale?: 'linear' | 'logarithmic';
  /** Whether each group has a scale of its own. Without it, one scale goes through the picture. */
  readonly ownScales?: boolean;
  readonly groups: readonly BarGroup[];
  /** The last line, such as the machine and the date. */
  readonly footnote?: string;
}
