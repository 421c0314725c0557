/**
 * The pipeline's writes to the document of an import. Local activities of `datasetImport`.
 *
 * Each is one conditional update of the store, so running it twice, or two at once, equals once.
 */
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { ImportFailure, ImportRecords } from '../../workflows/timetable/activities.ts';
import type { DatasetImportInput } from '../../workflows/timetable/messages.ts';
import { guardActivities } from '../shared/activity-guard.ts';
import type { ImportStore } from './import-store.ts';

export function createImportRecordActivities(imports: ImportStore): ImportRecords {
  return guardActivities<ImportRecords>({
    async startStep({ codespace, correlationId }, action) {
      // An import that is gone altogether has nothing to be done for it either.
      if (!(await imports.find(codespace, correlationId))) return 'ALREADY_ENDED';
      await imports.recordAction(codespace, correlationId, action, { state: 'STARTED' });
      const { state } = await imports.get(codespace, correlationId);
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

    failImport: (input, failure) => failImport(imports, input, failure),
  });
}

async function failImport(
  imports: ImportStore,
  { codespace, correlationId }: DatasetImportInput,
  { action, errorCode, message, findings }: ImportFailure,
): Promise<'FAILED' | 'OK'> {
  try {
    await imports.fail(codespace, correlationId, {
      action,
      state: errorCode === 'CANCELLED' ? 'CANCELLED' : 'FAILED',
      errorCode,
      details: { message },
      ...(findings && { findings }),
    });
    return 'FAILED';
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'INVALID_STATE') throw error;
    // It was published before the failure arrived: what is published stays, and the import has ended well.
    return 'OK';
  }
}
