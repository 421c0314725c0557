/** Groups whose successors wait for the workflow `reissue`. Callers: the handlers of the API, the sweep of the documents worker. */
import type { Connection } from 'mongoose';
import { PendingStarts } from '../../platform/aggregate/pending-starts.ts';
import type { TicketGroupId } from '../../workflows/shared/ids.ts';
import type { WantedReissue } from './delivery/delivery-sweep.ts';
import { TICKET_GROUPS, type TicketGroupDocument } from './ticket-group-document.ts';

export class PendingReissues {
  readonly #pending: PendingStarts<TicketGroupDocument>;

  constructor(connection: Connection) {
    const members = { organisationId: 1, orderId: 1, groupId: 1, reissues: 1 } as const;
    this.#pending = new PendingStarts(TICKET_GROUPS.open(connection), members);
  }

  /** Longest pending first. */
  async listPendingStarts(before: Date, limit: number): Promise<readonly WantedReissue[]> {
    const found = await this.#pending.list(before, limit);
    return found.map(({ organisationId, orderId, groupId, reissues, revision }) => ({
      ...{ organisationId, orderId, groupId, number: reissues, revision },
    }));
  }

  /** `revision`: of the write whose workflow was started. */
  async clearPendingStart({ groupId, revision }: { readonly groupId: TicketGroupId; readonly revision: number }) {
    await this.#pending.clear(String(groupId), revision);
  }
}
