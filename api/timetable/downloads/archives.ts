/** Which archive a download names. Each lookup throws NOT_FOUND when there is no such archive. */
import type { ImportRecord } from '../../../activities/timetable/import-store.ts';
import { privateDatasetKey, uploadKey } from '../../../activities/timetable/object-keys.ts';
import type { PrivateDatasetAbsence } from '../../../activities/timetable/private-dataset-store.ts';
import type { Codespace, ImportKey } from '../../../workflows/shared/ids.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import type { TimetableDependencies } from '../dependencies.ts';
import { type CodespaceRequest, getGrantedCodespace } from '../requests.ts';

/** An archive that never changes under its key. */
export interface StoredArchive {
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
  STOP_REGISTER: 'The latest version is a stop register; stop registers have no private dataset',
  NOTHING_LEFT: 'There is no private dataset: every journey of the latest version is in the past',
  BEING_MADE: 'The private dataset of the latest version is being made; ask again soon',
  NOT_MADE: 'There is no private dataset of the latest version yet; it is made in the coming night',
};

type Versions = Pick<TimetableDependencies, 'codespaces' | 'versions'>;
type PrivateDatasets = Pick<TimetableDependencies, 'codespaces' | 'privateDatasets'>;

export async function getLatest({ codespaces, versions }: Versions, given: Codespace): Promise<StoredArchive> {
  const { codespace } = await codespaces.get(given);
  return uploadedArchive(await versions.findLatest(codespace));
}

export async function getVersion(
  { codespaces, versions }: Versions,
  given: Codespace,
  importKey: ImportKey,
): Promise<StoredArchive> {
  const { codespace } = await codespaces.get(given);
  return uploadedArchive(await versions.findVersion(codespace, importKey));
}

/** Throws CODESPACE_FORBIDDEN for callers without a grant. */
export async function getPrivate(
  { codespaces, privateDatasets }: PrivateDatasets,
  request: CodespaceRequest,
): Promise<StoredArchive> {
  const { codespace } = await getGrantedCodespace(codespaces, request);
  const found = await privateDatasets.find(codespace);
  if (!found) throw new ServiceError('NOT_FOUND', ABSENCES[await privateDatasets.explainAbsence(codespace)]);
  const { correlationId, exportId, day, sizeBytes, sha256, shownAt } = found;
  const key = privateDatasetKey(codespace, correlationId, exportId);
  return { key, fileName: `${codespace}_private_${day}.zip`, sizeBytes, sha256, lastModified: shownAt };
}

function uploadedArchive(version: ImportRecord | undefined): StoredArchive {
  if (!version) throw new ServiceError('NOT_FOUND', NONE_PUBLISHED);
  const { codespace, correlationId, fileName, sizeBytes, sha256, receivedAt } = version;
  return { key: uploadKey(codespace, correlationId), fileName, sizeBytes, sha256, lastModified: receivedAt };
}
