/** Whether a page that has ended without its tickets may say that all was sent. */
import assert from 'node:assert/strict';
import { isAllSent } from '../../../workflows/tickets/rules/sent-in-the-end.ts';
import type { TicketStatus } from '../../../workflows/tickets/rules/ticket-group.ts';
import type { MailedReceipt } from '../../../workflows/tickets/rules/ticket-mailing.ts';

describe('all of an order is sent in the end', () => {
  const groups = (...statuses: TicketStatus[]) =>
    statuses.map((status) => ({ ticketDistributions: [{ status }] })) as unknown as Parameters<typeof isAllSent>[1];
  const mailed = (...states: MailedReceipt['state'][]) =>
    states.map((state) => ({ receipt: { isMailed: true, state } satisfies MailedReceipt }));

  it('when every ticket that is valid has arrived', () => {
    assert.equal(isAllSent([{}], groups('DISTRIBUTED', 'DISTRIBUTED')), true);
    assert.equal(isAllSent([{}], groups('DISTRIBUTED', 'REPLACED', 'DISABLED')), true);
    for (const status of ['GENERATED', 'DISTRIBUTING', 'FAILED'] as const) {
      assert.equal(isAllSent([{}], groups('DISTRIBUTED', status)), false, status);
    }
  });

  it('never without a ticket, as where none could be made', () => {
    assert.equal(isAllSent([{}], groups()), false);
    assert.equal(isAllSent([{}], groups('REPLACED', 'DISABLED')), false);
  });

  it('only with its receipt', () => {
    for (const state of ['SENT', 'ISSUED', 'UNADDRESSED', 'NONE'] as const) {
      assert.equal(isAllSent(mailed(state), groups('DISTRIBUTED')), true, state);
    }
    for (const state of ['FAILED', 'DUE'] as const) {
      assert.equal(isAllSent(mailed('SENT', state), groups('DISTRIBUTED')), false, state);
    }
  });
});
