/**
 * Returns `members` without those that are undefined, so that spreading the result does not add
 * them.
 */
export function defined<T extends object>(members: T): Defined<T> {
  const present = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as Defined<T>;
}

/** Members that may be undefined become optional. */
export type Defined<T> = {
  [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key];
} & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
};
