/**
 * A world in memory for `datasetImport`. Tests inspect the effects of its activities, and make them fail before or
 * after their effect, like a crash.
 */

import type { CorrelationId } from '../../workflows/shared/ids.ts';
import type {
  ArchiveInput,
  BatchInput,
  ClassifiedDataset,
  DatasetActivities,
  FindingCounts,
  ImportFailure,
  ImportRecords,
  PrivateDatasetActivities,
  RefusedDataset,
  StepLeftUndone,
  ValidatedDataset,
  ValidationActivities,
} from '../../workflows/timetable/activities.ts';
import type {
  ComparisonActivities,
  ComparisonPlan,
  ComparisonRecords,
} from '../../workflows/timetable/comparison-activities.ts';
import type { ImportAction } from '../../workflows/timetable/messages.ts';
import type { PlannerBuildState, PlannerStepRecords } from '../../workflows/timetable/planner-build-activities.ts';

export type AllActivities = ImportRecords &
  DatasetActivities &
  PrivateDatasetActivities &
  ValidationActivities &
  ComparisonRecords &
  ComparisonActivities &
  PlannerStepRecords;
export type ActivityName = keyof AllActivities;

export const NO_FINDINGS: FindingCounts = { CRITICAL: 0, ERROR: 0, WARNING: 0, INFO: 0 };

/** Longer than the heartbeat timeout, and short enough for the worker to shut down afterwards. */
const HANG_MS = 8_000;

export class ImportWorld {
  /** State as in the database. */
  state: 'IN_PROGRESS' | 'OK' | 'FAILED' = 'IN_PROGRESS';
  failure: ImportFailure | undefined;
  publications = 0;
  withdrawn = false;
  /** First and all steps that were left undone although the import is OK. */
  undone: StepLeftUndone | undefined;
  allUndone: readonly StepLeftUndone[] = [];
  /** There is no version before it unless a test says so. */
  comparisonPlan: ComparisonPlan | 'NOTHING' = 'NOTHING';
  /** Ids of the versions that it was compared with. */
  readonly comparedWith: string[] = [];
  /** The planner is off unless a test turns it on. */
  planner: 'REQUESTED' | 'OFF' = 'OFF';
  /** State of the build at each read; later reads get the last one. */
  plannerLooks: PlannerBuildState[] = [{ state: 'BUILT', build: 1, snapshotId: 's1' }];
  /** Details noted for steps in progress. */
  readonly notes: unknown[] = [];
  /** Ids of written exports, in order, and of discarded ones. */
  readonly exports: string[] = [];
  readonly discarded: string[] = [];
  shownExport: string | undefined;
  /** Day of the private dataset. */
  today = '2026-11-21';
  readonly steps: string[] = [];
  readonly calls: Array<readonly [name: ActivityName, input: Parameters<AllActivities[ActivityName]>[0]]> = [];
  workRemoved = 0;
  readonly validatedBatches = new Set<number>();

  classified: ClassifiedDataset | RefusedDataset = {
    outcome: 'accepted',
    manifestId: 'm1',
    kind: 'timetable',
    filesTotal: 6,
    batchesTotal: 3,
    unpackedBytes: 600,
  };
  validated: ValidatedDataset = { valid: true, findings: NO_FINDINGS };
  /** Result for each private archive; later archives get the last one. */
  privatelyValidated: ValidatedDataset[] = [{ valid: true, findings: NO_FINDINGS }];
  emptyExport = false;

  readonly #faults = new Map<string, Error[]>();
  readonly #hangs = new Set<ActivityName>();
  readonly #durationsMs = new Map<ActivityName, number>();
  readonly #pauses = new Map<ActivityName, PromiseWithResolvers<void>>();

  /** Makes the next calls of `name` throw these errors, one each, before or after their effect. */
  breakOn(name: ActivityName, when: 'before' | 'after', ...errors: Error[]): void {
    this.#faults.set(`${name} ${when}`, errors);
  }

  /** Makes calls of `name` wait until `resume`. */
  pauseOn(name: ActivityName): void {
    this.#pauses.set(name, Promise.withResolvers<void>());
  }

