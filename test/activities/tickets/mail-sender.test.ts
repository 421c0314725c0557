/** Mails of a workflow while another worker takes over. */
import assert from 'node:assert/strict';
import { MailSender } from '../../../activities/tickets/delivery/mail-sender.ts';
import type { CustomerNumber, OrderId, TicketDistributionId, TicketGroupId } from '../../../workflows/shared/ids.ts';
import type { Mailing } from '../../../workflows/tickets/rules/ticket-mailing.ts';
import { silentLog } from '../../api/support/parcels.ts';
import { NOW, OURS } from '../../support/sample-orders.ts';

const ANNA = '1000000001' as CustomerNumber;
const INPUT = { organisationId: OURS, orderId: 'K7QW2MXP' as OrderId, workflow: 'w', correlationId: 'c' };

function mailing(id: string): Mailing {
  const tickets = [{ groupId: 1 as TicketGroupId, ticketId: 1 as TicketDistributionId }];
  const due = { state: 'DUE', attempts: 0, nextTryAt: NOW } as const;
  return {
    ...{ id, organisationId: OURS, orderId: INPUT.orderId, orderVersion: 1, workflow: 'w', createdAt: NOW },
    ...{ wish: { kind: 'CONFIRMED' }, state: 'OPEN', unaddressed: 0 },
    mails: [{ messageId: id, recipient: ANNA, tickets, ...due }],
  };
}

describe('the sender of mails', () => {
  it('writes the outcome of the mails that it has begun, and begins no others, once another worker has taken over', async () => {
    const stored = new Map(['one', 'two'].map((id) => [id, mailing(id)]));
    const takenOver = new AbortController();
    const sent: string[] = [];
    const sender = new MailSender({
      late: { tell: async () => assert.fail('no page waits') },
      mailings: {
        now: () => NOW,
        create: async () => assert.fail('nothing was restored'),
        listOfWorkflow: async () => [...stored.values()],
        change: async (_organisation, id, decide) => {
          const after = decide(stored.get(id) ?? assert.fail(), NOW);
          stored.set(id, after);
          return after;
        },
      },
      tickets: {
        listOfOrder: async () => [],
        noteMailing: async () => ({ group: { ticketDistributions: [] } }) as never,
      },
      composer: {
        compose: async (_mailing, { messageId }) => ({
          ...{ messageId, to: 'anna@example.org', subject: 's', text: 't', html: 'h', attachments: [] },
        }),
      },
      receipts: { tryToSend: async () => undefined },
      issuer: { sign: async () => assert.fail('nothing was erased') },
      log: silentLog,
      mailer: {
        send: async ({ messageId }) => {
          sent.push(messageId);
          takenOver.abort(new Error('another worker has taken over'));
          return { kind: 'SENT' };
        },
      },
    });
    await assert.rejects(sender.sendDue(INPUT, takenOver.signal), /taken over/);
    assert.deepEqual(sent, ['one']);
    assert.deepEqual(
      [...stored.values()].map(({ mails: [mail] }) => mail?.state),
      ['SENT', 'DUE'],
    );
  });

  it('reads the tickets for each mailing: one that is disabled meanwhile is not in the next', async () => {
    const stored = new Map(['one', 'two'].map((id) => [id, mailing(id)]));
    let reads = 0;
    const shown: number[] = [];
    const sender = new MailSender({
      late: { tell: async () => assert.fail('no page waits') },
      mailings: {
        now: () => NOW,
        create: async () => assert.fail('nothing was restored'),
        listOfWorkflow: async () => [...stored.values()],
        change: async (_organisation, id, decide) => decide(stored.get(id) ?? assert.fail(), NOW),
      },
      tickets: {
        listOfOrder: async () => {
          reads += 1;
          return [];
        },
        noteMailing: async () => ({ group: { ticketDistributions: [] } }) as never,
      },
      composer: {
        compose: async () => {
          shown.push(reads);
          return { instead: { kind: 'DROPPED' } };
        },
      },
      receipts: { tryToSend: async () => undefined },
      issuer: { sign: async () => assert.fail('nothing was erased') },
      log: silentLog,
      mailer: { send: async () => assert.fail('nothing is sent') },
    });
    await sender.sendDue(INPUT);
    assert.deepEqual(shown, [1, 2]);
  });
});
