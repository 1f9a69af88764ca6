import type { Contract } from '../../../contract/model.ts';
import type { HttpResponse } from '../../../http/message.ts';
import { editAnswers, setHeader, withBytes } from '../../mutants/edit-service.ts';
import { mutantsOf, type Place } from '../../mutants/kind.ts';
import type { Mutator, Plant } from '../../mutants/mutant.ts';
import { fileTypes } from '../../plan/upload.ts';

const mutant = mutantsOf('state');

interface DownloadPlace extends Place {
  /** The media types that may be uploaded on its path. */
  readonly types: readonly string[];
}

/** The downloads of files that are uploaded on the same path, below a record. */
function downloads({ operations }: Contract): DownloadPlace[] {
  return operations.flatMap((operation) => {
    const upload = operations.find(
      ({ method, path }) => ['PUT', 'POST'].includes(method) && path === operation.path,
    );
    const types = upload === undefined ? [] : fileTypes(upload);
    const isDownload = operation.method === 'GET' && operation.path.includes('{');
    return isDownload && types.length > 0 ? [{ operation, types }] : [];
  });
}

/** A download whose last byte is another one. */
function damaged(response: HttpResponse): HttpResponse | undefined {
  const last = response.body.at(-1);
  return last === undefined
    ? undefined
    : withBytes(response, response.body.with(response.body.length - 1, last ^ 1));
}

/** Answers downloads of a path with the file that it answered first. */
function keepingFirst({ operation }: Place): Plant {
  const first = new Map<string, HttpResponse>();
  return (service, fired) =>
    editAnswers(service, fired, { operation }, (response, { target }) => {
      const before = first.get(target);
      if (before === undefined) first.set(target, response);
      return before !== undefined && Buffer.compare(before.body, response.body) !== 0
        ? before
        : undefined;
    });
}

/** Mutations of downloads; a check only doubts pictures, which a service may write anew. */
export const fileMutants: readonly Mutator[] = [
  mutant('damages-file', {
    rule: 'A download differs from its upload by a byte.',
    killedBy: 'warning',
    where: downloads,
    says: 'answers a file with another last byte',
    answer: damaged,
  }),
  mutant('keeps-first-file', {
    rule: 'A file that was uploaded in place of another one is lost.',
    killedBy: 'warning',
    where: downloads,
    says: 'answers the first file of a path for ever',
    act: keepingFirst,
  }),
  mutant('forgets-media-type', {
    rule: 'A file is downloaded as another media type than that of its upload.',
    killedBy: 'warning',
    where: (contract) => downloads(contract).filter(({ types }) => types.length > 1),
    says: 'answers each file as one media type',
    answer: (response, { types: [, second = ''] }) => setHeader(response, 'Content-Type', second),
  }),
];
