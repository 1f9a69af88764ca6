import { emptyBody, headerValue, type HttpRequest, type HttpResponse } from '../../http/message.ts';
import { controlPrefix, type ControlParts } from '../control/control-parts.ts';
import { consolePage } from './console-page.ts';
import { docsFile, docsPage } from './docs/docs-page.ts';

/**
 * A page for people, or a file that belongs to one; undefined for what the control API is to
 * answer. Pages hold nothing secret.
 */
export async function findPage(
  { method, target, headers }: HttpRequest,
  { mock, apart }: Pick<ControlParts, 'mock' | 'apart'>,
): Promise<HttpResponse | undefined> {
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  const path = target.split('?', 1)[0] ?? '';
  const file = path.startsWith(`${controlPrefix}/docs/`)
    ? path.slice(`${controlPrefix}/docs/`.length)
    : undefined;
  if (file !== undefined && file !== '') return docsFile(file);
  if (!wantsHtml(headers)) return undefined;
  const { contract } = mock.options;
  switch (path) {
    case `${controlPrefix}/`:
      return consolePage(contract);
    case `${controlPrefix}/docs`:
      return docsPage(contract, headers, apart);
    case controlPrefix:
      return moved(`${controlPrefix}/`);
    case `${controlPrefix}/docs/`:
      return moved(`${controlPrefix}/docs`);
    default:
      return undefined;
  }
}

function wantsHtml(headers: HttpRequest['headers']): boolean {
  return /\btext\/html\b/i.test(headerValue(headers, 'Accept') ?? '');
}

/** Relative addresses in a page go by where it stands. */
function moved(to: string): HttpResponse {
  return { status: 308, headers: [['Location', to]], body: emptyBody };
}
