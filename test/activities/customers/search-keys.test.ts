/** Keyed hashes: equal for what counts as equal, and telling nothing to whoever lacks the key. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { phoneText, SearchKeys } from '../../../activities/customers/search-keys.ts';
import { OURS, THEIRS } from './customer-fixture.ts';

describe('search keys', () => {
  const keys = new SearchKeys(randomBytes(32));
  const ofSurname = (text: string) => keys.hash(OURS, 'surname', text);

  it('are equal whatever the case, outer blanks and the form of Unicode', () => {
    const hash = ofSurname('Åsen');
    for (const text of ['åsen', 'ÅSEN', ' Åsen ', 'A\u030asen', 'a\u030aSEN']) assert.equal(ofSurname(text), hash);
    for (const text of ['Asen', 'Å sen', '', 'Åse']) assert.notEqual(ofSurname(text), hash);
  });

  it('differ between organisations, fields and keys', () => {
    const others = [
      keys.hash(THEIRS, 'surname', 'Lie'),
      keys.hash(OURS, 'firstName', 'Lie'),
      new SearchKeys(randomBytes(32)).hash(OURS, 'surname', 'Lie'),
    ];
    assert.equal(new Set([...others, ofSurname('Lie')]).size, 4);
  });

  it('name their field where they are kept', () => {
    assert.equal(keys.term(OURS, 'surname', 'Lie'), `surname:${ofSurname('Lie')}`);
  });

  it('take a number as the same with and without plus', () => {
    const number = '91234567';
    assert.equal(phoneText({ countryCode: '+47', number }), phoneText({ countryCode: '47', number }));
  });
});
