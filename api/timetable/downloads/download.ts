/** A published archive as it was uploaded: streamed from the object store, whole or in part. */
import type { ImportRecord } from '../../../activities/timetable/import-store.ts';
import { uploadKey } from '../../../activities/timetable/object-keys.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import type { Operation, OperationContext, Reply } from '../../shared/operation.ts';
import type { TimetableDependencies } from '../dependencies.ts';
import { codespaceOf, importKeyOf } from '../requests.ts';
import { type Representation, select } from './conditions.ts';
import { attachment } from './content-disposition.ts';

type Dependencies = Pick<TimetableDependencies, 'codespaces' | 'versions' | 'objects'>;

export function createDownloads(dependencies: Dependencies): { latest: Operation; version: Operation } {
  const { codespaces, versions } = dependencies;
  return {
    latest: async (context) => {
      const { codespace } = await codespaces.get(codespaceOf(context));
      return await download(dependencies, context, await versions.findLatest(codespace));
    },
    version: async (context) => {
      const { codespace } = await codespaces.get(codespaceOf(context));
      return await download(dependencies, context, await versions.findVersion(codespace, importKeyOf(context)));
    },
  };
}

async function download(
  { objects }: Dependencies,
  context: OperationContext,
  version: ImportRecord | undefined,
): Promise<Reply> {
  if (!version) throw new ServiceError('NOT_FOUND', 'There is no such published dataset');
  const representation: Representation = {
    etag: `"${version.sha256}"`,
    lastModified: version.receivedAt,
    sizeBytes: version.sizeBytes,
  };
  const validators = {
    etag: representation.etag,
    'last-modified': representation.lastModified.toUTCString(),
    // The latest changes with the next import, and any version may be withdrawn: ask, and mostly be told 304.
    'cache-control': 'private, no-cache',
  };
  // A range is asked of GET only (RFC 9110 §14.2).
  const isHead = context.request.method === 'HEAD';
  const asked = isHead ? { ...context.headers, range: undefined } : context.headers;
  const selection = select(asked, representation);
  switch (selection.kind) {
    case 'not-modified':
      return { status: 304, headers: validators };
    case 'precondition-failed':
      throw new ServiceError('REVISION_CONFLICT', 'The dataset is not the one that the request expects');
    case 'unsatisfiable':
      throw new ServiceError('RANGE_NOT_SATISFIABLE', 'The dataset has no such range', {
        headers: { 'content-range': `bytes */${version.sizeBytes}`, 'accept-ranges': 'bytes' },
      });
  }
  const range = selection.kind === 'part' ? selection.range : undefined;
  const headers = {
    ...validators,
    ...describe(version),
    'content-length': String(range?.lengthBytes ?? version.sizeBytes),
    ...(range && {
      'content-range': `bytes ${range.offset}-${range.offset + range.lengthBytes - 1}/${version.sizeBytes}`,
    }),
  };
  const status = range ? 206 : 200;
  if (isHead) return { status, headers, bytes: '' };
  const key = uploadKey(version.codespace, version.correlationId);
  return { status, headers, stream: await objects.get(key, range, context.signal) };
}

/** Both digests are of the whole archive, also on a part (RFC 3230, RFC 9530). */
function describe({ fileName, sha256 }: ImportRecord): Readonly<Record<string, string>> {
  const digest = Buffer.from(sha256, 'hex').toString('base64');
  return {
    'content-type': 'application/zip',
    'content-disposition': attachment(fileName),
    'accept-ranges': 'bytes',
    digest: `sha-256=${digest}`,
    'repr-digest': `sha-256=:${digest}:`,
    'x-content-type-options': 'nosniff',
  };
}
