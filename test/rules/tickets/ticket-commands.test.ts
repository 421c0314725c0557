/** What changes tickets: mails, cancellations and refunds, use, another validity, another holder. */
import assert from 'node:assert/strict';
import type { CustomerNumber } from '../../../workflows/shared/ids.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { disableTickets, restoreTickets } from '../../../workflows/tickets/rules/disabling.ts';
import { beginMailing, isTaken, noteMailing } from '../../../workflows/tickets/rules/mailing.ts';
import { moveValidity, transferHolder } from '../../../workflows/tickets/rules/reissuing.ts';
import { pdfKeyOf, setSigned, unsignedOf } from '../../../workflows/tickets/rules/signing.ts';
import { MAX_TICKETS_OF_GROUP } from '../../../workflows/tickets/rules/succession.ts';
import { summarise } from '../../../workflows/tickets/rules/summary.ts';
import { hasEffect, type TicketChange } from '../../../workflows/tickets/rules/ticket-change.ts';
import type { Distribution, TicketGroup } from '../../../workflows/tickets/rules/ticket-group.ts';
import type { MailingWish } from '../../../workflows/tickets/rules/ticket-mailing.ts';
import { marksOf, useTicket } from '../../../workflows/tickets/rules/use.ts';
import { later, NOW, sampleLine, sampleTraveller } from '../../support/sample-orders.ts';
import { groupOf, newTicketId, SENT_BY, SINGLE, soldOrder, theTicket } from '../../support/sample-tickets.ts';

const BY = { mailing: SENT_BY, settled: new Set<string>(), wish: { kind: 'CONFIRMED' } } as const;
const BERIT = '1000000009' as CustomerNumber;
const ANNA = '1000000001' as CustomerNumber;
const products = new Map([[SINGLE.id, SINGLE]]);

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
  return 'done';
}

const typesOf = ({ events }: TicketChange) => events.map(({ type }) => type);
const statusesOf = ({ group }: TicketChange) => group.ticketDistributions.map(({ status }) => status);

/** Valid from an hour after {@link NOW}. */
function sold(more: Parameters<typeof sampleLine>[0] = {}): TicketGroup {
  const { traveller = sampleTraveller({ customerNumber: ANNA }) } = more;
  const line = sampleLine({ traveller, transferable: true, ...more });
  const travelSpecification = { ...line.travelSpecification, startOfValidity: later(60), endOfValidity: later(180) };
  return groupOf(soldOrder({ travellers: [traveller], lines: [{ ...line, travelSpecification }], contact: ANNA }));
}

const mailed = (group: TicketGroup, wish: MailingWish = BY.wish) =>
  beginMailing(group, { ...BY, ticketIds: [theTicket(group).id], wish }, later(1)).group;

const leg = (legId: string, start: number) => ({
  ...({ mode: 'rail', fromStopPlaceId: 'A', toStopPlaceId: 'B', lineId: 'L', authorityId: 'X' } as const),
  ...({ serviceJourneyId: 'J', datedServiceJourneyId: 'D', serviceDay: '2026-05-04', distanceMetres: 1 } as const),
  ...({ fromPosition: 0, toPosition: 1, calls: [] } as const),
  legId,
  expectedStartTime: later(start),
  expectedEndTime: later(start + 20),
});
const withLegs = (...legs: ReturnType<typeof leg>[]): TicketGroup => {
  const group = sold();
  const ticketDistributions = group.ticketDistributions.map((ticket): Distribution => ({ ...ticket, legs }));
  return { ...group, ticketDistributions };
};

