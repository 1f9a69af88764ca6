/**
 * The one record of a singleton has no identifier of its own; this is the one by which it is kept.
 */
export const onlyRecord = 'only';
