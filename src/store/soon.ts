/** A value that is there already, or one that is still to come. */
export type Soon<Value> = Value | Promise<Value>;

/**
 * Goes on with a value: at once where it is there, else when it comes. What is done at once cannot
 * be interrupted, and costs none of the promises that a chain of `await` makes. A failure at once
 * is thrown, a later one rejects: whoever waits must be ready for both.
 */
export function whenReady<Given, Made>(
  given: Soon<Given>,
  next: (value: Given) => Soon<Made>,
): Soon<Made> {
  return given instanceof Promise ? given.then(next) : next(given);
}
