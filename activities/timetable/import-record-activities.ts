/**
 * The pipeline's writes to the document of an import. Local activities of `datasetImport`.
 *
 * Each is one conditional update of the store, so running it twice, or two at once, equals once.
 */
import type { ImportRecords } from '../../workflows/timetable/activities.ts';
import { guardActivities } from './activity-guard.ts';
import type { ImportStore } from './import-store.ts';

export function createImportRecordActivities(imports: ImportStore): ImportRecords {
  return guardActivities<ImportRecords>({
    async startStep({ codespace, correlationId }, action) {
      // An import that is gone altogether has nothing to be done for it either.
      if (!(await imports.find(codespace, correlationId))) return 'ALREADY_ENDED';
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
      return state === 'OK' ? 'OK' : 'FAILED';
    },
  });
}
