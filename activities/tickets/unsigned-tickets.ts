/** Tickets of a line that could not be signed: no key is there for them, or what has it is away. Trying again may cure it. */
import type { TicketGroupId } from '../../workflows/shared/ids.ts';

export class UnsignedTickets extends Error {
  constructor(groupId: TicketGroupId, cause: unknown) {
    super(`The tickets ${groupId} could not be signed: ${cause instanceof Error ? cause.message : cause}`, { cause });
    this.name = 'UnsignedTickets';
  }
}
