/** A published dataset, as it was uploaded or private: streamed from the object store, whole or in part. */
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import type { Caller, Handlers, OperationContext, ReplyOf } from '../../shared/operation.ts';
import type { Operations } from '../contract.gen.ts';
import type { TimetableDependencies } from '../dependencies.ts';
import { getLatest, getPrivate, getVersion, type StoredArchive } from './archives.ts';
import { type Representation, select } from './conditions.ts';
import { attachment } from './content-disposition.ts';

type Dependencies = Pick<
  TimetableDependencies,
  'codespaces' | 'versions' | 'privateDatasets' | 'objects' | 'downloads'
>;

type Downloads = Pick<Operations, 'getLatestDataset' | 'getDatasetVersion' | 'getFilteredDataset'>;

export function createDownloads(dependencies: Dependencies): Handlers<Downloads> {
  return {
    getLatestDataset: async (context) =>
      await download(dependencies, context, () => getLatest(dependencies, context.path.codespace)),
    getDatasetVersion: async (context) => {
      const { codespace, importKey } = context.path;
      return await download(dependencies, context, () => getVersion(dependencies, codespace, importKey));
    },
    getFilteredDataset: async (context) =>
      await download(dependencies, context, () => getPrivate(dependencies, context)),
  };
}

type Asked = Pick<OperationContext, 'headers' | 'request' | 'signal'> & { readonly caller: Caller };

/** Without these headers a GET is answered with the archive, or refused. */
const CONDITIONS = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'];

function needsSlot({ request, headers }: Asked): boolean {
  return request.method === 'GET' && CONDITIONS.every((name) => headers[name] === undefined);
}

async function download(
  { objects, downloads }: Dependencies,
  context: Asked,
  getArchive: () => Promise<StoredArchive>,
): Promise<ReplyOf<Downloads['getLatestDataset']>> {
  // A client that is refused again and again costs no look-up.
  if (needsSlot(context)) downloads.requireFree(context.caller.clientId);
  const archive = await getArchive();
  const representation: Representation = { ...archive, etag: `"${archive.sha256}"` };
  const validators = {
    etag: representation.etag,
    'last-modified': representation.lastModified.toUTCString(),
    // The latest version changes with the next import, and any version may be withdrawn: clients must revalidate, and
    // mostly get 304.
    'cache-control': 'private, no-cache',
  };
  // Ranges apply to GET only (RFC 9110 §14.2).
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
        headers: { 'content-range': `bytes */${archive.sizeBytes}`, 'accept-ranges': 'bytes' },
      });
  }
  const range = selection.kind === 'part' ? selection.range : undefined;
  const headers = {
    ...validators,
    ...describe(archive),
    'content-length': String(range?.lengthBytes ?? archive.sizeBytes),
    ...(range && {
      'content-range': `bytes ${range.offset}-${range.offset + range.lengthBytes - 1}/${archive.sizeBytes}`,
    }),
  };
  const status = range ? 206 : 200;
  if (isHead) return { status, headers, bytes: '' };
  const open = async () => ({ stream: await objects.get(archive.key, range, context.signal) });
  return { status, headers, ...(await downloads.open(context.caller.clientId, open)) };
}

/** Both digests are of the whole archive, also on a part (RFC 3230, RFC 9530). */
function describe({ fileName, sha256 }: StoredArchive): Readonly<Record<string, string>> {
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
