/**
 * Checks an XML file by the beginning of its text: prolog and root element.
 *
 * Caller: classify.ts. Refuses a DOCTYPE before any parser sees it. Accepts malformed or empty text: the validation
 * reports it as a finding of that file. So one bad file does not hide the faults of others.
 */
import { NotWellFormedError, Scanner } from '../xml/scan.ts';
import { ArchiveError } from './archive-error.ts';
import { looksLike } from './looks-like.ts';

/** `more`: undecided yet. `empty`: no element at all. `malformed`: the validation reports the fault. */
export type HeadVerdict = 'netex' | 'more' | 'empty' | 'malformed';

const ROOT = 'PublicationDelivery';
const SPACE = /\s*/y;
/** Root elements of formats that are sent by mistake, by the scan's name for them. */
const KNOWN_ROOTS: ReadonlyArray<readonly [RegExp, string]> = [
  [/^siri:|siri\}/i, 'SIRI (real-time data)'],
  [/\}?html$/i, 'a web page (HTML)'],
  [/ChouettePTNetwork$/, 'Neptune (Trident)'],
  [/TransXChange$/, 'TransXChange'],
  [/railml$/i, 'railML'],
  [/\}gpx$|\}osm$|\}kml$/i, 'a map file'],
];

/** `complete`: the text is the whole file. Throws ArchiveError for a DOCTYPE and for anything but NeTEx. */
export function checkHead(text: string, complete: boolean, shown: string): HeadVerdict {
  const at = skipMisc(text);
  const rest = at === undefined ? '' : text.slice(at, at + 16);
  if (at === undefined || rest === '' || (rest.length < 9 && '<!DOCTYPE'.startsWith(rest) && !complete)) {
    return complete ? (at === undefined ? 'malformed' : 'empty') : 'more';
  }
  if (/^<!doctype\s+html/i.test(rest)) throw notNetex(shown, 'a web page (HTML)');
  if (/^<![a-z]/i.test(rest)) {
    throw new ArchiveError(
      'DOCTYPE_FORBIDDEN',
      `"${shown}" begins with a DOCTYPE or an entity declaration, which NeTEx files do not have. Remove it and send the zip again.`,
      shown,
    );
  }
  if (!rest.startsWith('<')) {
    const likeness = looksLike(Buffer.from(text.slice(at, at + 512)));
    throw new ArchiveError(
      'ERROR_FILE_INVALID_XML_CONTENT',
      `"${shown}" is named as XML but does not begin with XML${likeness ? `: it looks like ${likeness}` : ''}. Replace it by a NeTEx file or leave it out.`,
      shown,
    );
  }
  const tagEnd = endOfTag(text, at);
  if (tagEnd === undefined) return complete ? 'malformed' : 'more';
  const root = rootName(text.slice(at, tagEnd));
  if (root === undefined) return 'malformed';
  if (root !== ROOT) throw notNetex(shown, describeRoot(root));
  return 'netex';
}

/** Index after white space, comments and processing instructions; undefined inside one of them. */
function skipMisc(text: string): number | undefined {
  let at = 0;
  for (;;) {
    SPACE.lastIndex = at;
    at += SPACE.exec(text)?.[0].length ?? 0;
    const close = text.startsWith('<?', at) ? '?>' : text.startsWith('<!--', at) ? '-->' : undefined;
    if (!close) return at;
    const end = text.indexOf(close, at + (close === '?>' ? 2 : 4));
    if (end < 0) return undefined;
    at = end + close.length;
  }
}

/** Index after the `>` of the start tag at `at`; attribute values may hold a `>`. */
function endOfTag(text: string, at: number): number | undefined {
  let quote = '';
  for (let i = at; i < text.length; i++) {
    const c = text.charAt(i);
    if (quote) {
      if (c === quote) quote = '';
    } else if (c === '"' || c === "'") quote = c;
    else if (c === '>') return i + 1;
  }
  return undefined;
}

/** The scan's name with its namespace resolved; undefined when the tag is malformed. */
function rootName(tag: string): string | undefined {
  let name: string | undefined;
  const scanner = new Scanner({
    start: (element) => {
      name ??= element.name;
    },
  });
  try {
    scanner.write(tag);
  } catch (error) {
    if (!(error instanceof NotWellFormedError)) throw error;
  }
  return name;
}

function describeRoot(root: string): string {
  const known = KNOWN_ROOTS.find(([pattern]) => pattern.test(root));
  if (known) return known[1];
  const foreign = /^\{(.*)\}(.*)$/s.exec(root);
  if (!foreign) return `NeTEx without its outer element ${ROOT}: it begins with ${root.slice(0, 80)}`;
  const [, uri = '', local = ''] = foreign;
  const where = uri ? `in the namespace ${uri.slice(0, 120)}` : 'without a namespace';
  return `XML that begins with ${local.slice(0, 80)} ${where}`;
}

function notNetex(shown: string, likeness: string): ArchiveError {
  return new ArchiveError(
    'ERROR_FILE_UNKNOWN_FILE_TYPE',
    `"${shown}" is not NeTEx: it looks like ${likeness}. NeTEx files begin with ${ROOT} in the namespace http://www.netex.org.uk/netex. Replace the file or leave it out.`,
    shown,
  );
}
