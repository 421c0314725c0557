/** A published dataset, as it was uploaded or private: streamed from the object store, whole or in part. */
import type { ImportRecord } from '../../../activities/timetable/import-store.ts';
import { privateDatasetKey, uploadKey } from '../../../activities/timetable/object-keys.ts';
import type {
  FoundPrivateDataset,
  PrivateDatasetAbsence,
} from '../../../activities/timetable/private-dataset-store.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import type { Operation, OperationContext, Reply } from '../../shared/operation.ts';
import type { TimetableDependencies } from '../dependencies.ts';
import { codespaceOf, getGrantedCodespace, importKeyOf } from '../requests.ts';
import { type Representation, select } from './conditions.ts';
import { attachment } from './content-disposition.ts';

type Dependencies = Pick<TimetableDependencies, 'codespaces' | 'versions' | 'privateDatasets' | 'objects'>;

/** An archive that never changes under its key. */
interface StoredArchive {
  readonly key: string;
  readonly fileName: string;
  readonly sizeBytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  readonly lastModified: Date;
}

const NONE_PUBLISHED = 'There is no such published dataset';

/** Shown only to callers that may read private datasets of the codespace. */
const ABSENCES: Readonly<Record<PrivateDatasetAbsence, string>> = {
  NOTHING_PUBLISHED: NONE_PUBLISHED,
  STOP_REGISTER: 'The latest version is a stop register, of which there is no private dataset',
  NOTHING_LEFT: 'There is no private dataset, for nothing of the latest version is left to run',
  BEING_MADE: 'The private dataset of the latest version is being made; ask again soon',
  NOT_MADE: 'There is no private dataset of the latest version yet; it is made in the coming night',
};

interface Downloads {
  readonly latest: Operation;
  readonly version: Operation;
  readonly filtered: Operation;
}

export function createDownloads(dependencies: Dependencies): Downloads {
  const { codespaces, versions, privateDatasets } = dependencies;
  return {
    latest: async (context) => {
      const { codespace } = await codespaces.get(codespaceOf(context));
      return await download(dependencies, context, uploadedArchive(await versions.findLatest(codespace)));
    },
    version: async (context) => {
      const { codespace } = await codespaces.get(codespaceOf(context));
      const found = await versions.findVersion(codespace, importKeyOf(context));
      return await download(dependencies, context, uploadedArchive(found));
    },
    filtered: async (context) => {
      const { codespace } = await getGrantedCodespace(codespaces, context);
      const found = await privateDatasets.find(codespace);
      if (!found) throw new ServiceError('NOT_FOUND', ABSENCES[await privateDatasets.explainAbsence(codespace)]);
      return await download(dependencies, context, privateArchive(found));
    },
  };
}

function uploadedArchive(version: ImportRecord | undefined): StoredArchive | undefined {
  if (!version) return undefined;
  const { codespace, correlationId, fileName, sizeBytes, sha256, receivedAt } = version;
  return { key: uploadKey(codespace, correlationId), fileName, sizeBytes, sha256, lastModified: receivedAt };
}

function privateArchive(found: FoundPrivateDataset): StoredArchive {
  const { codespace, correlationId, exportId, day, sizeBytes, sha256, shownAt } = found;
  const key = privateDatasetKey(codespace, correlationId, exportId);
  return { key, fileName: `${codespace}_private_${day}.zip`, sizeBytes, sha256, lastModified: shownAt };
}

async function download(
  { objects }: Dependencies,
  context: OperationContext,
  archive: StoredArchive | undefined,
): Promise<Reply> {
  if (!archive) throw new ServiceError('NOT_FOUND', NONE_PUBLISHED);
  const representation: Representation = { ...archive, etag: `"${archive.sha256}"` };
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
  return { status, headers, stream: await objects.get(archive.key, range, context.signal) };
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
