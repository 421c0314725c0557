/** Entity tags of revisions, and the condition that `If-Match` sets for a write. */
import assert from 'node:assert/strict';
import { matchesEtag, revisionCheck, revisionEtag } from '../../api/shared/etags.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';

const CURRENT = { version: 2, revision: 7 };

describe('entity tags', () => {
  it('name the version and the last write', () => assert.equal(revisionEtag(CURRENT), '"2.7"'));

  it('match by the strong comparison or the weak one', () => {
    assert.ok(matchesEtag('"1.1", "2.7"', '"2.7"', 'strong'));
    assert.ok(!matchesEtag('W/"2.7"', '"2.7"', 'strong'));
    assert.ok(matchesEtag('W/"2.7"', '"2.7"', 'weak'));
  });

  for (const passes of [undefined, '*', ' * ', '"2.7"', '"2.6" , "2.7"']) {
    it(`let a write pass with If-Match ${passes ?? 'absent'}`, () => revisionCheck(passes)(CURRENT));
  }

  it('say which one the document has now, and what to do', () => {
    assert.throws(() => revisionCheck('"2.6"')(CURRENT), /its ETag is "2\.7" now\. Read it again, .* send that ETag/);
  });

  for (const stale of ['"2.6"', '"1.7"', 'W/"2.7"', '"2.7.1"', '2.7', '']) {
    it(`refuse a write with If-Match ${stale}`, () => {
      const refused = (error: unknown) => error instanceof ServiceError && error.code === 'REVISION_CONFLICT';
      assert.throws(() => revisionCheck(stale)(CURRENT), refused);
    });
  }
});
