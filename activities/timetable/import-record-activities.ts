/**
 * The pipeline's writes to the document of an import, and its reads. Local activities of the workflows.
 *
 * Each is one conditional update of the store, so running it twice, or two at once, equals once.
 */
import type { ImportRecords } from '../../workflows/timetable/activities.ts';
import type { ImportAction } from '../../workflows/timetable/messages.ts';
import { guardActivities } from './activity-guard.ts';
import type { ImportStore } from './import-store.ts';
import { serviceDayOf } from './service-day.ts';

/** The steps that are done when a version is published. */
const UP_TO_PUBLICATION: ReadonlySet<ImportAction> = new Set([
  'FILE_TRANSFER',
  'FILE_CLASSIFICATION',
  'VALIDATION',
  'PUBLICATION',
] as const);

export interface ImportRecordSettings {
  /** Time zone of the timetables: it decides which day it is. */
  readonly timeZone: string;
  readonly now?: () => Date;
}

export function createImportRecordActivities(
  imports: ImportStore,
  { timeZone, now = () => new Date() }: ImportRecordSettings,
): ImportRecords {
  return guardActivities<ImportRecords>({
    async startStep({ codespace, correlationId }, action) {
      const record = await imports.find(codespace, correlationId);
      // An import without a document has ended too.
      if (record?.state !== 'IN_PROGRESS') return 'ALREADY_ENDED';
      if (record.publishedAt && UP_TO_PUBLICATION.has(action)) return 'PUBLISHED';
      const state = await imports.recordAction(codespace, correlationId, action, { state: 'STARTED' });
      return state === 'IN_PROGRESS' ? 'STARTED' : 'ALREADY_ENDED';
    },

    async finishStep({ codespace, correlationId }, action, { details, findings }) {
      await imports.recordAction(codespace, correlationId, action, {
        state: 'OK',
        details,
        ...(findings && { findings }),
      });
    },

    async noteStep({ codespace, correlationId }, action, { details }) {
      await imports.noteDetails(codespace, correlationId, action, details);
    },

    async publishImport({ codespace, correlationId }) {
      await imports.publish(codespace, correlationId);
    },

    async failImport({ codespace, correlationId }, { action, errorCode, message, findings }) {
      const state = await imports.fail(codespace, correlationId, {
        action,
        state: errorCode === 'CANCELLED' ? 'CANCELLED' : 'FAILED',
        errorCode,
        details: { message },
        ...(findings && { findings }),
      });
      if (state === 'FAILED') return 'FAILED';
      // It was published just before: the failure is void, but the later steps are not done.
      await imports.complete(codespace, correlationId, { action: 'PRIVATE_EXPORT', errorCode, details: { message } });
      return 'OK';
    },

    async completeImport({ codespace, correlationId }, ...undone) {
      const steps = undone.flatMap((step) => {
        if (!step) return [];
        const { message, ...rest } = step;
        return [{ ...rest, details: { message } }];
      });
      await imports.complete(codespace, correlationId, ...steps);
    },

    async planPrivateExport({ codespace, correlationId }) {
      const record = await imports.find(codespace, correlationId);
      if (!record || record.withdrawnAt) return 'WITHDRAWN';
      const { state, actions } = record;
      const isRegister = actions.FILE_CLASSIFICATION?.details?.kind === 'stop-register';
      if (isRegister || state !== 'IN_PROGRESS' || actions.PRIVATE_EXPORT?.state === 'OK') return 'DONE';
      return { day: serviceDayOf(now(), timeZone) };
    },

    async serviceDay({ instant }) {
      return serviceDayOf(new Date(instant), timeZone);
    },
  });
}
