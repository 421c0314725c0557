/** Reads of planner builds. Callers: the step PLANNER_BUILD; the planner worker through `PlannerBuildStore`. */
import type { Connection, mongo } from 'mongoose';
import type { PlannerBuildState } from '../../workflows/timetable/planner-build-activities.ts';
import { usedSources } from './left-out-version.ts';
import { PLANNER_BUILDS, type PlannerBuild } from './planner-build-model.ts';
import type { PlannerSource } from './planner-input.ts';

/** Number of latest builds that are searched for a version. */
const LOOKED_AT = 20;

export class PlannerBuildQueries {
  protected readonly builds: mongo.Collection<PlannerBuild>;

  constructor(connection: Connection) {
    this.builds = PLANNER_BUILDS.open(connection);
  }

  async get(build: number): Promise<PlannerBuild> {
    const found = await this.builds.findOne({ _id: build });
    if (!found) throw new RangeError(`There is no planner build ${build}`);
    return found;
  }

  /** Time of the last failed build of this input. */
  async findLastFailure(inputHash: string): Promise<Date | undefined> {
    const newest = { sort: { _id: -1 }, projection: { endedAt: 1 } } as const;
    return (await this.builds.findOne({ state: 'FAILED', inputHash }, newest))?.endedAt;
  }

  /**
   * State of the latest build with this version, or a newer one of its codespace. A version that it leaves out counts
   * as failed.
   */
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
