/** What captures cost beside time: workflow tasks and activities by their histories, writes by the database's own count. */
import { Client, Connection as TemporalConnection } from '@temporalio/client';
import type { Connection } from 'mongoose';
import { z } from 'zod';

export interface WorkflowCost {
  readonly tasks: number;
  readonly activities: number;
  readonly localActivities: number;
}

/** The mean over some workflows. */
export async function workflowCosts(address: string, workflowIds: readonly string[]): Promise<WorkflowCost> {
  const connection = await TemporalConnection.connect({ address });
  try {
    const client = new Client({ connection });
    const sums = { tasks: 0, activities: 0, localActivities: 0 };
    for (const workflowId of workflowIds) {
      const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
      for (const event of events ?? []) {
        if (event.workflowTaskCompletedEventAttributes) sums.tasks++;
        if (event.activityTaskScheduledEventAttributes) sums.activities++;
        if (event.markerRecordedEventAttributes) sums.localActivities++;
      }
    }
    const mean = (sum: number) => sum / workflowIds.length;
    return {
      tasks: mean(sums.tasks),
      activities: mean(sums.activities),
      localActivities: mean(sums.localActivities),
    };
  } finally {
    await connection.close();
  }
}

const TOP = z.object({ totals: z.record(z.string(), z.unknown()) });
const COUNTED = z.object({ writeLock: z.object({ count: z.coerce.number() }) });

export type WriteCounts = ReadonlyMap<string, number>;

/** Writes of each collection of this database since the server began. */
export async function countWrites(connection: Connection): Promise<WriteCounts> {
  const { totals } = TOP.parse(await connection.getClient().db('admin').command({ top: 1 }));
  const prefix = `${connection.name}.`;
  return new Map(
    Object.entries(totals).flatMap(([name, counts]) => {
      const counted = COUNTED.safeParse(counts);
      if (!counted.success || !name.startsWith(prefix) || name.includes('$')) return [];
      return [[name.slice(prefix.length), counted.data.writeLock.count] as const];
    }),
  );
}

/** Writes of each collection between two counts, without those that come all the time, by one payment. */
export function writesEach(
  before: WriteCounts,
  after: WriteCounts,
  { payments, idle }: { readonly payments: number; readonly idle: (collection: string) => number },
): readonly [collection: string, writes: number][] {
  return [...after]
    .map(([name, count]): [string, number] => [name, (count - (before.get(name) ?? 0) - idle(name)) / payments])
    .filter(([, writes]) => writes > 0.05)
    .sort(([, one], [, other]) => other - one);
}
