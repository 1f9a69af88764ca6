import type { HttpResponse } from '../http/message.ts';
import { problemResponse } from '../http/problem.ts';

/** Normalizes a base path to `''` or `/v1`, from `/v1/`, `v1` or `/`. */
export function normalizeBasePath(basePath: string): string {
  const steps = basePath.split('/').filter((step) => step !== '');
  return steps.map((step) => `/${step}`).join('');
}

/**
 * The path and query for Prism, without the base path, which Prism does not support. Returns a
 * problem of status 404 outside the base path, and of status 400 for an invalid target. Accepts
 * origin-form and absolute-form (RFC 9112, section 3.2).
 */
export function readTarget(target: string, basePath: string): string | HttpResponse {
  const url = URL.parse(target.startsWith('/') ? `http://prism.invalid${target}` : target);
  if (url === null) return problemResponse(400, `"${target}" is neither a path nor a URL.`);
  const { pathname, search } = url;
  // Prism decodes each segment and does not catch the error of an invalid one.
  if (!isDecodable(pathname)) {
    return problemResponse(
      400,
      `"${pathname}" holds a % that does not begin a byte of UTF-8, such as %C3%A9.`,
    );
  }
  if (pathname !== basePath && !pathname.startsWith(`${basePath}/`)) {
    return problemResponse(404, `Prism answers under ${basePath}/ here; "${pathname}" is outside.`);
  }
  return (pathname.slice(basePath.length) || '/') + search;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
