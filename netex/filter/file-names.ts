/**
 * Names the files of a filtered dataset by their content: equal content gives equal names, whatever the original
 * names were. Caller: filterDataset.
 */
import type { LineNames } from './dataset-facts.ts';

export interface FileToName {
  /** Name in the original archive. */
  readonly from: string;
  readonly isCommon: boolean;
  /** The first of its kept lines. */
  readonly line: LineNames | undefined;
}

/** Far below the limits of file systems, so that the full path stays within them too. */
const LONGEST_NAME = 120;
const LONGEST_CODE = 30;
const LETTERS: Readonly<Record<string, string>> = {
  æ: 'ae',
  Æ: 'Ae',
  ø: 'o',
  Ø: 'O',
  å: 'a',
  Å: 'A',
  ß: 'ss',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'Th',
  ł: 'l',
  Ł: 'L',
  ŋ: 'ng',
  Ŋ: 'Ng',
  ŧ: 't',
  Ŧ: 'T',
  œ: 'oe',
  Œ: 'Oe',
  ı: 'i',
};

/** In the order of the files given. Lines with equal codes and names also get the last part of their ids. */
export function nameFiles(xmlns: string, files: readonly FileToName[]): string[] {
  const commonFiles = files.filter(({ isCommon }) => isCommon);
  const flexible = commonFiles.length > 1 ? commonFiles.find(({ from }) => /flexible/i.test(from)) : undefined;
  const wanted = files.map((file) => {
    if (file.isCommon) return file === flexible ? `_${xmlns}_flexible_shared_data` : `_${xmlns}_shared_data`;
    return file.line ? lineFileName(xmlns, file.line, false) : otherName(xmlns, file.from);
  });
  const counts = new Map<string, number>();
  for (const name of wanted) counts.set(keyOf(name), (counts.get(keyOf(name)) ?? 0) + 1);
  const taken = new Set<string>();
  return files.map(({ line }, place) => {
    const name = wanted[place] as string;
    const isShared = (counts.get(keyOf(name)) ?? 0) > 1;
    return `${takeName(line && isShared ? lineFileName(xmlns, line, true) : name, taken)}.xml`;
  });
}

/** Compares names as file systems that ignore case do. */
const keyOf = (name: string): string => name.slice(0, LONGEST_NAME).toLowerCase();

function takeName(wanted: string, taken: Set<string>): string {
  let name = wanted.slice(0, LONGEST_NAME);
  // Two digits, so that the names sort by number.
  for (let number = 2; taken.has(keyOf(name)); number++) {
    const end = `_${String(number).padStart(2, '0')}`;
    name = wanted.slice(0, LONGEST_NAME - end.length) + end;
  }
  taken.add(keyOf(name));
  return name;
}

/** `CCC_CCC-Line-<privateCode>_<publicCode>_<name>`. */
function lineFileName(xmlns: string, line: LineNames, withId: boolean): string {
  const lastOfId = line.id.slice(line.id.lastIndexOf(':') + 1);
  const code = line.privateCode || line.publicCode || lastOfId;
  const codes = (withId ? [code, lastOfId] : [code]).map((each) => plain(each).slice(0, LONGEST_CODE)).join('-');
  const rest = [line.publicCode, line.name].filter((part) => part !== '').map(plain);
  return [xmlns, `${xmlns}-${line.kind}-${codes}`, ...rest].join('_');
}

function otherName(xmlns: string, from: string): string {
  const name = from.replace(/\.xml$/i, '').replace(new RegExp(`^${xmlns}_`), '');
  return `${xmlns}_${name.split('_').map(plain).join('_')}`;
}

/** Keeps ASCII letters and digits. Other letters become the nearest of those, everything else a hyphen. */
function plain(text: string): string {
  return [...text.trim().normalize('NFC')]
    .map((letter) => LETTERS[letter] ?? letter.normalize('NFKD').replace(/\p{Mark}/gu, ''))
    .join('')
    .replace(/[^A-Za-z0-9]/g, '-');
}
