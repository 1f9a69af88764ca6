/** `members` without the undefined ones: an absent member stays absent when it is spread. */
export function defined<T extends object>(members: T): Defined<T> {
  const present = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as Defined<T>;
}

/** The members that may be undefined are optional, and never present with the value `undefined`. */
export type Defined<T> = {
  [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key];
} & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
};
