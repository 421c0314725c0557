/** Tests the bound of what one search answers. */
import assert from 'node:assert/strict';
import { limitOffers, MAX_OFFERS } from '../../../activities/offers/answer-limits.ts';
import { draftOffers } from '../../../workflows/offers/rules/draft-offers.ts';
import { searchOf } from './support.ts';

describe('the limit of offers', () => {
  const ride = (from: string, to: string) => ({
    line: 'R1',
    authority: 'RAIL',
    mode: 'rail',
    km: 60,
    calls: [from, to],
  });
  const rides = [ride('A 10:00', 'B 10:10'), ride('B 10:20', 'C 10:30')];
  const { drafts } = draftOffers(searchOf({ products: ['TRAIN'], travellers: ['ADULT'], rides }));
  const seated = drafts.map((draft) => ({ draft, isAvailable: true, needs: [] }));

  it('keeps all where they are few', () => assert.equal(limitOffers(seated), seated));

  it('leaves out tickets for a part of the journey first, and keeps the order', () => {
    const [whole, ...parts] = seated;
    assert.ok(whole && parts.length === 2);
    const many = Array.from({ length: MAX_OFFERS - 1 }, () => [...parts, whole].map((each) => ({ ...each }))).flat();
    const kept = limitOffers(many);
    assert.equal(kept.length, MAX_OFFERS);
    assert.equal(kept.filter(({ draft }) => draft === whole.draft).length, MAX_OFFERS - 1);
    assert.equal(kept[0]?.draft, parts[0]?.draft);
  });
});