describe('mails of tickets', () => {
  const noted = (group: TicketGroup, outcome: Parameters<typeof noteMailing>[1]['outcome']) =>
    noteMailing(group, { ticketIds: [theTicket(group).id], outcome }, later(2));

  it('take a ticket from GENERATED to DISTRIBUTED, with one event', () => {
    const change = noted(mailed(sold()), { kind: 'DISTRIBUTED', at: later(2) });
    assert.deepEqual(statusesOf(change), ['DISTRIBUTED']);
    assert.deepEqual(typesOf(change), ['TicketDistributionDistributed']);
    const details = { distributedAsPdf: true, distributedAt: later(2), channel: 'EMAIL', attempts: 1, sentBy: SENT_BY };
    assert.deepEqual(theTicket(change.group).distributionDetails, details);
  });

  it('that fail are shown with the code of the mail server, and can be sent again', () => {
    const tried = noted(mailed(sold()), { kind: 'TRIED', code: '421' });
    assert.deepEqual([statusesOf(tried), tried.events], [['DISTRIBUTING'], []]);
    const failed = noted(tried.group, { kind: 'FAILED', code: '5.1.1' });
    assert.deepEqual(statusesOf(failed), ['FAILED']);
    const { attempts, lastFailure, distributedAt } = theTicket(failed.group).distributionDetails;
    assert.deepEqual([attempts, lastFailure, distributedAt], [2, '5.1.1', undefined]);
    const again = mailed(failed.group, { kind: 'ASKED', resend: false, isGiven: false });
    assert.equal(theTicket(again).status, 'DISTRIBUTING');
    assert.equal(theTicket(again).distributionDetails.lastFailure, undefined);
  });

  it('that arrive beside one that was refused show its code, and keep the ticket DISTRIBUTED', () => {
    const arrived = noted(mailed(sold()), { kind: 'DISTRIBUTED', at: later(2), code: '550 5.1.1' });
    assert.equal(theTicket(arrived.group).distributionDetails.lastFailure, '550 5.1.1');
    const refused = noted(arrived.group, { kind: 'TRIED', code: '550 5.1.2' });
    assert.deepEqual([statusesOf(refused), refused.events], [['DISTRIBUTED'], []]);
    const { attempts, lastFailure, distributedAt } = theTicket(refused.group).distributionDetails;
    assert.deepEqual([attempts, lastFailure, distributedAt], [2, '550 5.1.2', later(2)]);
  });

  it('that arrive after the ticket was disabled leave it disabled, and tell nobody', () => {
    const disabled = disableTickets(mailed(sold()), { reason: 'REFUNDED', disabledBy: 'refund/1' }, later(2)).group;
    const change = noted(disabled, { kind: 'DISTRIBUTED', at: later(3) });
    assert.deepEqual([statusesOf(change), change.events], [['DISABLED'], []]);
    assert.equal(theTicket(restoreTickets(change.group, { disabledBy: 'refund/1' }, NOW).group).status, 'DISTRIBUTED');
  });

  it('belong to the mailing that begins first, until that is settled without them', () => {
    const group = mailed(sold());
    const ticketIds = [theTicket(group).id];
    const begin = (...settled: string[]) => {
      const by = { ...BY, mailing: 'restored/1', settled: new Set(settled) };
      const after = beginMailing(group, { ticketIds, ...by }, later(2)).group;
      return [theTicket(after).distributionDetails.sentBy, isTaken(theTicket(after), by)];
    };
    assert.deepEqual(begin(), [SENT_BY, true]);
    assert.deepEqual(begin('deliver/another'), [SENT_BY, true]);
    assert.deepEqual(begin(SENT_BY), ['restored/1', false]);
    const disabled = disableTickets(group, { reason: 'REFUNDED' }, later(2)).group;
    assert.ok(isTaken(theTicket(disabled), { mailing: 'restored/1', settled: new Set() }));
  });

  it('begin what another mailing has sent or given up where somebody has asked for it, and else not', () => {
    const group = mailed(sold());
    const sent = noted(group, { kind: 'DISTRIBUTED', at: later(2) }).group;
    const failed = noted(group, { kind: 'FAILED', code: '5.1.1' }).group;
    const begins = (before: TicketGroup, wish: MailingWish) => {
      const beginning = { ...BY, ticketIds: [theTicket(group).id], mailing: 'another/1', wish };
      return theTicket(beginMailing(before, beginning, NOW).group).distributionDetails.sentBy === 'another/1';
    };
    const asked = { kind: 'ASKED', resend: false, isGiven: false } as const;
    const WISHES: readonly [MailingWish, onSent: boolean, onFailed: boolean][] = [
      [{ kind: 'CONFIRMED' }, false, false],
      [{ kind: 'RESTORED', groupId: group.id }, false, false],
      [asked, false, true],
      [{ ...asked, resend: true }, true, true],
      [{ ...asked, isGiven: true }, true, true],
    ];
    for (const [wish, onSent, onFailed] of WISHES)
      assert.deepEqual([begins(sent, wish), begins(failed, wish)], [onSent, onFailed], JSON.stringify(wish));
  });

  it('of other tickets change nothing', () => {
    const group = sold();
    assert.equal(beginMailing(group, { ticketIds: [], ...BY }, NOW).group, group);
    const outcome = { kind: 'DISTRIBUTED', at: NOW } as const;
    assert.equal(hasEffect(group, noteMailing(group, { ticketIds: [newTicketId(99)], outcome }, NOW)), false);
  });
});

