/** What attempts mean for a mail, for its tickets and for the workflow that sends it. */
import assert from 'node:assert/strict';
import type { CustomerNumber, TicketDistributionId, TicketGroupId } from '../../../workflows/shared/ids.ts';
import type { SendStep } from '../../../workflows/tickets/activities.ts';
import { DeliveryLife } from '../../../workflows/tickets/rules/delivery-life.ts';
import {
  type Attempt,
  afterAttempt,
  afterAttempts,
  dueAt,
  outcomeOf,
  sendStepOf,
} from '../../../workflows/tickets/rules/mailing-steps.ts';
import { isDistributeRequest, isGenerateRequest } from '../../../workflows/tickets/rules/requests.ts';
import type { Mailing, TicketMail } from '../../../workflows/tickets/rules/ticket-mailing.ts';
import { later, NOW } from '../../support/sample-orders.ts';

const TICKET = 1 as TicketDistributionId;
const MAIL: TicketMail = {
  messageId: 'a',
  recipient: '1000000001' as CustomerNumber,
  tickets: [{ groupId: 4 as TicketGroupId, ticketId: TICKET }],
  state: 'DUE',
  attempts: 0,
  nextTryAt: NOW,
};
const MAILING = { state: 'OPEN', mails: [MAIL, { ...MAIL, messageId: 'b' }], unaddressed: 0 } as unknown as Mailing;
const SENT: Attempt = { kind: 'SENT' };
const REFUSED: Attempt = { kind: 'REFUSED', code: '550' };
const UNKNOWN: Attempt = { kind: 'UNKNOWN', code: 'ETIMEDOUT' };
const both = (one: Attempt, other: Attempt) => [
  { messageId: 'a', attempt: one },
  { messageId: 'b', attempt: other },
];

describe('an attempt', () => {
  it('ends the mail, or is repeated later', () => {
    assert.deepEqual(afterAttempt(MAIL, SENT, NOW).state, 'SENT');
    const failed = afterAttempt(MAIL, REFUSED, NOW);
    assert.deepEqual([failed.state, failed.code, failed.nextTryAt], ['FAILED', '550', undefined]);
    const again = afterAttempt(MAIL, UNKNOWN, NOW);
    assert.deepEqual([again.state, again.attempts, again.nextTryAt], ['DUE', 1, later(1)]);
    assert.deepEqual(afterAttempt(again, UNKNOWN, later(1)).nextTryAt, later(3));
    assert.equal(afterAttempt(MAIL, { kind: 'DROPPED' }, NOW).attempts, 0);
  });

  it('is the last one 24 hours after the first', () => {
    const tried = { ...MAIL, attempts: 29, firstTriedAt: NOW };
    assert.equal(afterAttempt(tried, UNKNOWN, later(24 * 60 - 1)).nextTryAt?.getTime(), later(24 * 60).getTime());
    assert.equal(afterAttempt(tried, UNKNOWN, later(24 * 60)).state, 'FAILED');
  });

  it('shows the tickets that are valid then', () => {
    const sent = { messageId: 'a', attempt: UNKNOWN, omitted: [TICKET] };
    const once = afterAttempts(MAILING, [sent], undefined, NOW);
    assert.deepEqual(once.mails[0]?.omitted, [TICKET]);
    const twice = afterAttempts(once, [{ messageId: 'a', attempt: SENT }], undefined, later(1));
    assert.deepEqual([twice.mails[0]?.state, twice.mails[0]?.omitted], ['SENT', undefined]);
  });

  it('changes no mail that has ended: a late outcome loses', () => {
    const ended = afterAttempt(MAIL, SENT, NOW);
    for (const attempt of [REFUSED, UNKNOWN, SENT]) assert.equal(afterAttempt(ended, attempt, later(1)), ended);
  });
});

