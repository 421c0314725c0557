/**
 * The builds of workers as Temporal keeps them: the build that gets new work, the builds that still finish theirs, and
 * how orphaned work continues. Callers: every worker at its start and at intervals, `npm run worker-version`. Starts
 * and ends no process.
 *
 * A deployment is one worker role, a build the checksum of its workflow bundle. See docs/operations/worker-versions.md.
 */
import { type Client, isGrpcServiceError } from '@temporalio/client';
import proto from '@temporalio/proto';
import type { TemporalClient } from './temporal.ts';

export interface WorkerVersion {
  readonly deployment: string;
  readonly buildId: string;
}

/** `NEW`: has never been the current one. `DRAINING`: workflows pinned to it are open. */
export type WorkerVersionStatus = 'NEW' | 'CURRENT' | 'RAMPING' | 'DRAINING' | 'DRAINED';

export interface KnownVersion {
  readonly buildId: string;
  readonly status: WorkerVersionStatus;
}

export interface WorkerDeployment {
  readonly name: string;
  /** Undefined: workers without a version get the work. */
  readonly current: string | undefined;
  readonly versions: readonly KnownVersion[];
  /** Changes with every change of the deployment. */
  readonly conflictToken: Uint8Array | undefined;
}

const { WorkerDeploymentVersionStatus: S } = proto.temporal.api.enums.v1;
const STATUSES: Readonly<Record<number, WorkerVersionStatus>> = {
  [S.WORKER_DEPLOYMENT_VERSION_STATUS_CURRENT]: 'CURRENT',
  [S.WORKER_DEPLOYMENT_VERSION_STATUS_RAMPING]: 'RAMPING',
  [S.WORKER_DEPLOYMENT_VERSION_STATUS_DRAINING]: 'DRAINING',
  [S.WORKER_DEPLOYMENT_VERSION_STATUS_DRAINED]: 'DRAINED',
};
const NOT_FOUND = 5;
/** The server updates every task queue before it answers. */
const CHANGE_TIMEOUT_MS = 30_000;
const RELEASE_TIMEOUT_MS = 300_000;

export class WorkerVersions {
  readonly #temporal: TemporalClient;
  readonly #namespace: string;

  constructor(temporal: TemporalClient) {
    this.#temporal = temporal;
    this.#namespace = temporal.client.options.namespace;
  }

