/** The output of `tools/build-pages.ts` for each page: one script and one style sheet, as texts. */
export const script: string;
export const style: string;
