import { contentForm } from '../../http/media-type.ts';
import type { Contract, Operation, Resource } from '../model.ts';
import { pathKey } from './conventions/path-styles.ts';

/** A file of each record of a resource, which clients upload and download on one path below it. */
export interface RecordFile {
  readonly download: Operation;
  /** The rest of the path: `/picture`. */
  readonly below: string;
}

/** The files of the records of a resource that are missing (404) until somebody uploads them. */
export function filesOf(
  { collection }: Pick<Resource, 'collection'>,
  { operations, resources }: Pick<Contract, 'operations' | 'resources'>,
): RecordFile[] {
  const items = resources.flatMap((one) =>
    one.itemPath !== undefined && one.collection === collection ? [one.itemPath] : [],
  );
  const uploads = new Set(operations.filter(isUpload).map(({ path }) => pathKey(path)));
  return operations.flatMap((download) => {
    const { path } = download;
    const item = items.find((one) => pathKey(path).startsWith(`${pathKey(one)}/`));
    const below = item === undefined ? '' : restOf(path, item);
    return isDownload(download) && uploads.has(pathKey(path)) && /^\/[^/{}]+$/.test(below)
      ? [{ download, below }]
      : [];
  });
}

/** What a path has beside the segments of another one. */
function restOf(path: string, start: string): string {
  return `/${path.split('/').slice(start.split('/').length).join('/')}`;
}

function isDownload({ method, responses }: Operation): boolean {
  const isFile = responses.some(
    ({ status, content }) =>
      status.startsWith('2') && content.some(({ mediaType }) => isBinary(mediaType)),
  );
  return method === 'GET' && isFile && responses.some(({ status }) => status === '404');
}

/** Whether an operation takes a file, whatever its type. */
export function isUpload({ method, requestBody }: Operation): boolean {
  const sent = requestBody?.content ?? [];
  return (
    ['PUT', 'POST'].includes(method) &&
    sent.length > 0 &&
    sent.every(({ mediaType }) => isBinary(mediaType))
  );
}

function isBinary(mediaType: string): boolean {
  return contentForm(mediaType) === 'binary';
}