describe('disabling', () => {
  it('revokes what is live, once, and tells why', () => {
    const group = sold();
    const change = disableTickets(group, { reason: 'CANCELLED' }, later(5));
    assert.deepEqual(typesOf(change), ['TicketDistributionDisabled']);
    const { status, statusBefore, revokedAt, revocationReason } = theTicket(change.group);
    assert.deepEqual(
      [status, statusBefore, revokedAt, revocationReason],
      ['DISABLED', 'GENERATED', later(5), 'CANCELLED'],
    );
    assert.equal(hasEffect(change.group, disableTickets(change.group, { reason: 'REFUNDED' }, later(6))), false);
  });

  it('of unused tickets alone refuses a used one', () => {
    const group = useTicket(sold(), { ticketId: newTicketId(0), validatedAt: NOW }, NOW).group;
    assert.equal(
      codeOf(() => disableTickets(group, { reason: 'REFUNDED', unusedOnly: true }, NOW)),
      'TICKET_ALREADY_USED',
    );
    assert.equal(
      codeOf(() => disableTickets(group, { reason: 'REFUNDED' }, NOW)),
      'done',
    );
  });

  it('of unused tickets alone minds a use of a replaced one, which is told late', () => {
    const replaced = transferHolder(sold(), { toCustomerNumber: BERIT, newId: newTicketId }, later(5)).group;
    const codesAfterUse = (validatedAt: Date) => {
      const { group } = useTicket(replaced, { ticketId: newTicketId(0), validatedAt }, later(60));
      return [
        codeOf(() => disableTickets(group, { reason: 'REFUNDED', unusedOnly: true }, later(6))),
        codeOf(() => transferHolder(group, { toCustomerNumber: ANNA, newId: newTicketId }, later(6))),
      ];
    };
    const before = new Date(later(5).getTime() - 1);
    assert.deepEqual(codesAfterUse(before), ['TICKET_ALREADY_USED', 'TICKET_ALREADY_USED']);
    // Nobody has travelled: somebody has shown a barcode that is not valid any more.
    assert.deepEqual(codesAfterUse(later(5)), ['done', 'done']);
  });

  it('is disabled by no attempt from before it was given back, also where it was not disabled then', () => {
    const attempt = (since: Date) => ({ reason: 'CANCELLED', disabledBy: 'order-confirmation/1', since }) as const;
    const back = { disabledBy: 'order-confirmation/1', since: later(5) };
    for (const before of [sold(), disableTickets(sold(), attempt(NOW), NOW).group]) {
      const { group } = restoreTickets(before, back, later(5));
      // The document is written, so that nobody writes who has read it before.
      assert.notEqual(group, before);
      assert.equal(theTicket(group).status, 'GENERATED');
      assert.equal(
        codeOf(() => disableTickets(group, attempt(NOW), later(6))),
        'UNAVAILABLE',
      );
      assert.equal(hasEffect(group, restoreTickets(group, back, later(6))), false);
      assert.equal(restoreTickets(group, { ...back, since: NOW }, later(6)).group, group);
      // The next attempt, and other parties, may.
      assert.equal(theTicket(disableTickets(group, attempt(later(6)), later(6)).group).status, 'DISABLED');
      assert.equal(theTicket(disableTickets(group, { reason: 'REFUNDED' }, later(6)).group).status, 'DISABLED');
    }
  });

  it('is taken back by the same party alone, which is told', () => {
    const group = sold();
    const disabled = disableTickets(group, { reason: 'REFUNDED', disabledBy: 'refund/1' }, NOW).group;
    assert.equal(restoreTickets(disabled, { disabledBy: 'refund/2' }, NOW).group, disabled);
    assert.deepEqual(
      restoreTickets(disabled, { disabledBy: 'refund/1' }, NOW).group.ticketDistributions,
      group.ticketDistributions,
    );
    const { events } = restoreTickets(disabled, { disabledBy: 'refund/1' }, NOW);
    const { id: ticketDistributionId, status } = theTicket(group);
    assert.deepEqual(
      events.map((event) => ({ ...event })),
      [
        {
          ...{ type: 'TicketDistributionEnabled', orderVersion: group.orderVersion, orderLineId: group.orderLineId },
          ...{ ticketDistributionGroupId: group.id, ticketDistributionId, status },
        },
      ],
    );
    const again = restoreTickets(group, { disabledBy: 'refund/1' }, NOW);
    assert.deepEqual(again.events, []);
    const cancelled = disableTickets(group, { reason: 'CANCELLED' }, NOW).group;
    assert.equal(restoreTickets(cancelled, { disabledBy: 'refund/1' }, NOW).group, cancelled);
  });
});

