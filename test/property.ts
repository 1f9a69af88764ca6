import fc from 'fast-check';

/**
 * fast-check with a fixed seed, so that a property that fails fails again: every test takes it from
 * here. Other cases come with another seed, and a loop over seeds is as many as one likes:
 * `PROPERTY_SEED=7 npx vitest run test/oracles`. A property runs a hundred times unless it names
 * another number; `PROPERTY_RUNS=2000` makes that more.
 */
export { default as fc } from 'fast-check';

fc.configureGlobal({
  seed: Number(process.env['PROPERTY_SEED'] ?? 1),
  numRuns: Number(process.env['PROPERTY_RUNS'] ?? 100),
});
