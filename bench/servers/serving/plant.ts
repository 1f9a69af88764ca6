/** Families of names, each name with what it does in plain words. */
type Families = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The names of all families. */
export type NameOf<T extends Families> = { [K in keyof T]: keyof T[K] }[keyof T] & string;

export function namesOf<T extends Families>(families: T): NameOf<T>[] {
  const names: unknown = Object.values(families).flatMap((family) => Object.keys(family));
  return names as NameOf<T>[];
}

/**
 * Whether a name is the chosen one, or one of several with commas between them. Throws if a chosen
 * name is not in the list.
 */
export function choose<Name extends string>(
  what: string,
  names: readonly Name[],
  chosen: string | undefined,
): (name: Name) => boolean {
  const all = new Set(chosen?.split(','));
  for (const one of all)
    if (!names.includes(one as Name))
      throw new Error(`There is no ${what} ${one}. There are: ${names.join(', ')}.`);
  return (name) => all.has(name);
}

/** How a service starts: sound, with one defect or several, or as one conforming variant. */
export interface Start {
  readonly defect?: string | undefined;
  readonly variant?: string | undefined;
  /** A free port without it. */
  readonly port?: number | undefined;
}
