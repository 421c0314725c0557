/** Which tickets a mailing sends, to whom, and under which Message-ID. */
import assert from 'node:assert/strict';
import type { CustomerNumber, TicketDistributionId, TicketGroupId } from '../../../workflows/shared/ids.ts';
import { mailedBefore, type PlanningFacts, planMails, takenOf } from '../../../workflows/tickets/rules/mailing-plan.ts';
import type { Distribution, TicketGroup, TicketStatus } from '../../../workflows/tickets/rules/ticket-group.ts';
import type { MailingWish, MailState, Recipient } from '../../../workflows/tickets/rules/ticket-mailing.ts';
import { NOW } from '../../support/sample-orders.ts';
import { groupOf, soldOrder, theTicket } from '../../support/sample-tickets.ts';

const [ANNA, BERIT, CARL] = ['1000000001', '1000000009', '1000000017'] as CustomerNumber[] as [
  CustomerNumber,
  CustomerNumber,
  CustomerNumber,
];
const CONFIRMED: MailingWish = { kind: 'CONFIRMED' };
const ASKED: MailingWish = { kind: 'ASKED', resend: false, isGiven: false };
const OURS_ID = 'deliver/K7QW2MXP/v2';
const GROUP = 4_711 as TicketGroupId;
const SAMPLE = groupOf(soldOrder());

function ticket(id: number, status: TicketStatus, ...customers: (CustomerNumber | undefined)[]): Distribution {
  const travellers = customers.map((customerNumber, at) => ({
    ...{ travellerId: `t${at}` as never, userTypeId: 'ADULT' },
    ...(customerNumber !== undefined && { customerNumber }),
  }));
  return { ...theTicket(SAMPLE), id: id as TicketDistributionId, status, travellers };
}

function group(ticketDistributions: readonly Distribution[], more: Partial<TicketGroup> = {}): TicketGroup {
  return { ...SAMPLE, id: GROUP, orderOwnerCustomerId: ANNA, ticketDistributions, ...more };
}

function plan(groups: readonly TicketGroup[], more: Partial<PlanningFacts> = {}) {
  const none = {
    onTheirWay: new Set<TicketDistributionId>(),
    hadThere: new Set<TicketDistributionId>(),
    taken: new Set<TicketDistributionId>(),
    earlierMails: new Map(),
    ...{ id: OURS_ID, isFollowed: false, now: NOW },
  };
  const facts = { wish: CONFIRMED, groups, reachable: new Set([ANNA, BERIT]), ...none, ...more };
  const { mails, unaddressed } = planMails(facts);
  return {
    mails: mails.map(({ recipient, tickets }) => [recipient, ...tickets.map(({ ticketId }) => ticketId)]),
    unaddressed: unaddressed.map(({ ticketId }) => ticketId),
    ids: mails.map(({ messageId }) => messageId),
  };
}

