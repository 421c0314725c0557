/** The publication of a version: its changes and its event. Caller: the import store. Pure. */
import type { Change } from '../../platform/aggregate/aggregate-types.ts';
import type { EventFamily } from '../../platform/events/event-family.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { ImportDocument } from './import-model.ts';
import { type ImportRecord, requireRecord, toRecord } from './import-record.ts';

export type DatasetEvent = { readonly type: 'DatasetPublished' } & Pick<
  ImportRecord,
  'codespace' | 'importKey' | 'correlationId' | 'sha256'
>;

export const DATASET_EVENTS: EventFamily<ImportDocument> = {
  aggregate: 'dataset',
  topic: 'timetable-dataset-events',
  source: '/timetable/datasets',
  typePrefix: 'service.timetable',
  describe(document) {
    const { importKey, codespace, organisationId } = requireRecord(toRecord(document));
    return { aggregateId: importKey, key: codespace, organisationId, ids: { codespace } };
  },
};

/**
 * Undefined when it is published already. Throws INVALID_STATE when the import has failed or its validation has not
 * succeeded; NOT_FOUND when the upload is not accepted.
 */
export function publication(document: ImportDocument, now: Date): Change<ImportDocument, DatasetEvent> | undefined {
  const { codespace, importKey, correlationId, sha256, state, actions, publishedAt } = requireRecord(
    toRecord(document),
  );
  if (publishedAt) return undefined;
  if (state !== 'IN_PROGRESS' || actions.VALIDATION?.state !== 'OK') {
    throw new ServiceError('INVALID_STATE', 'The import has failed, or its validation has not ended well');
  }
  const step = { ...actions.PUBLICATION, startedAt: actions.PUBLICATION?.startedAt ?? now };
  return {
    set: {
      visible: true,
      publishedAt: now,
      actions: { ...actions, PUBLICATION: { ...step, state: 'OK', endedAt: now } },
    },
    events: [{ type: 'DatasetPublished', codespace, importKey, correlationId, sha256 }],
    pendingStart: false,
  };
}
