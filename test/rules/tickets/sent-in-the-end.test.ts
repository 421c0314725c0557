/** Whether a page that has ended without its tickets may say that all was sent. */
import assert from 'node:assert/strict';
import type { OrderLineId } from '../../../workflows/shared/ids.ts';
import { isAllSent } from '../../../workflows/tickets/rules/sent-in-the-end.ts';
import type { TicketStatus } from '../../../workflows/tickets/rules/ticket-group.ts';
import type { MailedReceipt } from '../../../workflows/tickets/rules/ticket-mailing.ts';

const ids = ['1', '2', '3'] as readonly string[] as readonly OrderLineId[];

describe('all of an order is sent in the end', () => {
  const groups = (...statuses: TicketStatus[]) =>
    statuses.map((status, at) => ({
      orderLineId: ids[at],
      ticketDistributions: [{ status }],
    })) as unknown as Parameters<typeof isAllSent>[1];
  const lines = (count: number, status: 'CONFIRMED' | 'CANCELLED' = 'CONFIRMED') =>
    ids.slice(0, count).map((id) => ({ id, status }));
  const mailed = (...states: MailedReceipt['state'][]) =>
    states.map((state) => ({ receipt: { isMailed: true, state } satisfies MailedReceipt }));

  it('when every ticket that is valid has arrived', () => {
    assert.equal(isAllSent([{}], groups('DISTRIBUTED', 'DISTRIBUTED'), lines(2)), true);
    assert.equal(isAllSent([{}], groups('DISTRIBUTED', 'REPLACED', 'DISABLED'), lines(3)), true);
    for (const status of ['GENERATED', 'DISTRIBUTING', 'FAILED'] as const) {
      assert.equal(isAllSent([{}], groups('DISTRIBUTED', status), lines(2)), false, status);
    }
  });

  it('never without a ticket, as where none could be made', () => {
    assert.equal(isAllSent([{}], groups(), lines(1)), false);
    assert.equal(isAllSent([{}], groups('REPLACED', 'DISABLED'), lines(2)), false);
  });

  it('never while a line that is sold has none, as one that was refused', () => {
    assert.equal(isAllSent([{}], groups('DISTRIBUTED'), lines(2)), false);
    assert.equal(isAllSent([{}], groups('DISTRIBUTED'), [...lines(1), ...lines(3, 'CANCELLED')]), true, 'paid back');
  });

  it('never while a line is held, also where its ticket of an earlier version has arrived', () => {
    assert.equal(isAllSent([{ held: ids.slice(1, 2) }], groups('DISTRIBUTED', 'DISABLED'), lines(2)), false);
    assert.equal(isAllSent([{}, { held: ids.slice(0, 1) }], groups('DISTRIBUTED'), lines(1)), false);
  });

  it('only with its receipt', () => {
    for (const state of ['SENT', 'ISSUED', 'UNADDRESSED', 'NONE'] as const) {
      assert.equal(isAllSent(mailed(state), groups('DISTRIBUTED'), lines(1)), true, state);
    }
    for (const state of ['FAILED', 'DUE'] as const) {
      assert.equal(isAllSent(mailed('SENT', state), groups('DISTRIBUTED'), lines(1)), false, state);
    }
  });
});
