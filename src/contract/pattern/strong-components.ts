/**
 * The strongly connected components of a graph whose nodes are the numbers below `size` (Tarjan's
 * algorithm, without recursion): two nodes have one number where each can be reached from the
 * other.
 */
export function strongComponents(
  size: number,
  next: (node: number) => readonly number[],
): Int32Array {
  const search = new ComponentSearch(size, next);
  for (let node = 0; node < size; node += 1) search.visit(node);
  return search.components;
}

interface Visit {
  readonly node: number;
  readonly targets: readonly number[];
  at: number;
}

class ComponentSearch {
  readonly components: Int32Array;
  readonly #next: (node: number) => readonly number[];
  readonly #order: Int32Array;
  readonly #lowest: Int32Array;
  readonly #path: number[] = [];
  #visited = 0;
  #found = 0;

  constructor(size: number, next: (node: number) => readonly number[]) {
    this.#next = next;
    this.components = new Int32Array(size).fill(-1);
    this.#order = new Int32Array(size).fill(-1);
    this.#lowest = new Int32Array(size);
  }

  visit(start: number): void {
    if (this.#order[start] !== -1) return;
    const open = [this.#enter(start)];
    for (let visit = open.at(-1); visit !== undefined; visit = open.at(-1)) {
      const target = visit.targets[visit.at];
      visit.at += 1;
      if (target === undefined) {
        open.pop();
        this.#leave(visit.node, open.at(-1)?.node);
      } else if (this.#order[target] === -1) open.push(this.#enter(target));
      else if (this.components[target] === -1) this.#lower(visit.node, this.#order[target] ?? 0);
    }
  }

  #enter(node: number): Visit {
    this.#order[node] = this.#visited;
    this.#lowest[node] = this.#visited;
    this.#visited += 1;
    this.#path.push(node);
    return { node, targets: this.#next(node), at: 0 };
  }

  #leave(node: number, from: number | undefined): void {
    if (from !== undefined) this.#lower(from, this.#lowest[node] ?? 0);
    if (this.#lowest[node] !== this.#order[node]) return;
    for (let member = this.#path.pop(); member !== undefined; member = this.#path.pop()) {
      this.components[member] = this.#found;
      if (member === node) break;
    }
    this.#found += 1;
  }

  #lower(node: number, order: number): void {
    this.#lowest[node] = Math.min(this.#lowest[node] ?? 0, order);
  }
}