describe('the use of a ticket', () => {
  const use = (group: TicketGroup, validatedAt: Date, legId?: string) =>
    useTicket(group, { ticketId: theTicket(group).id, validatedAt, ...(legId && { legId }) }, later(500));

  it('is told once, counts from the earliest validation, and gathers legs', () => {
    const first = use(withLegs(leg('1', 60), leg('2', 90)), later(95), '2');
    assert.deepEqual(typesOf(first), ['TicketDistributionUsed']);
    const second = use(first.group, later(65), '1');
    assert.deepEqual(second.events, []);
    const { usedAt, usedLegIds } = theTicket(second.group);
    assert.deepEqual([usedAt, usedLegIds], [later(65), ['2', '1']]);
    assert.equal(hasEffect(second.group, use(second.group, later(70), '1')), false);
  });

  it('is none more than 48 hours before the validity begins', () => {
    const group = sold();
    const latest = new Date(later(60).getTime() - 48 * 3_600_000);
    const early = use(group, new Date(latest.getTime() - 1));
    assert.equal(hasEffect(group, early), false);
    assert.deepEqual(theTicket(use(group, latest).group).usedAt, latest);
    // A later one counts.
    assert.deepEqual(theTicket(use(early.group, later(70)).group).usedAt, later(70));
  });

  it('without a leg is that of the ride that runs then, or of the only one', () => {
    const two = withLegs(leg('1', 60), leg('2', 90));
    assert.deepEqual(theTicket(use(two, later(100)).group).usedLegIds, ['2']);
    assert.deepEqual(theTicket(use(two, later(85)).group).usedLegIds, []);
    assert.deepEqual(theTicket(use(withLegs(leg('1', 60)), later(59)).group).usedLegIds, ['1']);
    assert.deepEqual(theTicket(use(sold(), later(70)).group).usedLegIds, []);
    assert.equal(hasEffect(two, useTicket(two, { ticketId: newTicketId(99), validatedAt: NOW }, NOW)), false);
  });

  it('outside validity and after disabling is marked, to the millisecond', () => {
    const ticket = theTicket(sold());
    const ms = (instant: Date, by: number) => new Date(instant.getTime() + by);
    assert.deepEqual(marksOf(ticket, ms(later(60), -1)), ['BEFORE_VALIDITY']);
    assert.deepEqual([marksOf(ticket, later(60)), marksOf(ticket, later(180))], [[], []]);
    assert.deepEqual(marksOf(ticket, ms(later(180), 1)), ['AFTER_VALIDITY']);
    const disabled = theTicket(disableTickets(sold(), { reason: 'REFUNDED' }, later(70)).group);
    assert.deepEqual(marksOf(disabled, ms(later(70), -1)), []);
    assert.deepEqual(marksOf(disabled, later(70)), ['AFTER_DISABLING']);
  });
});

