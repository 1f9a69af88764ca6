/** What a generator comes to, where nobody watches what it tells on the way. */
export async function outcomeOf<Result>(source: AsyncGenerator<unknown, Result>): Promise<Result> {
  let next = await source.next();
  while (next.done !== true) next = await source.next();
  return next.value;
}
