import type { Pointer } from '../json/pointer.ts';
import type { View } from './view.ts';

/** How often each schema object is being filled already, around a place. */
export type Trail = ReadonlyMap<Pointer, number>;

/** The trail inside a view. */
export function trailInto(trail: Trail, view: View): Trail {
  const inner = new Map(trail);
  for (const { pointer } of view.facets) inner.set(pointer, (trail.get(pointer) ?? 0) + 1);
  return inner;
}

/** Whether a view leads round in a circle for more than the given number of times. */
export function isCircle(view: View, trail: Trail, times: number): boolean {
  return view.facets.some(({ pointer }) => (trail.get(pointer) ?? 0) > times);
}
