import { registerHooks } from 'node:module';

const mark = 'vouch';
let count = 0;
let isHooked = false;

/**
 * Imports a module again, although Node keeps modules: its address gets a number, and so does that
 * of every file that it imports, except packages.
 */
export async function importAnew(url: URL): Promise<Readonly<Record<string, unknown>>> {
  hook();
  const fresh = new URL(url);
  fresh.searchParams.set(mark, String((count += 1)));
  return (await import(/* @vite-ignore */ fresh.href)) as Readonly<Record<string, unknown>>;
}

function hook(): void {
  if (isHooked) return;
  isHooked = true;
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      const number = numberOf(context.parentURL);
      const isFile = found.url.startsWith('file:') && !found.url.includes('/node_modules/');
      if (number === undefined || !isFile || numberOf(found.url) !== undefined) return found;
      const url = new URL(found.url);
      url.searchParams.set(mark, number);
      return { ...found, url: url.href };
    },
  });
}

function numberOf(url: string | undefined): string | undefined {
  return url === undefined || !url.includes(`${mark}=`)
    ? undefined
    : (new URL(url).searchParams.get(mark) ?? undefined);
}

/** Whether an error was thrown in a module that was imported so. */
export function isOfHandler(error: unknown): error is Error {
  return error instanceof Error && placeInHandler(error) !== undefined;
}

/** Where in such a module an error was thrown: `/app/handlers/createPet.ts:12:7`. */
export function placeInHandler({ stack = '' }: Error): string | undefined {
  const found = new RegExp(`file://(\\S+?)\\?${mark}=\\d+(:\\d+:\\d+)`).exec(stack);
  return found === null ? undefined : `${found[1] ?? ''}${found[2] ?? ''}`;
}
