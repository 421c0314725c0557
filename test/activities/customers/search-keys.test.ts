/** Keyed hashes must be equal for equivalent values, and reveal nothing without the key. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { SearchKeys, searchTerms } from '../../../activities/customers/search-keys.ts';
import { OURS, THEIRS } from './customer-fixture.ts';

describe('search keys', () => {
  const keys = new SearchKeys(randomBytes(32));
  const ofSurname = (text: string) => keys.hash(OURS, 'surname', text);

  it('ignore case, outer blanks and the form of Unicode', () => {
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

  it('name their field in the database', () => {
    assert.equal(keys.term(OURS, 'surname', 'Lie'), `surname:${ofSurname('Lie')}`);
  });

  it('are made from members of a profile, rarest first, also from both names together', () => {
    const phone = { countryCode: '+47', number: '91234567' };
    const terms = searchTerms({ phone, firstName: 'Anna', surname: 'Lie', email: 'a@b.no' });
    const expected = [
      ...([
        ['email', 'a@b.no'],
        ['phone', '47', '91234567'],
        ['name', 'Anna', 'Lie'],
      ] as const),
      ...([
        ['surname', 'Lie'],
        ['firstName', 'Anna'],
      ] as const),
    ];
    assert.deepEqual(terms, expected);
    assert.deepEqual(searchTerms({ phone: { ...phone, countryCode: '47' } }), searchTerms({ phone }));
    assert.deepEqual(searchTerms({ surname: 'Lie' }), [['surname', 'Lie']]);
  });

  it('distinguish the texts that a value consists of', () => {
    assert.notEqual(keys.hash(OURS, 'name', 'Anna Lie', 'Berg'), keys.hash(OURS, 'name', 'Anna', 'Lie Berg'));
    assert.equal(keys.hash(OURS, 'name', 'Anna ', 'LIE'), keys.hash(OURS, 'name', 'anna', 'lie'));
  });
});
