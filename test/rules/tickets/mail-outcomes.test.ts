/** What the mails of one ticket to several readers mean for it. */
import assert from 'node:assert/strict';
import type { CustomerNumber, TicketDistributionId, TicketGroupId } from '../../../workflows/shared/ids.ts';
import { outcomeOf } from '../../../workflows/tickets/rules/mailing-steps.ts';
import type { TicketMail } from '../../../workflows/tickets/rules/ticket-mailing.ts';

const TICKET = 7 as TicketDistributionId;

function mail(recipient: string, state: TicketMail['state'], code?: string): TicketMail {
  const tickets = [{ groupId: 3 as TicketGroupId, ticketId: TICKET }];
  const failure = code === undefined ? {} : { code };
  const attempts = state === 'DUE' && code === undefined ? 0 : 1;
  return {
    messageId: `7.${recipient}.1`,
    recipient: recipient as CustomerNumber,
    tickets,
    state,
    attempts,
    ...failure,
  };
}

function outcome(own: TicketMail, ...others: readonly TicketMail[]) {
  return outcomeOf({ mails: [own, ...others] }, own, TICKET);
}

describe('a ticket with mails to several readers', () => {
  const refused = mail('1000000002', 'FAILED', '550 5.1.1');

  it('is DISTRIBUTED by the first that arrives, and shows the one that was refused', () => {
    assert.deepEqual(outcome(mail('1000000001', 'SENT'), mail('1000000002', 'DUE')), { kind: 'DISTRIBUTED' });
    assert.deepEqual(outcome(mail('1000000001', 'SENT'), refused), { kind: 'DISTRIBUTED', code: '550 5.1.1' });
  });

  it('shows a refusal at once while another mail is due or has arrived', () => {
    for (const state of ['DUE', 'SENT'] as const) {
      assert.deepEqual(outcome(refused, mail('1000000001', state)), { kind: 'TRIED', code: '550 5.1.1' });
    }
  });

  it('is FAILED once no mail is left', () => {
    const other = mail('1000000001', 'FAILED', '421');
    assert.deepEqual(outcome(refused, other), { kind: 'FAILED', code: '550 5.1.1' });
    assert.deepEqual(outcome(refused), { kind: 'FAILED', code: '550 5.1.1' });
    assert.deepEqual(outcome(mail('1000000001', 'DUE', '421'), refused), { kind: 'TRIED', code: '421' });
  });

  it('is as it was before a mail was tried', () => {
    assert.equal(outcome(mail('1000000001', 'DUE'), refused), undefined);
  });

  it('is left behind by the last mail that was dropped or did not show it', () => {
    const dropped = { ...mail('1000000001', 'DROPPED'), attempts: 0 };
    const without = { ...mail('1000000002', 'SENT'), omitted: [TICKET] };
    assert.deepEqual(outcome(dropped, { ...dropped, messageId: '7.b.1' }), { kind: 'DROPPED' });
    assert.deepEqual(outcome(without), { kind: 'DROPPED' });
    assert.deepEqual(outcome(dropped, without), { kind: 'DROPPED' });
    for (const state of ['DUE', 'SENT'] as const) assert.equal(outcome(without, mail('1000000003', state)), undefined);
    assert.equal(outcome({ ...mail('1000000001', 'DUE', '421'), omitted: [TICKET] }), undefined);
    assert.deepEqual(outcome(refused, without), { kind: 'FAILED', code: '550 5.1.1' });
  });
});
