/**
 * Whether this is a trial (`npm run bench -- --short NAME`): one round of each, to see that
 * everything runs; nothing is written.
 */
export function isTrial(): boolean {
  return process.env['VOUCH_BENCH_SHORT'] === '1';
}

const parts = ['CORPORA', 'DEFECTS', 'VARIANTS', 'GROUPS', 'START'];

/** Whether the environment restricts a benchmark to a part: its figures are not those of all. */
export function isPart(): boolean {
  return parts.some((name) => process.env[`VOUCH_BENCH_${name}`] !== undefined);
}

/** How many rounds there are: so many, and one in a trial. */
export function roundsOf(count: number): number {
  return isTrial() ? 1 : count;
}