  /** Undefined before the first worker of it was seen. */
  async findDeployment(name: string): Promise<WorkerDeployment | undefined> {
    const namespace = this.#namespace;
    const answer = await orUndefined(
      this.#temporal.withDeadline(({ workflowService }) =>
        workflowService.describeWorkerDeployment({ namespace, deploymentName: name }),
      ),
    );
    if (!answer) return undefined;
    const { versionSummaries, routingConfig } = answer.workerDeploymentInfo ?? {};
    const versions = (versionSummaries ?? []).map(({ deploymentVersion, status }) => ({
      buildId: deploymentVersion?.buildId ?? '',
      status: STATUSES[status ?? 0] ?? 'NEW',
    }));
    const current = routingConfig?.currentDeploymentVersion?.buildId || undefined;
    return { name, current, versions, conflictToken: answer.conflictToken ?? undefined };
  }

  async listDeployments(): Promise<readonly WorkerDeployment[]> {
    const names: string[] = [];
    let nextPageToken: Uint8Array = new Uint8Array();
    do {
      const page = { namespace: this.#namespace, pageSize: 100, nextPageToken };
      const answer = await this.#temporal.withDeadline((client) => client.workflowService.listWorkerDeployments(page));
      names.push(...(answer.workerDeployments ?? []).map(({ name }) => name ?? ''));
      nextPageToken = answer.nextPageToken ?? new Uint8Array();
    } while (nextPageToken.length > 0);
    const found = await Promise.all(names.sort().map((name) => this.findDeployment(name)));
    return found.filter((each) => each !== undefined);
  }

  /**
   * From now on the build gets new workflows and those that follow the current build. `seen`: only while the deployment
   * is as it was read. Throws otherwise, and for a build without a known worker. `unseen`: also for a build without
   * one.
   */
  async makeCurrent({ deployment, buildId }: WorkerVersion, how: { seen: WorkerDeployment } | 'unseen'): Promise<void> {
    const conflictToken = how === 'unseen' ? undefined : how.seen.conflictToken;
    const request = {
      namespace: this.#namespace,
      deploymentName: deployment,
      buildId,
      identity: this.#temporal.client.options.identity,
      ...(conflictToken && { conflictToken }),
      ...(how === 'unseen' && { allowNoPollers: true, ignoreMissingTaskQueues: true }),
    };
    await this.#temporal.withDeadline(
      ({ workflowService }) => workflowService.setWorkerDeploymentCurrentVersion(request),
      CHANGE_TIMEOUT_MS,
    );
  }

  /**
   * Time of the last poll of the build's workers; undefined: none in the last minutes. A waiting worker polls each
   * minute.
   */
  async lastPollOf({ deployment, buildId }: WorkerVersion): Promise<Date | undefined> {
    const namespace = this.#namespace;
    const version = { deploymentName: deployment, buildId };
    return await this.#temporal.withDeadline(async ({ workflowService }) => {
      const found = await orUndefined(
        workflowService.describeWorkerDeploymentVersion({ namespace, deploymentVersion: version }),
      );
      const lookups = (found?.versionTaskQueues ?? []).map(async ({ name, type }) => {
        const taskQueue = { name: name ?? '' };
        const queue = { namespace, taskQueue, taskQueueType: type ?? null };
        const { pollers } = await workflowService.describeTaskQueue(queue);
        return (pollers ?? [])
          .filter(({ deploymentOptions }) => deploymentOptions?.buildId === buildId)
          .map(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1_000);
      });
      const latestMs = Math.max(0, ...(await Promise.all(lookups)).flat());
      return latestMs === 0 ? undefined : new Date(latestMs);
    });
  }

  /** Open workflows that only this build may continue. From visibility, so about a second late. */
  async countPinned(version: WorkerVersion): Promise<number> {
    const query = pinnedTo(version);
    return await this.#temporal.withDeadline(async ({ workflow }) => (await workflow.count(query)).count);
  }

  /**
   * Lets the open workflows pinned to the build continue on the current one. For a build without workers: each
   * continues where its history ends. Answers how many; safe to repeat.
   */
  async release(version: WorkerVersion): Promise<number> {
    return await this.#temporal.withDeadline(async (client) => {
      let released = 0;
      for await (const { workflowId, runId } of client.workflow.list({ query: pinnedTo(version) })) {
        if (await this.#unpin(client, workflowId, runId)) released += 1;
      }
      return released;
    }, RELEASE_TIMEOUT_MS);
  }

  /** False: it has ended in the time between. */
  async #unpin({ workflowService }: Client, workflowId: string, runId: string): Promise<boolean> {
    const answer = await orUndefined(
      workflowService.updateWorkflowExecutionOptions({
        namespace: this.#namespace,
        workflowExecution: { workflowId, runId },
        workflowExecutionOptions: { versioningOverride: { autoUpgrade: true } },
        updateMask: { paths: ['versioning_override'] },
        identity: this.#temporal.client.options.identity,
      }),
    );
    return answer !== undefined;
  }
}

function pinnedTo({ deployment, buildId }: WorkerVersion): string {
  const version = `TemporalWorkerDeploymentVersion = "${deployment}:${buildId}"`;
  return `${version} AND TemporalWorkflowVersioningBehavior = "Pinned" AND ExecutionStatus = "Running"`;
}

async function orUndefined<Answer>(call: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isGrpcServiceError(error) && error.code === NOT_FOUND) return undefined;
    throw error;
  }
}
