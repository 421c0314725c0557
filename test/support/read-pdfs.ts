/** Has independent programs read PDF documents: pdfium, a validator of PDF/UA, and zxing-cpp. See test/barcode/read_pdfs.py. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from './folders.ts';
import { providePythonPackages } from './python-packages.ts';
import { run } from './run.ts';

export interface ReadPdf {
  readonly title: string;
  readonly language: string;
  readonly pages: readonly ReadPage[];
  /** Rules of PDF/UA that it breaks. */
  readonly faults: readonly string[];
}

export interface ReadPage {
  readonly text: string;
  /** In the order of reading: `/Document/Sect/H1` and its text, or a figure and its alternative text. */
  readonly structure: readonly (readonly [path: string, text: string])[];
  /** How many texts, lines and pictures belong neither to the structure nor to artifacts. */
  readonly loose: number;
  readonly symbol: ReadSymbol | null;
}

export interface ReadSymbol {
  /** Octets in hexadecimal, as read from a print at 150 dpi. */
  readonly printed: string;
  /** The same from a photo: turned, in perspective, blurred, grey. */
  readonly photo: string;
  readonly sideMm: number;
  /** Width of the white margin around it. */
  readonly quietMm: number;
}

/** In the order of the documents. */
export async function readPdfs(documents: readonly Uint8Array[]): Promise<readonly ReadPdf[]> {
  const packages = await providePythonPackages('pdf-readers');
  const folder = temporaryDirectory('pdf');
  const paths = documents.map((bytes, at) => {
    const path = join(folder, `${at}.pdf`);
    writeFileSync(path, bytes);
    return path;
  });
  const list = join(folder, 'list.json');
  writeFileSync(list, JSON.stringify(paths));
  const script = join(import.meta.dirname, '../barcode/read_pdfs.py');
  const lines = await run('python3', ['-S', script, list], { PYTHONPATH: packages });
  return lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
