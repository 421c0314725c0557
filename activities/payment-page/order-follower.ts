/**
 * Lets live pages follow their orders: called with the events of orders, in their order, each at least once. Caller: the events
 * worker, by the manifest.
 *
 * Most orders have no page: one read of a small index answers that for a whole batch. Of the events only the order's
 * number counts, since the order itself says how it is now. So repeated and late events do no harm.
 */
import type { HandleEvents } from '../../platform/area.ts';
import type { OrderId } from '../../workflows/shared/ids.ts';
import { type FollowingDependencies, follow, needsWorkflow } from './page-following.ts';

export function createOrderFollower(dependencies: FollowingDependencies): HandleEvents {
  return async (events) => {
    const orderIds = [...new Set(events.map(({ key }) => key))] as OrderId[];
    for (const { page } of await dependencies.pages.listLive(orderIds)) {
      await follow(dependencies, page, { pendingStart: needsWorkflow });
    }
  };
}
