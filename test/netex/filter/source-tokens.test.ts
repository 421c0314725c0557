import assert from 'node:assert/strict';
import { SourceTokens } from '../../../netex/filter/source-tokens.ts';

/** Tags in order, with the text between two of them joined. */
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

describe('the source of a file as tokens', () => {
  it('is the same for every division into chunks', () => {
    const whole = tokensOf([FILE]);
    assert.deepEqual(whole, [`<a b="x>y" c='--'>`, '1<![CDATA[ <d> ]] > ]]>2', '<f/>', '</a>']);
    for (let size = 1; size < 20; size++) {
      const chunks = FILE.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
      assert.deepEqual(tokensOf(chunks), whole, `chunks of ${size}`);
    }
  });

  it('ends after the end tag of the root', () => {
    for (const open of ['<a>', '<a', '<a/><!-- ', '<a/><?p ', '<a/><![CDATA[']) {
      assert.throws(() => tokensOf([open]), /ends inside/, open);
    }
  });

  it('skips a comment of any length in linear time', () => {
    const part = '-'.repeat(4096);
    function* chunks(): Generator<string> {
      yield '<a><!--';
      for (let count = 0; count < 20_000; count++) yield part;
      yield '--></a>';
    }
    assert.deepEqual(tokensOf(chunks()), ['<a>', '</a>']);
    // A scanner that began again with each chunk would read 800 GB for these 80 MB.
  });
});