describe('a mailing', () => {
  it('is done when nothing is due', () => {
    const half = afterAttempts(MAILING, both(SENT, UNKNOWN), undefined, NOW);
    assert.deepEqual([half.state, dueAt(half)], ['OPEN', later(1)]);
    assert.equal(afterAttempts(half, both(SENT, REFUSED), undefined, later(1)).state, 'DONE');
  });

  it('waits for its receipt', () => {
    const receipt = { isMailed: true, state: 'DUE', nextTryAt: later(5) } as const;
    const sent = afterAttempts({ ...MAILING, receipt }, both(SENT, SENT), undefined, NOW);
    assert.deepEqual([sent.state, dueAt(sent)], ['OPEN', later(5)]);
    const done = afterAttempts(sent, [], { isMailed: true, state: 'SENT' }, later(5));
    assert.deepEqual([done.state, sendStepOf([done]).sent], ['DONE', 3]);
  });

  /** Two mails have the ticket; what each means for it. */
  const OUTCOMES: readonly (readonly [Attempt, Attempt, readonly (string | undefined)[]])[] = [
    [SENT, SENT, ['DISTRIBUTED', 'DISTRIBUTED']],
    [SENT, REFUSED, ['DISTRIBUTED 550', 'TRIED 550']],
    [SENT, UNKNOWN, ['DISTRIBUTED', 'TRIED ETIMEDOUT']],
    [UNKNOWN, REFUSED, ['TRIED ETIMEDOUT', 'TRIED 550']],
    [REFUSED, REFUSED, ['FAILED 550', 'FAILED 550']],
    [{ kind: 'DROPPED' }, { kind: 'DROPPED' }, ['DROPPED', 'DROPPED']],
  ];
  for (const [one, other, outcomes] of OUTCOMES) {
    it(`means ${outcomes.join(' and ')} for a ticket after ${one.kind} and ${other.kind}`, () => {
      const tried = afterAttempts(MAILING, both(one, other), undefined, NOW);
      const told = tried.mails.map((mail) => {
        const outcome = outcomeOf(tried, mail, TICKET);
        return outcome && Object.values(outcome).join(' ');
      });
      assert.deepEqual(told, outcomes);
    });
  }
});

describe('a delivery', () => {
  const step = (more: Partial<SendStep>): SendStep => ({ sent: 0, failed: 0, unaddressed: 0, ...more });

  for (const [sending, outcome] of [
    [{}, 'NOTHING'],
    [{ sent: 1 }, 'DELIVERED'],
    [{ sent: 1, unaddressed: 1 }, 'DELIVERED'],
    [{ sent: 1, failed: 1 }, 'FAILED'],
    [{ unaddressed: 1 }, 'UNADDRESSED'],
    [{ failed: 1, unaddressed: 1 }, 'FAILED'],
  ] as const) {
    it(`ends ${outcome} with ${JSON.stringify(sending)}`, () => {
      const life = new DeliveryLife();
      life.sent(step(sending));
      assert.deepEqual([life.isOver, life.outcome, life.state], [true, outcome, outcome]);
    });
  }

  it('is over when nothing is due and no message has come', () => {
    const life = new DeliveryLife();
    life.mailsWritten();
    assert.deepEqual([life.isOver, life.mustSend(0), life.restMs(0)], [false, true, 0]);
    life.sendingBegins();
    life.sent(step({ nextTryAtMs: 60_000 }));
    assert.deepEqual(
      [life.isOver, life.mustSend(59_999), life.restMs(59_000), life.state],
      [false, false, 1_000, 'SENDING'],
    );
    assert.equal(life.mustSend(60_000), true);
  });

  it('is refused until a later attempt succeeds', () => {
    const life = new DeliveryLife();
    life.issued({ refusal: { code: 'INVALID_STATE', detail: 'x' } });
    assert.equal(life.outcome, 'FAILED');
    life.issued({});
    assert.equal(life.outcome, 'NOTHING');
  });
});

describe('a request', () => {
  it('has the form of its type, and nothing more', () => {
    for (const right of [{}, { orderLineIds: ['a'] }, { language: 'nob' }]) assert.ok(isGenerateRequest(right));
    for (const wrong of [null, { orderLineIds: [1] }, { language: 'deu' }, { x: 1 }])
      assert.ok(!isGenerateRequest(wrong));
    assert.ok(isDistributeRequest({ mailing: 'a' }));
    for (const wrong of [undefined, {}, { mailing: 1 }, { mailing: 'a', email: 'b' }])
      assert.ok(!isDistributeRequest(wrong));
  });
});
