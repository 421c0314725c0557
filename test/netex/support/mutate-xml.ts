/**
 * Changes NeTEx text at random: bytes, tags, attributes, values, whole elements. The same random source gives the same
 * text. Callers: the fuzzing of the validation and of the filter.
 */
export type Random = (limit: number) => number;
type Change = (xml: string, random: Random) => string;

const VALUES = [
  '',
  ' ',
  '-1',
  '0',
  '00:00:00',
  '24:00:00',
  '23:59:59',
  '99:99:99',
  '08:00:00+14:00',
  '25',
  '1e309',
  'NaN',
  '2026-02-30',
  '0000-00-00',
  '9999-12-31',
  '-0001-01-01',
  '2026-11-21T25:00:00',
  'P1D',
  'PT999999999H',
  'true',
  'false',
  '1',
  'maybe',
  'bus',
  'ABC:Line:1',
  'NSR:Quay:1',
  ':::',
  'ABC::',
  '::ABC',
  '__proto__',
  'constructor',
  'toString',
  '91 181',
  '0 0 0',
  '1 2 3 4 5',
  '4294967296',
  '-2147483649',
  '9007199254740993',
  'æøå\u{1F68B}',
  '\u2028',
];
const ENTITIES = [
  '&amp;',
  '&#0;',
  '&#x10FFFF;',
  '&lol;',
  '&#',
  '<![CDATA[',
  ']]>',
  '<!--',
  '<?pi',
  '\u0000',
  '\uFFFE',
  '<',
];

function pick<Item>(list: readonly Item[], random: Random): Item | undefined {
  return list[random(list.length)];
}

/** Start and end of one matching piece, drawn from a window so that large files cost no more than small ones. */
function piece(xml: string, pattern: RegExp, random: Random): { at: number; end: number; text: string } | undefined {
  pattern.lastIndex = random(xml.length);
  const found = pattern.exec(xml);
  return found ? { at: found.index, end: found.index + found[0].length, text: found[0] } : undefined;
}

function splice(xml: string, at: number, end: number, text: string): string {
  return xml.slice(0, at) + text + xml.slice(end);
}

const TEXT = /(?<=>)[^<>\s][^<>]*(?=<)/g;
const ATTRIBUTE = / [A-Za-z:]+="[^"]*"/g;
const TAG = /<\/?[A-Za-z][^>]*>/g;

/** An element without others of the same name inside: from its start tag to the next end tag of its name. */
function element(xml: string, random: Random): { at: number; end: number; text: string } | undefined {
  const start = piece(xml, /<([A-Za-z:]+)(?: [^>]*)?>/g, random);
  if (!start) return undefined;
  if (start.text.endsWith('/>')) return start;
  const name = /^<([A-Za-z:]+)/.exec(start.text)?.[1] ?? '';
  const close = `</${name}>`;
  const end = xml.indexOf(close, start.end);
  return end < 0 ? undefined : { at: start.at, end: end + close.length, text: xml.slice(start.at, end + close.length) };
}

const changes: readonly Change[] = [
  // Changes a value.
  (xml, random) => {
    const text = piece(xml, TEXT, random);
    return text ? splice(xml, text.at, text.end, pick(VALUES, random) ?? '') : xml;
  },
  // Changes an attribute's value, or gives it another attribute's.
  (xml, random) => {
    const one = piece(xml, ATTRIBUTE, random);
    const other = piece(xml, ATTRIBUTE, random);
    if (!one || !other) return xml;
    const name = one.text.slice(0, one.text.indexOf('='));
    const value = random(2) === 0 ? `"${pick(VALUES, random)}"` : other.text.slice(other.text.indexOf('=') + 1);
    return splice(xml, one.at, one.end, `${name}=${value}`);
  },
  // Removes an attribute.
  (xml, random) => {
    const one = piece(xml, ATTRIBUTE, random);
    return one ? splice(xml, one.at, one.end, '') : xml;
  },
  // Removes, doubles, moves, empties or repeats an element.
  (xml, random) => {
    const one = element(xml, random);
    return one ? splice(xml, one.at, one.end, '') : xml;
  },
  (xml, random) => {
    const one = element(xml, random);
    return one ? splice(xml, one.end, one.end, one.text) : xml;
  },
  (xml, random) => {
    const one = element(xml, random);
    const other = element(xml, random);
    return one && other ? splice(xml, one.at, one.end, other.text) : xml;
  },
  (xml, random) => {
    const one = element(xml, random);
    const tag = one && /^<[^>]*>/.exec(one.text)?.[0].replace(/\/?>$/, '/>');
    return one && tag ? splice(xml, one.at, one.end, tag) : xml;
  },
  (xml, random) => {
    const one = element(xml, random);
    return one && one.text.length < 400 ? splice(xml, one.end, one.end, one.text.repeat(1 + random(300))) : xml;
  },
  // Changes tags and letters.
  (xml, random) => {
    const one = piece(xml, TAG, random);
    return one ? splice(xml, one.at, one.end, '') : xml;
  },
  (xml, random) => {
    const at = random(xml.length);
    return splice(xml, at, at, pick(ENTITIES, random) ?? '');
  },
  (xml, random) => {
    const at = random(xml.length);
    return splice(xml, at, at + 1, String.fromCharCode(random(300)));
  },
  (xml, random) => (random(4) === 0 ? xml.slice(0, random(xml.length)) : xml),
  // Nests elements deeply.
  (xml, random) => {
    const one = element(xml, random);
    const name = one && /^<([A-Za-z:]+)/.exec(one.text)?.[1];
    if (!one || !name) return xml;
    const depth = 1 + random(400);
    return splice(xml, one.at, one.end, `<${name}>`.repeat(depth) + one.text + `</${name}>`.repeat(depth));
  },
];

/** The first kinds mostly keep a text well formed, so that it reaches the rules. They are drawn more often. */
const SUBTLE = 4;

export function mutateXml(xml: string, random: Random): string {
  let changed = xml;
  for (let count = 1 + random(3); count > 0; count--) {
    const change = changes[random(3) === 0 ? random(changes.length) : random(SUBTLE)];
    if (change) changed = change(changed, random);
  }
  return changed;
}
