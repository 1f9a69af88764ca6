import type { HttpRequest, HttpResponse } from '../../http/message.ts';
import type { Mock } from '../../mock/mock.ts';
import { mountedPaths } from '../../mock/route/mounted-paths.ts';
import { pageAnswer, titleOf, wantsHtml } from './pages.ts';

/** Whether a browser asks for `/`, where the contract has no operation. */
export function isWelcome(
  { method, target, headers }: Omit<HttpRequest, 'body'>,
  mock: Mock,
): boolean {
  if (target !== '/' && !target.startsWith('/?')) return false;
  if ((method !== 'GET' && method !== 'HEAD') || !wantsHtml(headers)) return false;
  return hasStartPage(mock);
}

/** Whether the contract leaves `/` to the page. */
export function hasStartPage({ options: { contract, mounting } }: Pick<Mock, 'options'>): boolean {
  return !mountedPaths(contract, mounting?.base).some(([path]) => path === '' || path === '/');
}

/** The page at the root of the port, whose data comes from the control API. */
export async function welcomePage({ options }: Mock): Promise<HttpResponse> {
  const { script, style } = await import('#pages/start');
  const title = titleOf(options.contract);
  const body = `<div id="start"><p id="wait">${title}, served by vouch. ${wait}</p></div>`;
  const page = pageAnswer({ title: `${title} · vouch`, style, body, script });
  return { ...page, headers: [...page.headers, ['Cache-Control', 'no-store']] };
}

const wait = 'The page needs JavaScript, which is part of it; it contacts only the mock.';