describe('a plan of mails', () => {
  it('sends travellers with an address their own, and the contact those of all others', () => {
    const tickets = [ticket(1, 'GENERATED', BERIT), ticket(2, 'GENERATED'), ticket(3, 'DISTRIBUTING', CARL)];
    assert.deepEqual(plan([group(tickets)]).mails, [
      [BERIT, 1],
      [ANNA, 2, 3],
    ]);
  });

  it('sends a ticket of several travellers to each with an address, and to the contact for the rest', () => {
    assert.deepEqual(plan([group([ticket(1, 'GENERATED', BERIT, CARL)])]).mails, [
      [BERIT, 1],
      [ANNA, 1],
    ]);
    assert.deepEqual(plan([group([ticket(1, 'GENERATED', BERIT, ANNA)])]).mails, [
      [BERIT, 1],
      [ANNA, 1],
    ]);
  });

  it('sends the holder all after a transfer, and nobody else', () => {
    const held = group([ticket(1, 'GENERATED', ANNA)], { distributionHolderCustomerId: BERIT });
    assert.deepEqual(plan([held]).mails, [[BERIT, 1]]);
    const unreached = { ...held, distributionHolderCustomerId: CARL };
    assert.deepEqual([plan([unreached]).mails, plan([unreached]).unaddressed], [[], [1]]);
  });

  it('sends a given address everything', () => {
    const wish = { kind: 'ASKED', resend: true, isGiven: true } as const;
    const tickets = [ticket(1, 'DISTRIBUTED', BERIT), ticket(2, 'FAILED'), ticket(3, 'DISABLED')];
    assert.deepEqual(plan([group(tickets)], { wish, reachable: new Set() }).mails, [['GIVEN', 1, 2]]);
  });

  it('sends a given address what it has not had, whatever others have', () => {
    const wish = { kind: 'ASKED', resend: false, isGiven: true } as const;
    const tickets = [ticket(1, 'DISTRIBUTED'), ticket(2, 'DISTRIBUTING'), ticket(3, 'FAILED'), ticket(4, 'GENERATED')];
    const mailed = (recipient: Recipient, state: MailState, id: number, omitted: number[] = []) => ({
      ...{ messageId: `${id}`, recipient, state, attempts: 1, omitted: omitted as TicketDistributionId[] },
      tickets: [{ groupId: GROUP, ticketId: id as TicketDistributionId }],
    });
    const hadAfter = (...others: Parameters<typeof mailedBefore>[0][number][]) =>
      plan([group(tickets)], { wish, ...mailedBefore(others, { fingerprint: 'here', customers: new Set([BERIT]) }) })
        .mails;
    assert.deepEqual(hadAfter(), [['GIVEN', 1, 2, 3, 4]]);
    const here = { addressFingerprint: 'here' };
    const there = {
      ...here,
      mails: [mailed('GIVEN', 'SENT', 1), mailed('GIVEN', 'DUE', 2), mailed('GIVEN', 'FAILED', 3)],
    };
    assert.deepEqual(hadAfter(there), [['GIVEN', 3, 4]]);
    assert.deepEqual(hadAfter({ ...here, mails: [mailed('GIVEN', 'SENT', 1, [1])] }), [['GIVEN', 1, 2, 3, 4]]);
    assert.deepEqual(hadAfter({ mails: [mailed(BERIT, 'SENT', 1), mailed(ANNA, 'SENT', 2)] }), [['GIVEN', 2, 3, 4]]);
    const elsewhere = { addressFingerprint: 'elsewhere', mails: [mailed('GIVEN', 'SENT', 1)] };
    assert.deepEqual(hadAfter(elsewhere), [['GIVEN', 1, 2, 3, 4]]);
  });

  const SENT: readonly (readonly [MailingWish, readonly TicketStatus[]])[] = [
    [CONFIRMED, ['GENERATED', 'DISTRIBUTING']],
    [ASKED, ['GENERATED', 'DISTRIBUTING', 'FAILED']],
    [{ ...ASKED, resend: true }, ['GENERATED', 'DISTRIBUTING', 'DISTRIBUTED', 'FAILED']],
  ];
  for (const [wish, sent] of SENT) {
    it(`of ${JSON.stringify(wish)} sends ${sent.join(', ')}`, () => {
      const all = ['GENERATED', 'DISTRIBUTING', 'DISTRIBUTED', 'FAILED', 'DISABLED', 'REPLACED'] as const;
      const tickets = all.map((status, at) => ticket(at, status));
      const [[, ...ids] = []] = plan([group(tickets)], { wish }).mails;
      assert.deepEqual(
        ids.map((id) => all[Number(id)]),
        sent,
      );
    });
  }

  it('sends no ticket that is on its way, unless it is to be sent again', () => {
    const groups = [group([ticket(1, 'DISTRIBUTING')])];
    const onTheirWay = new Set([1 as TicketDistributionId]);
    assert.deepEqual(plan(groups, { onTheirWay }).mails, []);
    assert.deepEqual(plan(groups, { onTheirWay, wish: { ...ASKED, resend: true } }).mails, [[ANNA, 1]]);
  });

  it('leaves to the mailing of a later version what was not sent yet', () => {
    const all = ['GENERATED', 'DISTRIBUTING', 'DISTRIBUTED', 'FAILED'] as const;
    const groups = [group(all.map((status, at) => ticket(at, status)))];
    assert.deepEqual(plan(groups, { isFollowed: true }), { mails: [], unaddressed: [], ids: [] });
    assert.deepEqual(plan(groups, { isFollowed: true, wish: ASKED }).mails, [[ANNA, 3]]);
    assert.deepEqual(plan(groups, { isFollowed: true, wish: { ...ASKED, resend: true } }).mails, [[ANNA, 2, 3]]);
  });

  it('sends a successor where its predecessor was sent', () => {
    const wish = { kind: 'REISSUED', groupId: GROUP, number: 1 } as const;
    const replaced = (channel: 'EMAIL' | 'NONE') => ({
      ...ticket(1, 'REPLACED'),
      distributionDetails: { distributedAsPdf: false, channel, attempts: 0 },
    });
    const after = { ...ticket(2, 'GENERATED'), replaces: 1 as TicketDistributionId };
    assert.deepEqual(plan([group([replaced('EMAIL'), after])], { wish }).mails, [[ANNA, 2]]);
    assert.deepEqual(plan([group([replaced('NONE'), after])], { wish }).mails, []);
    assert.deepEqual(plan([group([after], { id: 1 as TicketGroupId })], { wish }).mails, []);
  });

  it('sends the last of several successors, of which none was sent yet', () => {
    const wish = { kind: 'REISSUED', groupId: GROUP, number: 2 } as const;
    const reissued = (channel: 'EMAIL' | 'NONE') =>
      ([1, 2, 3, 4] as TicketDistributionId[]).map((id, at) => ({
        ...ticket(id, at === 3 ? 'GENERATED' : 'REPLACED'),
        ...(at > 0 && { replaces: at as TicketDistributionId }),
        distributionDetails: { distributedAsPdf: false, channel: at === 0 ? channel : ('NONE' as const), attempts: 0 },
      }));
    assert.deepEqual(plan([group(reissued('EMAIL'))], { wish }).mails, [[ANNA, 4]]);
    assert.deepEqual(plan([group(reissued('EMAIL'))], { wish: { ...wish, number: 1 } }).mails, [[ANNA, 4]]);
    assert.deepEqual(plan([group(reissued('NONE'))], { wish }).mails, []);
  });

  it('sends what a refund has given back, where it was to be sent before', () => {
    const wish = { kind: 'RESTORED', groupId: GROUP } as const;
    const of = (channel: 'EMAIL' | 'NONE', id: number, status: TicketStatus) => ({
      ...ticket(id, status),
      distributionDetails: { distributedAsPdf: false, channel, attempts: 1 },
    });
    const tickets = [of('EMAIL', 1, 'GENERATED'), of('NONE', 2, 'GENERATED'), of('EMAIL', 3, 'DISTRIBUTING')];
    const others = [of('EMAIL', 4, 'DISTRIBUTED'), of('EMAIL', 5, 'FAILED'), of('EMAIL', 6, 'DISABLED')];
    assert.deepEqual(plan([group([...tickets, ...others])], { wish }).mails, [[ANNA, 1, 3]]);
    assert.deepEqual(plan([group(tickets, { id: 1 as TicketGroupId })], { wish }).mails, []);
    // The mail that went without it is not written down as such yet; the other one is in the mail of an earlier plan.
    const onTheirWay = new Set([1, 3] as TicketDistributionId[]);
    assert.deepEqual(plan([group(tickets)], { wish, onTheirWay }).mails, [[ANNA, 1]]);
  });

  it('leaves a ticket that another mailing has begun alone, unless it is to be sent again or elsewhere', () => {
    const sentBy = (mailing: string, id: number) => ({
      ...ticket(id, 'DISTRIBUTING'),
      distributionDetails: { distributedAsPdf: false, channel: 'EMAIL' as const, attempts: 0, sentBy: mailing },
    });
    const groups = [group([sentBy('restored/1', 1), sentBy(OURS_ID, 2)])];
    const taken = takenOf(groups, { mailing: OURS_ID, settled: new Set() });
    assert.deepEqual([...taken], [1]);
    assert.deepEqual(plan(groups, { taken }).mails, [[ANNA, 2]]);
    assert.deepEqual(plan(groups, { taken, wish: ASKED }).mails, [[ANNA, 2]]);
    assert.deepEqual(plan(groups, { taken, wish: { ...ASKED, resend: true } }).mails, [[ANNA, 1, 2]]);
    assert.deepEqual(plan(groups, { taken, wish: { ...ASKED, isGiven: true } }).mails, [['GIVEN', 1, 2]]);
    // What it has begun itself, it sends, also where it is followed.
    assert.deepEqual(plan(groups, { taken, isFollowed: true }).mails, [[ANNA, 2]]);
    // It was read before the other one began.
    const restored = { kind: 'RESTORED', groupId: GROUP } as const;
    const generated = [group([{ ...sentBy('x', 1), status: 'GENERATED' }])];
    assert.deepEqual(plan(generated, { taken, wish: restored }).mails, []);
  });

  it('numbers the mails of a ticket', () => {
    const groups = [group([ticket(1, 'GENERATED')])];
    assert.deepEqual(plan(groups).ids, [`1.${ANNA}.1`]);
    const mail = { messageId: 'x', recipient: ANNA, state: 'SENT', attempts: 1 } as const;
    const tickets = [{ groupId: GROUP, ticketId: 1 as TicketDistributionId }];
    const { earlierMails, onTheirWay } = mailedBefore([{ mails: [{ ...mail, tickets }] }]);
    assert.equal(onTheirWay.size, 0);
    assert.deepEqual(plan(groups, { earlierMails }).ids, [`1.${ANNA}.2`]);
  });
});
