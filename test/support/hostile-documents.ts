/**
 * Archives that are sound and pass the intake, with one XML file each that asks for much: the validation must end with a
 * finding or a failure in bounded time and memory, and the next dataset must pass. Stored, not packed: quicker to make.
 */
import { netexFile } from './netex-samples.ts';
import { seededRandom } from './zip-samples.ts';
import { writeZip } from './zip-writer.ts';

export interface HostileDocument {
  readonly name: string;
  /** The zip. */
  bytes(): Uint8Array;
}

const MIB = 1024 * 1024;
/** Longer than deflate looks back, so that an archiver that packs it does not make it vanish. */
const NOISE_CHARACTERS = 48 * 1024;

/** Letters without a pattern. */
function noise(characters: number): string {
  const random = seededRandom(7);
  const block = Array.from({ length: NOISE_CHARACTERS }, () => String.fromCharCode(97 + random(26))).join('');
  return block.repeat(Math.ceil(characters / NOISE_CHARACTERS)).slice(0, characters);
}

const document = (name: string, content: () => string): HostileDocument => ({
  name,
  bytes: () => writeZip([{ name: 'TST_line.xml', data: netexFile(content()), method: 0 }]),
});
const repeated = (count: number, part: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => part(i)).join('');

export const hostileDocuments: readonly HostileDocument[] = [
  document('200,000 elements within each other', () => repeated(200_000, (i) => `<a${i}>`)),
  document('text of 60 MB', () => `<Name>${noise(60 * MIB)}</Name>`),
  document('attribute of 60 MB', () => `<Name lang="${noise(60 * MIB)}"/>`),
  document('element name of 20 MB', () => `<${noise(20 * MIB)}/>`),
  document('comment of 60 MB', () => `<!--${noise(60 * MIB)}-->`),
  document('300,000 attributes', () => `<Line ${repeated(300_000, (i) => `a${i}="${i}" `)}/>`),
  document('300,000 namespaces', () => `<Line ${repeated(300_000, (i) => `xmlns:n${i}="urn:${i * 7919}" `)}/>`),
  document('500,000 unknown elements', () => repeated(500_000, (i) => `<x${i}/>`)),
  document('500,000 equal ids', () => repeated(500_000, (i) => `<Line id="TST:Line:1" version="${i}"/>`)),
  document('500,000 references to nothing', () => repeated(500_000, (i) => `<LineRef ref="TST:Line:${i}"/>`)),
  document('undeclared entities', () => repeated(100_000, (i) => `&e${i};`)),
  document('30 MB on one line', () =>
    repeated(300_000, (i) => `<Line id="TST:Line:${i}" version="1"><Name>${i * 7919}</Name></Line>`),
  ),
];
