/**
 * The tasks that remove keys without a subject: one for each kind that a manifest names, so that a failure with one kind
 * delays no other. Caller: the worker that keeps the keys database in order, of which there is one role.
 */
import type { Area, StoreBase } from '../area.ts';
import type { RepeatedTask } from '../process/repeat.ts';
import { OrphanKeySweep, type OrphanKeySweepDependencies } from './key-sweep.ts';

const EVERY_MS = 3_600_000;

export interface OrphanKeyBase extends StoreBase {
  readonly areas: readonly Area[];
}

export async function createOrphanKeyTasks(
  base: OrphanKeyBase,
  keys: OrphanKeySweepDependencies['keys'],
): Promise<readonly RepeatedTask[]> {
  const kinds = base.areas.flatMap(({ subjectKinds = [] }) => subjectKinds);
  return await Promise.all(
    kinds.map(async ({ kind, listKept }) => {
      const sweep = new OrphanKeySweep({ kind, keys, listKept: await listKept(base), log: base.log });
      return { name: `orphan-keys-${kind}`, everyMs: EVERY_MS, run: () => sweep.run() };
    }),
  );
}
