/**
 * A country in memory for `datasetRefresh`: codespaces with private datasets of some day. Some of them fail when they
 * are made again.
 */

import type { Codespace, CorrelationId } from '../../workflows/shared/ids.ts';
import type {
  ClassifiedDataset,
  DatasetActivities,
  ImportRecords,
  PrivateDatasetActivities,
  ValidationActivities,
} from '../../workflows/timetable/activities.ts';
import { NO_FINDINGS } from './import-world.ts';

type RefreshActivities = Pick<ImportRecords, 'serviceDay'> &
  Pick<DatasetActivities, 'classifyDataset' | 'removeWorkFiles'> &
  PrivateDatasetActivities &
  ValidationActivities;

export const TODAY = '2026-11-22';

export class RefreshWorld {
  /** Day of the private dataset, by codespace. */
  readonly days = new Map<string, string>();
  readonly discarded: string[] = [];
  readonly empty = new Set<string>();
  readonly withdrawn = new Set<string>();
  /** How often the new archive is still invalid, by codespace. */
  readonly wrong = new Map<string, number>();
  readonly instants: string[] = [];
  readonly daysAsked = new Set<string>();
  readonly pages: Array<string | null> = [];
  busy = 0;
  busiest = 0;

  constructor(codespaces: readonly string[], day = '2026-11-21') {
    for (const codespace of codespaces) this.days.set(codespace, day);
  }

  activities(): RefreshActivities {
    return {
      serviceDay: async ({ instant }) => {
        this.instants.push(instant);
        return TODAY;
      },
      listStaleExports: async ({ day, after, codespaces, limit }) => {
        this.pages.push(after);
        return [...this.days]
          .filter(([codespace, shown]) => shown < day && !this.withdrawn.has(codespace) && codespace > (after ?? ''))
          .filter(([codespace]) => codespaces?.includes(codespace as Codespace) ?? true)
          .toSorted()
          .slice(0, limit)
          .map(([codespace]) => ({ codespace: codespace as Codespace, correlationId: codespace as CorrelationId }));
      },
      exportPrivateDataset: async ({ codespace, day }) => {
        this.daysAsked.add(day);
        this.busiest = Math.max(this.busiest, ++this.busy);
        return { exportId: `${codespace}-${day}`, empty: this.empty.has(codespace) };
      },
      classifyDataset: async ({ privateExport }) =>
        ({
          outcome: 'accepted',
          kind: 'timetable',
          filesTotal: 2,
          batchesTotal: 2,
          unpackedBytes: 10,
          manifestId: privateExport?.exportId,
        }) as ClassifiedDataset,
      indexCommonFiles: async () => {},
      validateFiles: async () => ({ files: 1 }),
      validateDataset: async ({ codespace }) => {
        const left = this.wrong.get(codespace) ?? 0;
        this.wrong.set(codespace, left - 1);
        return { valid: left <= 0, findings: NO_FINDINGS, ...(left > 0 && { brokenRules: ['LINE_2'] }) };
      },
      indexStopRegister: async () => {},
      showPrivateExport: async ({ codespace, day }) => {
        if (this.withdrawn.has(codespace)) return 'WITHDRAWN';
        this.days.set(codespace, day);
        return 'SHOWN';
      },
      discardPrivateExport: async ({ exportId }) => {
        this.discarded.push(exportId);
      },
      removeWorkFiles: async () => {
        this.busy--;
      },
    };
  }
}