  resume(): void {
    for (const pause of this.#pauses.values()) pause.resolve();
  }

  /** Makes calls of `name` take this long, as on a slow server. */
  slowOn(name: ActivityName, durationMs: number): void {
    this.#durationsMs.set(name, durationMs);
  }

  /** Makes the next call of `name` hang without a heartbeat, like that of a killed worker. */
  hangOnce(name: ActivityName): void {
    this.#hangs.add(name);
  }

  callsOf(name: ActivityName): number {
    return this.calls.filter(([called]) => called === name).length;
  }

  activities(): AllActivities {
    const { begin, end } = this.#stepEffects();
    return {
      startStep: this.#activity('startStep', async (_, action) => begin(action)),
      finishStep: this.#activity('finishStep', async (_, action) => end(action)),
      failImport: this.#activity('failImport', async (_, failure) => {
        if (this.publications > 0) this.state = 'OK';
        if (this.state === 'IN_PROGRESS') [this.state, this.failure] = ['FAILED', failure];
        return this.state === 'OK' ? 'OK' : 'FAILED';
      }),
      publishImport: this.#activity('publishImport', async () => {
        this.publications = 1;
      }),
      classifyDataset: this.#activity('classifyDataset', async ({ privateExport }: ArchiveInput) =>
        privateExport
          ? ({ ...this.classified, manifestId: privateExport.exportId } as ClassifiedDataset)
          : this.classified,
      ),
      removeWorkFiles: this.#activity('removeWorkFiles', async () => {
        this.workRemoved++;
      }),
      indexCommonFiles: this.#activity('indexCommonFiles', async () => {}),
      validateFiles: this.#activity('validateFiles', async ({ batch }: BatchInput) => {
        this.validatedBatches.add(batch);
        return { files: 2 };
      }),
      validateDataset: this.#activity('validateDataset', async ({ manifestId }) => {
        if (!this.exports.includes(manifestId)) return this.validated;
        return (
          (this.privatelyValidated.length > 1 ? this.privatelyValidated.shift() : this.privatelyValidated[0]) ??
          this.validated
        );
      }),
      indexStopRegister: this.#activity('indexStopRegister', async () => {}),
      ...this.#laterActivities(),
    };
  }

  #laterActivities() {
    return {
      noteStep: this.#activity('noteStep', async (_, __, { details }) => {
        this.notes.push(details);
      }),
      completeImport: this.#activity('completeImport', async (_, ...undone) => {
        this.allUndone = undone.filter((step) => step !== undefined);
        [this.state, this.undone] = ['OK', this.allUndone[0]];
      }),
      planComparison: this.#activity('planComparison', async () => this.comparisonPlan),
      compareVersions: this.#activity('compareVersions', async ({ previous }) => {
        if (!this.comparedWith.includes(previous.correlationId)) this.comparedWith.push(previous.correlationId);
      }),
      requestPlannerBuild: this.#activity('requestPlannerBuild', async () => this.planner),
      checkPlannerBuild: this.#activity('checkPlannerBuild', async () => {
        const look = this.plannerLooks.length > 1 ? this.plannerLooks.shift() : this.plannerLooks[0];
        return look ?? { state: 'WAITING' as const };
      }),
      planPrivateExport: this.#activity('planPrivateExport', async () => {
        if (this.withdrawn) return 'WITHDRAWN' as const;
        const isRegister = 'kind' in this.classified && this.classified.kind === 'stop-register';
        return isRegister || this.shownExport !== undefined ? ('DONE' as const) : { day: this.today };
      }),
      serviceDay: this.#activity('serviceDay', async () => this.today),
      exportPrivateDataset: this.#activity('exportPrivateDataset', async ({ day }) => {
        this.exports.push(`${day}_${this.exports.length + 1}`);
        return { exportId: this.exports.at(-1) ?? '', empty: this.emptyExport };
      }),
      showPrivateExport: this.#activity('showPrivateExport', async ({ exportId }) => {
        if (this.withdrawn) return 'WITHDRAWN' as const;
        this.shownExport = exportId;
        this.steps.push('PRIVATE_EXPORT OK');
        return 'SHOWN' as const;
      }),
      discardPrivateExport: this.#activity('discardPrivateExport', async ({ exportId }) => {
        if (exportId !== this.shownExport) this.discarded.push(exportId);
      }),
      listStaleExports: this.#activity('listStaleExports', async () => []),
    };
  }

  #stepEffects() {
    const note = (step: string) => {
      if (!this.steps.includes(step)) this.steps.push(step);
    };
    return {
      begin: (action: ImportAction) => {
        if (this.state !== 'IN_PROGRESS') return 'ALREADY_ENDED' as const;
        const isLater = action === 'PRIVATE_EXPORT' || action === 'PLANNER_BUILD';
        if (this.publications > 0 && !isLater) return 'PUBLISHED' as const;
        note(`${action} STARTED`);
        return 'STARTED' as const;
      },
      end: (action: ImportAction) => note(`${action} OK`),
    };
  }

  #activity<Name extends ActivityName>(name: Name, effect: AllActivities[Name]): AllActivities[Name] {
    const run = async (...args: Parameters<AllActivities[Name]>) => {
      this.calls.push([name, args[0]]);
      if (this.#hangs.delete(name)) await new Promise((resolve) => setTimeout(resolve, HANG_MS));
      await this.#pauses.get(name)?.promise;
      const durationMs = this.#durationsMs.get(name);
      if (durationMs !== undefined) await new Promise((resolve) => setTimeout(resolve, durationMs));
      this.#throwNext(`${name} before`);
      const answer = await (effect as (...args: unknown[]) => Promise<unknown>)(...args);
      this.#throwNext(`${name} after`);
      return answer;
    };
    return run as unknown as AllActivities[Name];
  }

  #throwNext(point: string): void {
    const error = this.#faults.get(point)?.shift();
    if (error) throw error;
  }
}

/** A world with a version before. */
export function comparedWorld(): ImportWorld {
  const world = new ImportWorld();
  const version = (correlationId: string) => ({
    correlationId: correlationId as CorrelationId,
    importKey: `rut_${correlationId}`,
    receivedAt: '2026-11-21T04:43:09.120Z',
  });
  const [previous, own] = [version('c0'), version('c1')];
  world.comparisonPlan = { kind: 'timetable', version: own, previous, day: '2026-11-21', stopRegister: null };
  return world;
}
