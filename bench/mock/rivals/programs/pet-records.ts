/**
 * An animal, as the contract has it. Ids are plain numbers: what is handwritten in an hour does not
 * think of 64 bits.
 */
export interface Pet {
  readonly id: number;
  readonly name: string;
  readonly categoryId: number;
  readonly status?: string;
}

/**
 * What a team writes by hand to have a mock that remembers: a map and three functions, for the
 * frameworks that bring none.
 */
export interface PetRecords {
  list(query: { readonly limit?: number; readonly status?: string }): readonly Pet[];
  read(id: number): Pet | undefined;
  create(pet: Omit<Pet, 'id'>): Pet;
}

/** Records in memory that start with the given ones. */
export function keepPets(first: readonly Pet[]): PetRecords {
  const pets = new Map(first.map((pet) => [pet.id, pet]));
  let nextId = Math.max(0, ...pets.keys()) + 1;
  return {
    list({ limit = 20, status }) {
      const page: Pet[] = [];
      for (const pet of pets.values()) {
        if (status !== undefined && pet.status !== status) continue;
        if (page.length >= limit) break;
        page.push(pet);
      }
      return page;
    },
    read: (id) => pets.get(id),
    create(fields) {
      const pet = { id: nextId, ...fields };
      nextId += 1;
      pets.set(pet.id, pet);
      return pet;
    },
  };
}

/** Whether a request carries the key that every mock of this benchmark lets in. */
export function hasKey(authorization: string | undefined): boolean {
  return authorization === 'Bearer demo-key';
}

/** The body of a refusal, as the contract has it. */
export function refusal(
  status: number,
  code: string,
  message: string,
): { code: string; message: string; status: number } {
  return { code, message, status };
}
