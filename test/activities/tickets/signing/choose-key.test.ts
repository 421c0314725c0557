import assert from 'node:assert/strict';
import { type ChoosableKey, chooseKey, signsUntil } from '../../../../activities/tickets/signing/choose-key.ts';
import { LONGEST_TICKET_MS } from '../../../../workflows/shared/longest-ticket.ts';
import { DAY_MS } from '../../../../workflows/shared/spans.ts';

const NOW = new Date('2026-11-24T12:00:00Z');
const inDays = (days: number) => new Date(NOW.getTime() + days * DAY_MS);

/** Days from now. */
function key(from: number, to: number, published: number): ChoosableKey {
  return { validFrom: inDays(from), validTo: inDays(to), publishedAt: inDays(published) };
}

describe('The key that signs', () => {
  const old = key(-300, 500, -300);
  const fresh = key(-1, 800, -1);

  it('is the newest that devices know', () => {
    assert.equal(chooseKey([old, fresh], NOW, NOW), fresh);
    assert.equal(chooseKey([fresh, old], NOW, NOW), fresh);
  });

  it('is not one that was published less than a day ago, while another can sign', () => {
    assert.equal(chooseKey([old, key(-1, 800, -0.99)], NOW, NOW), old);
  });

  it('is a new one at once where there is no other, and the first of several', () => {
    const [first, second] = [key(0, 800, -0.5), key(0, 900, -0.1)];
    assert.equal(chooseKey([second, first], NOW, NOW), first);
    assert.equal(chooseKey([key(-300, 0, -300), second], NOW, NOW), second);
  });

  it('is not one of later, nor one that has ended', () => {
    assert.equal(chooseKey([old, key(1, 800, -2)], NOW, NOW), old);
    assert.equal(chooseKey([key(1, 800, -2), key(-300, 0, -300)], NOW, NOW), undefined);
  });

  it('outlives what it signs', () => {
    const ending = key(-10, 5, -10);
    assert.equal(chooseKey([old, ending], NOW, inDays(5)), ending);
    assert.equal(chooseKey([old, ending], NOW, inDays(6)), old);
    assert.equal(chooseKey([old, ending], NOW, inDays(501)), undefined);
  });

  it('must be followed by another before it can sign no longest ticket', () => {
    assert.deepEqual(signsUntil([old, fresh]), new Date(fresh.validTo.getTime() - LONGEST_TICKET_MS));
    assert.deepEqual(signsUntil([]), new Date(0));
  });
});
