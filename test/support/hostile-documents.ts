/**
 * Valid archives with one XML file each that demands much work. The validation must end with a finding or a failure, in
 * bounded time and memory, and the next dataset must pass. Entries are stored without compression, since that is faster
 * to make.
 */
import { netexFile } from './netex-samples.ts';
import { seededRandom } from './zip-samples.ts';
import { writeZip } from './zip-writer.ts';

export interface HostileDocument {
  readonly name: string;
  /** The bytes of the zip archive. */
  bytes(): Uint8Array;
}

/** Everything of a kind: so many elements, or so many MiB of text. */
interface Kind {
  readonly what: string;
  readonly most: number;
  content(amount: number): string;
}

const MIB = 1024 * 1024;
/** Longer than the window of deflate, so that the text stays large when an archiver packs it. */
const NOISE_CHARACTERS = 48 * 1024;

/** Letters without a pattern. */
function noise(mebibytes: number): string {
  const random = seededRandom(7);
  const block = Array.from({ length: NOISE_CHARACTERS }, () => String.fromCharCode(97 + random(26))).join('');
  const characters = mebibytes * MIB;
  return block.repeat(Math.ceil(characters / NOISE_CHARACTERS)).slice(0, characters);
}

const repeated = (count: number, part: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => part(i)).join('');

const KINDS: readonly Kind[] = [
  { what: 'elements within each other', most: 200_000, content: (n) => repeated(n, (i) => `<a${i}>`) },
  { what: 'MB of text', most: 60, content: (n) => `<Name>${noise(n)}</Name>` },
  { what: 'MB in an attribute', most: 60, content: (n) => `<Name lang="${noise(n)}"/>` },
  { what: 'MB of an element name', most: 20, content: (n) => `<${noise(n)}/>` },
  { what: 'MB of a comment', most: 60, content: (n) => `<!--${noise(n)}-->` },
  { what: 'attributes', most: 300_000, content: (n) => `<Line ${repeated(n, (i) => `a${i}="${i}" `)}/>` },
  {
    what: 'namespaces',
    most: 300_000,
    content: (n) => `<Line ${repeated(n, (i) => `xmlns:n${i}="urn:${i * 7919}" `)}/>`,
  },
  { what: 'unknown elements', most: 500_000, content: (n) => repeated(n, (i) => `<x${i}/>`) },
  { what: 'equal ids', most: 500_000, content: (n) => repeated(n, (i) => `<Line id="TST:Line:1" version="${i}"/>`) },
  {
    what: 'references to nothing',
    most: 500_000,
    content: (n) => repeated(n, (i) => `<LineRef ref="TST:Line:${i}"/>`),
  },
  { what: 'undeclared entities', most: 100_000, content: (n) => repeated(n, (i) => `&e${i};`) },
  {
    what: 'elements on one line',
    most: 300_000,
    content: (n) => repeated(n, (i) => `<Line id="TST:Line:${i}" version="1"><Name>${i * 7919}</Name></Line>`),
  },
];

/** All kinds, or those named; `share` of the size of each. */
export function hostileDocuments(share = 1, wanted = KINDS.map(({ what }) => what)): readonly HostileDocument[] {
  return wanted.map((name) => {
    const kind = KINDS.find(({ what }) => what === name);
    if (!kind) throw new Error(`There is no hostile document with ${name}`);
    const amount = Math.round(kind.most * share);
    const data = () => netexFile(kind.content(amount));
    return {
      name: `${amount.toLocaleString('en')} ${kind.what}`,
      bytes: () => writeZip([{ name: 'TST_line.xml', data: data(), method: 0 }]),
    };
  });
}
