/**
 * Names of the files of a filtered dataset, from what is in them: the same content gives the same names, whatever the
 * names were. Caller: filterDataset.
 */
import type { LineNames } from './dataset-facts.ts';

export interface FileToName {
  /** In the original archive. */
  readonly from: string;
  readonly isCommon: boolean;
  /** Of its lines that are kept, the first. */
  readonly line: LineNames | undefined;
}

/** Far below what file systems take, so that nobody's path becomes too long. */
const LONGEST_NAME = 120;
const LONGEST_CODE = 30;
const LETTERS: Readonly<Record<string, string>> = {
  ...{ æ: 'ae', Æ: 'Ae', ø: 'o', Ø: 'O', å: 'a', Å: 'A', ß: 'ss', đ: 'd', Đ: 'D', ð: 'd', Ð: 'D', þ: 'th', Þ: 'Th' },
  ...{ ł: 'l', Ł: 'L', ŋ: 'ng', Ŋ: 'Ng', ŧ: 't', Ŧ: 'T', œ: 'oe', Œ: 'Oe', ı: 'i' },
};

/** In the order of the files given. */
export function nameFiles(xmlns: string, files: readonly FileToName[]): string[] {
  const taken = new Set<string>();
  const take = (wanted: string, ...others: string[]): string => {
    const numbered = (number: number): string => `${wanted.slice(0, LONGEST_NAME)}_${number}`;
    const candidates = [wanted, ...others].map((name) => name.slice(0, LONGEST_NAME));
    let name = candidates.find((candidate) => !taken.has(candidate.toLowerCase()));
    for (let number = 2; name === undefined; number++) {
      if (!taken.has(numbered(number).toLowerCase())) name = numbered(number);
    }
    taken.add(name.toLowerCase());
    return `${name}.xml`;
  };
  const commonFiles = files.filter(({ isCommon }) => isCommon);
  const flexible = commonFiles.length > 1 ? commonFiles.find(({ from }) => /flexible/i.test(from)) : undefined;
  return files.map((file) => {
    if (file.isCommon) return take(file === flexible ? `_${xmlns}_flexible_shared_data` : `_${xmlns}_shared_data`);
    return file.line ? take(...lineFileNames(xmlns, file.line)) : take(otherName(xmlns, file.from));
  });
}

/** `CCC_CCC-Line-<privateCode>_<publicCode>_<name>`; with the id's last part where another line is called the same. */
function lineFileNames(xmlns: string, line: LineNames): [string, string] {
  const lastOfId = line.id.slice(line.id.lastIndexOf(':') + 1);
  const code = line.privateCode || line.publicCode || lastOfId;
  const rest = [line.publicCode, line.name].filter((part) => part !== '').map(plain);
  const named = (...codes: string[]): string =>
    [xmlns, `${xmlns}-${line.kind}-${codes.map((each) => plain(each).slice(0, LONGEST_CODE)).join('-')}`, ...rest].join(
      '_',
    );
  return [named(code), named(code, lastOfId)];
}

function otherName(xmlns: string, from: string): string {
  const name = from.replace(/\.xml$/i, '').replace(new RegExp(`^${xmlns}_`), '');
  return `${xmlns}_${name.split('_').map(plain).join('_')}`;
}

/** Letters and digits of ASCII; any other letter as the nearest of those, all else as a hyphen. */
function plain(text: string): string {
  return [...text.trim().normalize('NFC')]
    .map((letter) => LETTERS[letter] ?? letter.normalize('NFKD').replace(/\p{Mark}/gu, ''))
    .join('')
    .replace(/[^A-Za-z0-9]/g, '-');
}
