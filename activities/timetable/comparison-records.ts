/** Decides with what a published version is compared. A local activity of `datasetImport`; it only reads. */
import type { Codespace } from '../../workflows/shared/ids.ts';
import type { ComparedVersion, ComparisonRecords } from '../../workflows/timetable/comparison-activities.ts';
import { guardActivities } from './activity-guard.ts';
import type { ImportRecord, ImportStore } from './import-store.ts';
import { findStopRegister } from './published-stop-register.ts';
import { serviceDayOf } from './service-day.ts';
import type { VersionStore } from './version-store.ts';

export interface ComparisonRecordDependencies {
  readonly imports: ImportStore;
  readonly versions: VersionStore;
  readonly timeZone: string;
  readonly stopRegisterCodespace: Codespace;
}

export function createComparisonRecords(dependencies: ComparisonRecordDependencies): ComparisonRecords {
  const { imports, versions, timeZone, stopRegisterCodespace } = dependencies;
  return guardActivities<ComparisonRecords>({
    async planComparison({ codespace, correlationId }) {
      const record = await imports.find(codespace, correlationId);
      if (!record?.publishedAt || record.withdrawnAt) return 'NOTHING';
      const previous = await versions.findBefore(record);
      if (!previous) return 'NOTHING';
      const isRegister = record.actions.FILE_CLASSIFICATION?.details?.kind === 'stop-register';
      return {
        kind: isRegister ? 'stop-register' : 'timetable',
        version: toVersion(record),
        previous: toVersion(previous),
        day: serviceDayOf(record.receivedAt, timeZone),
        stopRegister: isRegister ? null : await findStopRegister(versions, stopRegisterCodespace),
      };
    },
  });
}

function toVersion({ correlationId, importKey, receivedAt }: ImportRecord): ComparedVersion {
  return { correlationId, importKey, receivedAt: receivedAt.toISOString() };
}
