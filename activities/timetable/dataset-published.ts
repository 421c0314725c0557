/** The event that a version of a dataset has become visible. Caller: the import store, in the write that makes it so. */
import type { EventEnvironment, OutboxEvent } from '../../platform/events/outbox.ts';
import type { ImportRecord } from './import-model.ts';

export function datasetPublished(record: ImportRecord, environment: EventEnvironment, at: Date): OutboxEvent {
  const { codespace, importKey, correlationId, sha256, organisationId } = record;
  return {
    id: `dataset/${importKey}/1`,
    sequence: 1,
    topic: `timetable-dataset-events-${environment}`,
    key: codespace,
    subject: codespace,
    source: '/timetable/datasets',
    type: 'service.timetable.DatasetPublished.v1',
    time: at,
    data: {
      codespace,
      importKey,
      correlationId,
      sha256,
      meta: { codespace, organisationId, correlationId, occurredAt: at },
    },
  };
}