describe('another start of validity', () => {
  const move = (group: TicketGroup, startOfValidity: Date, now = NOW) =>
    moveValidity(group, { startOfValidity, products, timeZone: 'Europe/Oslo', newId: newTicketId }, now);

  it('keeps the length, and makes a successor', () => {
    const change = move(sold(), later(24 * 60));
    assert.deepEqual(statusesOf(change), ['REPLACED', 'GENERATED']);
    assert.deepEqual(typesOf(change), ['TicketDistributionDisabled', 'TicketDistributionValidityUpdated']);
    const [old, successor] = change.group.ticketDistributions as [Distribution, Distribution];
    assert.deepEqual([old.replacedBy, successor.replaces, old.revocationReason], [successor.id, old.id, 'REPLACED']);
    assert.deepEqual([successor.startOfValidity, successor.endOfValidity], [later(24 * 60), later(26 * 60)]);
    assert.deepEqual([change.pendingStart, change.group.reissues], [true, 1]);
    assert.equal(hasEffect(change.group, move(change.group, later(24 * 60))), false);
  });

  it('lies between now and the last start that the product allows, which counts days of the time zone', () => {
    assert.equal(
      codeOf(() => move(sold(), NOW)),
      'done',
    );
    assert.equal(
      codeOf(() => move(sold(), new Date(NOW.getTime() - 1))),
      'VALIDITY_OUT_OF_RANGE',
    );
    // Sold on 4 May: midnight in Oslo is at 22:00 UTC.
    assert.equal(
      codeOf(() => move(sold(), new Date('2026-06-03T21:59:59Z'))),
      'done',
    );
    assert.equal(
      codeOf(() => move(sold(), new Date('2026-06-03T22:00:00Z'))),
      'VALIDITY_OUT_OF_RANGE',
    );
  });

  it('is refused once the ticket is used, valid, cancelled, bound to journeys, or of an unknown product', () => {
    const used = useTicket(sold(), { ticketId: newTicketId(0), validatedAt: NOW }, NOW).group;
    assert.equal(
      codeOf(() => move(used, later(100))),
      'TICKET_ALREADY_USED',
    );
    assert.equal(
      codeOf(() => move(sold(), later(100), later(60))),
      'INVALID_STATE',
    );
    assert.equal(
      codeOf(() => move(sold(), later(100), later(59))),
      'done',
    );
    const disabled = disableTickets(sold(), { reason: 'CANCELLED' }, NOW).group;
    assert.equal(
      codeOf(() => move(disabled, later(100))),
      'INVALID_STATE',
    );
    const { validityDuration: _duration, ...journey } = SINGLE;
    const moved = { startOfValidity: later(100), timeZone: 'Europe/Oslo', newId: newTicketId };
    const ofJourney = { ...moved, products: new Map([[SINGLE.id, journey]]) };
    assert.equal(
      codeOf(() => moveValidity(sold(), ofJourney, NOW)),
      'VALIDITY_OUT_OF_RANGE',
    );
    assert.equal(
      codeOf(() => moveValidity(sold(), { ...moved, products: new Map() }, NOW)),
      'VALIDITY_OUT_OF_RANGE',
    );
  });

  it('keeps the journeys of the ticket within its validity', () => {
    const group = withLegs(leg('1', 90), leg('2', 150));
    const codes = [30, 59, 60, 90, 91].map((start) => codeOf(() => move(group, later(start))));
    assert.deepEqual(codes, ['done', 'done', 'done', 'done', 'VALIDITY_OUT_OF_RANGE']);
    // Valid for two hours: it would end before the second departure.
    assert.equal(
      codeOf(() => move(group, later(29))),
      'VALIDITY_OUT_OF_RANGE',
    );
  });

  it('is refused when the line has too many tickets', () => {
    let group = sold();
    for (let at = 1; at < MAX_TICKETS_OF_GROUP; at += 1) group = move(group, later(100 + (at % 2))).group;
    assert.equal(group.ticketDistributions.length, MAX_TICKETS_OF_GROUP);
    assert.equal(
      codeOf(() => move(group, later(500))),
      'INVALID_STATE',
    );
  });
});

