/** Reads of planner builds and of the snapshot in use. Callers: mostly through `PlannerBuildStore`, which adds the writes. */
import type { Connection, mongo } from 'mongoose';
import type { PlannerBuildState } from '../../workflows/timetable/planner-build-activities.ts';
import { findPlannerPointer, type PlannerPointerDocument } from '../shared/planner-snapshot.ts';
import { type LeftOutVersion, usedSources } from './left-out-version.ts';
import { PLANNER_BUILDS, type PlannerBuild } from './planner-build-model.ts';
import type { PlannerInput, PlannerSource } from './planner-input.ts';

/** Number of latest builds that are searched for a version. */
const LOOKED_AT = 20;
/** A version that could not be read may be readable again, and no event says so. */
const LOOK_AGAIN_MS = 24 * 60 * 60_000;

export class PlannerBuildQueries {
  protected readonly connection: Connection;
  protected readonly builds: mongo.Collection<PlannerBuild>;
  protected readonly now: () => Date;

  constructor(connection: Connection, now: () => Date = () => new Date()) {
    this.connection = connection;
    this.builds = PLANNER_BUILDS.open(connection);
    this.now = now;
  }

  async findPointer(): Promise<PlannerPointerDocument | undefined> {
    return await findPlannerPointer(this.connection);
  }

  async get(build: number): Promise<PlannerBuild> {
    const found = await this.builds.findOne({ _id: build });
    if (!found) throw new RangeError(`There is no planner build ${build}`);
    return found;
  }

  /** Planned versions that the snapshot in use leaves out. */
  async listLeftOut(): Promise<readonly LeftOutVersion[]> {
    return (await this.#findInUse())?.leftOut ?? [];
  }

  /** Older versions that replace them in the snapshot in use. */
  async listTakenInstead(): Promise<readonly PlannerSource[]> {
    const { sources = [], leftOut = [] } = (await this.#findInUse()) ?? {};
    const planned = new Set(sources.map(({ correlationId }) => correlationId));
    return usedSources(sources, leftOut).filter(({ correlationId }) => !planned.has(correlationId));
  }

  async #findInUse(): Promise<Pick<PlannerBuild, 'sources' | 'leftOut'> | undefined> {
    const pointer = await this.findPointer();
    if (!pointer) return undefined;
    const projection = { sources: 1, leftOut: 1 } as const;
    return (await this.builds.findOne({ _id: pointer.build }, { projection })) ?? undefined;
  }

  /** True when the snapshot in use has this input, and leaves out no version that is due for another try. */
  async isInUse({ hash, sources }: PlannerInput): Promise<boolean> {
    const pointer = await this.findPointer();
    if (!pointer) return sources.length === 0;
    if (pointer.inputHash !== hash) return false;
    const isDue = pointer.publishedAt.getTime() < this.now().getTime() - LOOK_AGAIN_MS;
    return !(isDue && (await this.listLeftOut()).length > 0);
  }

  /** Time of the last failed build of this input. */
  async findLastFailure(inputHash: string): Promise<Date | undefined> {
    const newest = { sort: { _id: -1 }, projection: { endedAt: 1 } } as const;
    return (await this.builds.findOne({ state: 'FAILED', inputHash }, newest))?.endedAt;
  }

  /** State of the latest build with this version, or a newer one of its codespace. A version that it leaves out counts as failed. */
  async findState(version: Pick<PlannerSource, 'codespace' | 'kind' | 'receivedAt'>): Promise<PlannerBuildState> {
    const isNewEnough = ({ codespace, kind, receivedAt }: PlannerSource) =>
      codespace === version.codespace && kind === version.kind && receivedAt >= version.receivedAt;
    const recent = this.builds
      .find({}, { projection: { report: 0 } })
      .sort({ _id: -1 })
      .limit(LOOKED_AT);
    const builds = (await recent.toArray()).filter(({ sources }) => sources.some(isNewEnough));
    const has = ({ sources, leftOut = [] }: PlannerBuild) => usedSources(sources, leftOut).some(isNewEnough);
    const published = builds.find((build) => build.state === 'PUBLISHED' && has(build));
    if (published?.snapshotId !== undefined) {
      return { state: 'BUILT', build: published._id, snapshotId: published.snapshotId };
    }
    const [latest] = builds;
    const failed = latest?.state === 'FAILED' || (latest?.state === 'PUBLISHED' && !has(latest));
    return failed && latest ? { state: 'FAILED', build: latest._id } : { state: 'WAITING' };
  }
}
