import assert from 'node:assert/strict';
import { SourceTokens } from '../../../netex/filter/source-tokens.ts';

/** Tags in order, and all text between two of them together. */
function tokensOf(chunks: Iterable<string>): string[] {
  const tokens: string[] = [];
  let text = '';
  const add = (tag: string): void => {
    if (text !== '') tokens.push(text);
    text = '';
    if (tag !== '') tokens.push(tag);
  };
  const source = new SourceTokens({
    start: (_name, tag) => add(tag),
    end: (tag) => add(tag),
    text(piece) {
      text += piece;
    },
  });
  for (const chunk of chunks) source.write(chunk);
  source.end();
  return tokens;
}

const FILE = `<?xml version="1.0"?><a b="x>y" c='--'><!-- > <c> -- -->1<![CDATA[ <d> ]] > ]]>2<?p <e> ?><f/><!----></a>`;

describe('The source of a file as tokens', () => {
  it('is the same however it is cut into chunks', () => {
    const whole = tokensOf([FILE]);
    assert.deepEqual(whole, [`<a b="x>y" c='--'>`, '1<![CDATA[ <d> ]] > ]]>2', '<f/>', '</a>']);
    for (let size = 1; size < 20; size++) {
      const chunks = FILE.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
      assert.deepEqual(tokensOf(chunks), whole, `chunks of ${size}`);
    }
  });

  it('ends where all that is open has been closed', () => {
    for (const open of ['<a>', '<a', '<a/><!-- ', '<a/><?p ', '<a/><![CDATA[']) {
      assert.throws(() => tokensOf([open]), /ends inside/, open);
    }
  });

  it('passes over a comment of any length in linear time', () => {
    const part = '-'.repeat(4096);
    function* chunks(): Generator<string> {
      yield '<a><!--';
      for (let count = 0; count < 20_000; count++) yield part;
      yield '--></a>';
    }
    assert.deepEqual(tokensOf(chunks()), ['<a>', '</a>']);
    // Scanned again with each chunk, 80 MB would be 800 GB.
  }).timeout(60_000);
});
