/** The mails of a receipt: how long one is tried, what its outcome says of the receipt, and serial numbers. */
import assert from 'node:assert/strict';
import {
  addMailing,
  CONTACT_MAILING,
  isDue,
  type Mailing,
  type MailResult,
  MOST_MAILINGS,
  newMailing,
  nextMailAt,
  noteResult,
  receiptStatus,
} from '../../../workflows/receipts/rules/mailing.ts';
import { parseSerialNumber, serialNumber, serialYear } from '../../../workflows/receipts/rules/serial.ts';
import type { OrganisationId } from '../../../workflows/shared/ids.ts';
import { later, NOW } from '../../support/sample-orders.ts';

const UNKNOWN: MailResult = { kind: 'UNKNOWN', code: 'ETIMEDOUT' };
const REFUSED: MailResult = { kind: 'REFUSED', code: '550 5.1.1' };
const SENT: MailResult = { kind: 'SENT' };
const DAY_MINUTES = 24 * 60;

describe('a mail of a receipt', () => {
  it('is tried after a minute, then after twice as long, for 24 hours', () => {
    let mailing = newMailing('1', {}, NOW);
    const waits: number[] = [];
    let now = NOW;
    for (; mailing.status === 'DUE'; now = mailing.nextTryAt ?? now) {
      assert.ok(isDue(mailing, now));
      mailing = noteResult(mailing, UNKNOWN, now);
      if (mailing.nextTryAt) waits.push((mailing.nextTryAt.getTime() - now.getTime()) / 60_000);
    }
    assert.deepEqual(waits.slice(0, 8), [1, 2, 4, 8, 16, 32, 60, 60]);
    assert.deepEqual([mailing.status, mailing.lastFailure], ['FAILED', 'ETIMEDOUT']);
    assert.equal(now.getTime(), later(DAY_MINUTES).getTime());
    assert.equal(mailing.attempts, waits.length + 1);
  });

  it('is tried for 24 hours from its first attempt, however late that was', () => {
    const late = 2 * DAY_MINUTES;
    const mailing = noteResult(newMailing('1', {}, NOW), UNKNOWN, later(late));
    assert.deepEqual([mailing.status, mailing.nextTryAt], ['DUE', later(late + 1)]);
    const end = later(late + DAY_MINUTES);
    assert.deepEqual(noteResult(mailing, UNKNOWN, later(late + DAY_MINUTES - 1)).nextTryAt, end);
    assert.equal(noteResult(mailing, UNKNOWN, end).status, 'FAILED');
  });

  it('fails at once where its address is refused', () => {
    const { status, lastFailure, settledAt, nextTryAt } = noteResult(newMailing('1', {}, NOW), REFUSED, later(1));
    assert.deepEqual([status, lastFailure, settledAt, nextTryAt], ['FAILED', '550 5.1.1', later(1), undefined]);
  });

  it('stays sent, whatever comes late; a sent one that was given up counts as sent', () => {
    const sent = noteResult(newMailing('1', {}, NOW), SENT, NOW);
    for (const late of [SENT, REFUSED, UNKNOWN]) assert.equal(noteResult(sent, late, later(1)), sent);
    const failed = noteResult(newMailing('1', {}, NOW), REFUSED, NOW);
    assert.equal(noteResult(failed, UNKNOWN, later(1)), failed);
    assert.equal(noteResult(failed, SENT, later(1)).status, 'SENT');
    assert.equal(noteResult(failed, SENT, later(1)).lastFailure, undefined);
  });

  it('decides with the last one what the receipt is', () => {
    const due = newMailing('1', {}, NOW);
    const [sent, failed] = [noteResult(due, SENT, NOW), noteResult(due, REFUSED, NOW)];
    const cases: readonly [readonly Mailing[], string][] = [
      [[], 'CREATED'],
      [[due], 'SENDING'],
      [[sent], 'SENT'],
      [[failed], 'FAILED'],
      [[failed, due], 'SENDING'],
      [[failed, sent], 'SENT'],
    ];
    for (const [mailings, status] of cases) assert.equal(receiptStatus(mailings), status);
  });

  it('is numbered beside that of the delivery, and bounded', () => {
    const contact = noteResult(newMailing(CONTACT_MAILING, {}, NOW), SENT, NOW);
    let mailings = addMailing([contact], {}, NOW);
    mailings = addMailing(mailings, { language: 'eng' }, NOW);
    assert.deepEqual(
      mailings.map(({ id }) => id),
      ['contact', '1', '2'],
    );
    const many = Array.from({ length: MOST_MAILINGS }, (_, at) => newMailing(String(at), {}, NOW));
    assert.throws(() => addMailing(many, {}, NOW), /sent 50 times/);
  });

  it('of the delivery is not waited for by the workflow of callers', () => {
    const contact = newMailing(CONTACT_MAILING, {}, NOW);
    assert.equal(nextMailAt([contact]), undefined);
    const mailings = [contact, newMailing('1', {}, later(5)), newMailing('2', {}, later(3))];
    assert.deepEqual(nextMailAt(mailings), later(3));
  });
});

describe('serial numbers', () => {
  it('name organisation, year and number', () => {
    const serial = { organisationId: 12 as OrganisationId, year: 2026, number: 345 };
    assert.equal(serialNumber(serial), '12-2026-345');
    assert.deepEqual(parseSerialNumber('12-2026-345'), serial);
    for (const wrong of ['12-2026', '12-2026-0', '-2026-1', '12-26-1', '12-2026-1 ', '1.5-2026-1', '12-2026-01'])
      assert.equal(parseSerialNumber(wrong), undefined, wrong);
  });

  it('have the year of the clock where the catalogue is', () => {
    const newYear = new Date('2026-12-31T23:30:00Z');
    assert.equal(serialYear(newYear, 'Europe/Oslo'), 2027);
    assert.equal(serialYear(newYear, 'UTC'), 2026);
    assert.equal(serialYear(new Date('2026-12-31T22:59:59Z'), 'Europe/Oslo'), 2026);
  });
});