describe('another holder', () => {
  const transfer = (group: TicketGroup, now = NOW, toCustomerNumber = BERIT) =>
    transferHolder(group, { toCustomerNumber, newId: newTicketId }, now);

  it("takes the earlier holder's place among the travellers", () => {
    const change = transfer(sold());
    assert.deepEqual(typesOf(change), ['TicketDistributionDisabled', 'TicketDistributionHolderTransferred']);
    assert.equal(change.group.distributionHolderCustomerId, BERIT);
    assert.deepEqual(
      theTicket(change.group).travellers.map(({ customerNumber }) => customerNumber),
      [BERIT],
    );
    assert.equal(change.pendingStart, true);
    assert.equal(hasEffect(change.group, transfer(change.group)), false);
    const third = '1000000033' as CustomerNumber;
    const again = transfer(change.group, NOW, third);
    assert.deepEqual(
      theTicket(again.group).travellers.map(({ customerNumber }) => customerNumber),
      [third],
    );
    assert.equal(again.group.reissues, 2);
  });

  it('who holds the tickets already changes nothing, also before a first transfer', () => {
    const own = sold();
    assert.equal(hasEffect(own, transfer(own, NOW, ANNA)), false);
    const personal = sold({ transferable: false });
    assert.equal(hasEffect(personal, transfer(personal, NOW, ANNA)), false);
    const withTraveller = (customerNumber?: CustomerNumber) => {
      const traveller = sampleTraveller(customerNumber === undefined ? {} : { customerNumber });
      return sold({ traveller });
    };
    const child = withTraveller();
    assert.equal(hasEffect(child, transfer(child, NOW, ANNA)), false);
    // The owner takes the place of the traveller, who holds the ticket.
    const friend = withTraveller(BERIT);
    assert.equal(hasEffect(friend, transfer(friend, NOW, BERIT)), false);
    const back = transfer(friend, NOW, ANNA).group;
    assert.equal(theTicket(back).travellers[0]?.customerNumber, ANNA);
  });

  it('is refused for a personal product, and once the ticket is used, valid or cancelled', () => {
    assert.equal(
      codeOf(() => transfer(sold({ transferable: false }))),
      'NOT_TRANSFERABLE',
    );
    const used = useTicket(sold(), { ticketId: newTicketId(0), validatedAt: NOW }, NOW).group;
    assert.equal(
      codeOf(() => transfer(used)),
      'TICKET_ALREADY_USED',
    );
    assert.equal(
      codeOf(() => transfer(sold(), later(60))),
      'INVALID_STATE',
    );
    const disabled = disableTickets(sold(), { reason: 'CANCELLED' }, NOW).group;
    assert.equal(
      codeOf(() => transfer(disabled)),
      'INVALID_STATE',
    );
  });
});

describe('signing', () => {
  const signed = { keyId: 'key', sealedBarcode: Buffer.from('1'), pdfKey: 'tickets/K7QW2MXP/v1/1000.pdf' };

  it('is done once, of live tickets', () => {
    const group = sold();
    const [ticket] = unsignedOf(group);
    assert.ok(ticket);
    assert.equal(pdfKeyOf(group, ticket.id), signed.pdfKey);
    const first = setSigned(group, new Map([[ticket.id, signed]]), NOW).group;
    assert.deepEqual([theTicket(first).signed, unsignedOf(first)], [signed, []]);
    assert.equal(setSigned(first, new Map([[ticket.id, { ...signed, keyId: 'other' }]]), NOW).group, first);
    const disabled = disableTickets(group, { reason: 'CANCELLED' }, NOW).group;
    assert.equal(setSigned(disabled, new Map([[ticket.id, signed]]), NOW).group, disabled);
  });
});

describe('the summary of an order', () => {
  it('leaves out replaced tickets, and shows disabled ones', () => {
    const replaced = transferHolder(sold(), { toCustomerNumber: BERIT, newId: newTicketId }, NOW).group;
    const disabled = disableTickets(sold(), { reason: 'CANCELLED' }, NOW).group;
    const summary = summarise([replaced, disabled]).map(({ status, ticketDistributionId, travellerCount }) => [
      ...[status, ticketDistributionId, travellerCount],
    ]);
    assert.deepEqual(summary, [
      ['GENERATED', newTicketId(1), 1],
      ['DISABLED', newTicketId(0), 1],
    ]);
  });
});
